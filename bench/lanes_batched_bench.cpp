#include "bench/lanes_batched_bench.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace hlg::bench {
namespace {

const std::string& program() {
    static const std::string path = std::string(HLG_BENCH_LLAMA_PROGRAMS) + "/llama-batched-bench";
    return path;
}

std::string quoted(const std::string& word) {
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string output_of(const std::string& command) {
    struct Close {
        void operator()(std::FILE* pipe) const noexcept { pclose(pipe); }
    };
    const std::unique_ptr<std::FILE, Close> pipe(popen(command.c_str(), "r"));
    if (!pipe) throw std::runtime_error("can't run " + program());
    std::string output;
    std::array<char, 4096> part;
    while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe.get())) output.append(part.data(), read);
    return output;
}

}  // namespace

BatchedBench::BatchedBench(std::string model, std::size_t lanes, std::size_t context, int threads)
    : model_(std::move(model)), lanes_(lanes), context_(context), threads_(threads) {}

bool BatchedBench::available() { return std::filesystem::exists(program()); }

double BatchedBench::run(std::size_t prompt, std::size_t tokens) const {
    const std::string output =
        output_of(quoted(program()) + " -m " + quoted(model_) + " -c " + std::to_string(lanes_ * context_) + " -t " +
                  std::to_string(threads_) + " -npp " + std::to_string(prompt) + " -ntg " + std::to_string(tokens) + " -npl " +
                  std::to_string(lanes_) + " --output-format jsonl 2>&1");
    // Lines of its log may stand around the one of the result.
    const std::size_t start = output.rfind("{\"n_kv_max\"");
    if (start == std::string::npos) throw std::runtime_error(program() + " tells no result");
    return nlohmann::json::parse(output.substr(start, output.find('}', start) + 1 - start)).at("t_tg").get<double>();
}

}  // namespace hlg::bench
