// hlg_lanes_bench: tokens a second of the engine's lanes beside a bare loop on llama.cpp, what a token costs outside
// llama_decode, and what HLG costs beside the same engine without it.
//
//     hlg_lanes_bench [--pairs] MODEL.gguf ...      --pairs: HLG on and off only
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <thread>

#include "bench/lanes_batched_bench.hpp"
#include "bench/lanes_rival.hpp"
#include "bench/table.hpp"
#include "engine/engine.hpp"
#include "tests/support/resident_bytes.hpp"

namespace hlg::bench {
namespace {

constexpr std::size_t kRounds = 7;
constexpr std::size_t kPairs = 15;
constexpr std::size_t kPrompt = 64;
constexpr std::size_t kContext = 512;
constexpr const char* kBase = "llama.cpp loop, its default chain";  // all are told in multiples of it

/** How much to generate a lane: enough of a second on any machine. */
std::size_t tokens_for(const engine::Model& model, std::size_t lanes) {
    const std::size_t few = model.parameters() < 50'000'000 ? 192 : 24;
    return std::max<std::size_t>(few / (lanes > 8 ? 4 : 1), 12);
}

std::vector<engine::Token> some_prompt(const engine::Model& model) {
    std::vector<engine::Token> tokens = model.tokenize("Once upon a time there was a king who had three sons, and ");
    for (std::size_t i = 0; tokens.size() < kPrompt; ++i) tokens.push_back(tokens[1 + i % 7]);
    tokens.resize(kPrompt);
    return tokens;
}

/** The engine with one choice a lane; the seconds from the first token to the last. */
class Ours {
public:
    Ours(const engine::Model& model, std::size_t lanes) : lanes_(lanes) {
        const std::size_t before = test::resident_bytes();
        auto engine = engine::Engine::start(model, {.context = {.lanes = lanes, .context = kContext}});
        if (!engine) throw std::runtime_error(engine.error().message);
        engine_ = std::move(*engine);
        memory_ = test::resident_bytes() - std::min(before, test::resident_bytes());
    }

    double run(const std::vector<engine::Token>& prompt, std::size_t tokens, const char* preset) {
        engine::GenerateRequest request;
        request.prompt = prompt;
        request.max_tokens = tokens;
        request.ignore_end = true;
        request.sampling.temperature = 0.8;
        if (preset != nullptr) request.sampling.hlg = {.enabled = true, .preset = preset};
        request.sampling.seed = 1;
        request.choices = lanes_;  // of one prompt, so that all generate at the same time, as the rivals do
        engine::Ticket ticket = engine_->submit(std::move(request));
        double seconds = 0;
        while (const auto event = ticket.next()) {
            // The first choice computes the prompt and is a step ahead; its time has the copying of the prompt to the others in
            // it.
            if (event->choice == 0 && lanes_ > 1) continue;
            if (const auto* last = std::get_if<engine::FinishedEvent>(&event->what))
                seconds = std::max(seconds, last->usage.generate_seconds);
        }
        return seconds;
    }

    [[nodiscard]] engine::Tally tally() const { return engine_->statistics().tally; }
    [[nodiscard]] int threads() const { return engine_->limits().threads; }
    [[nodiscard]] std::size_t memory() const { return memory_; }

private:
    std::size_t lanes_;
    std::size_t memory_ = 0;
    std::unique_ptr<engine::Engine> engine_;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

struct Row {
    std::string name;
    std::function<double()> round;
    std::vector<double> seconds = {};
};

/** One of ours: what its rounds told besides their time. */
struct Told {
    engine::Tally tally = {};
    std::size_t memory = 0;
};

double run_ours(const engine::Model& model, std::size_t lanes, const char* preset, const std::vector<engine::Token>& prompt,
                std::size_t tokens, Told& told) {
    Ours ours(model, lanes);
    const double seconds = ours.run(prompt, tokens, preset);
    told.tally = ours.tally();
    told.memory = std::max(told.memory, ours.memory());
    return seconds;
}

double run_rival(const engine::Model& model, std::size_t lanes, int threads, LanesRival::Chain chain,
                 const std::vector<engine::Token>& prompt, std::size_t tokens) {
    double seconds = 0;
    std::thread([&] { seconds = LanesRival(model.handle(), lanes, kContext, threads, chain).run(prompt, tokens); }).join();
    return seconds;
}

/**
 * All rows in alternation, so that a noisy minute hits them alike. Each has its context, and the thread that uses it, for its own
 * round alone: where llama.cpp was built with OpenMP, every such thread brings a pool, and pools that together have more threads
 * than there are cores go to sleep at every barrier.
 */
void measure(const engine::Model& model, std::size_t lanes, Table& table) {
    const std::vector<engine::Token> prompt = some_prompt(model);
    const std::size_t tokens = tokens_for(model, lanes);
    const int threads = Ours(model, 1).threads();
    Told off;
    Told balanced;
    using Chain = LanesRival::Chain;
    std::vector<Row> rows{
        {"llama.cpp loop, temp -> dist", [&] { return run_rival(model, lanes, threads, Chain::temperature, prompt, tokens); }},
        {kBase, [&] { return run_rival(model, lanes, threads, Chain::usual, prompt, tokens); }},
        {"engine, HLG off", [&] { return run_ours(model, lanes, nullptr, prompt, tokens, off); }},
        {"engine, HLG balanced", [&] { return run_ours(model, lanes, "balanced", prompt, tokens, balanced); }}};
    const BatchedBench llama(model.path(), lanes, kContext, threads);
    if (BatchedBench::available())
        rows.insert(rows.begin(), {"llama-batched-bench, draws nothing", [&] { return llama.run(kPrompt, tokens - 1); }});
    for (std::size_t round = 0; round <= kRounds; ++round)
        for (Row& row : rows) {
            const double seconds = row.round();
            if (round > 0) row.seconds.push_back(seconds);  // the first one warms up
        }
    const auto usual_row = std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.name == kBase; });
    const double base = median(usual_row->seconds);
    const std::string name = std::filesystem::path(model.path()).stem().string();
    for (const Row& row : rows) {
        const double seconds = median(row.seconds);
        table.add({name, std::to_string(lanes), row.name, three_digits(static_cast<double>(lanes * (tokens - 1)) / seconds),
                   three_digits(base / seconds)});
    }
    for (const auto& [what, told] : {std::pair{"HLG off", &off}, std::pair{"HLG balanced", &balanced}}) {
        const engine::Tally& tally = told->tally;
        std::cout << name << ", " << lanes << " lanes, " << what << ": "
                  << three_digits((tally.step_seconds - tally.decode_seconds) /
                                  static_cast<double>(tally.generated_tokens + tally.prompt_tokens) * 1e6)
                  << " us a token outside llama_decode, "
                  << three_digits(static_cast<double>(told->memory) / static_cast<double>(lanes) / 0x1p20) << " MiB a lane\n";
    }
}

/**
 * HLG on and off in one engine, one right after the other, now this one first and now that: a noisy second spoils a pair, and the
 * median does not care.
 */
void measure_pairs(const engine::Model& model, std::size_t lanes, Table& table) {
    const std::vector<engine::Token> prompt = some_prompt(model);
    const std::size_t tokens = 2 * tokens_for(model, lanes);
    Ours ours(model, lanes);
    ours.run(prompt, tokens, "balanced");  // warms up
    std::vector<double> ratios;
    for (std::size_t pair = 0; pair < kPairs; ++pair) {
        const double first = ours.run(prompt, tokens, pair % 2 == 0 ? "balanced" : nullptr);
        const double second = ours.run(prompt, tokens, pair % 2 == 0 ? nullptr : "balanced");
        ratios.push_back(pair % 2 == 0 ? second / first : first / second);
    }
    std::sort(ratios.begin(), ratios.end());
    table.add({std::filesystem::path(model.path()).stem().string(), std::to_string(lanes), three_digits(ratios[kPairs / 2]),
               three_digits(ratios[kPairs / 4]), three_digits(ratios[kPairs - 1 - kPairs / 4])});
}

int run(std::vector<std::string> paths) {
    const bool all = std::erase(paths, "--pairs") == 0;
    if (paths.empty()) throw std::runtime_error("which models? hlg_lanes_bench [--pairs] MODEL.gguf ...");
    Table table({"model", "lanes", "", "tokens/s", "x default chain"});
    Table on_off({"model", "lanes", "HLG balanced / off", "lower quartile", "upper quartile"});
    for (const std::string& path : paths) {
        auto model = engine::Model::load(path);
        if (!model) throw std::runtime_error(model.error().message);
        for (const std::size_t lanes : {1U, 8U, 32U}) {
            if (all) measure(*model, lanes, table);
            measure_pairs(*model, lanes, on_off);
        }
    }
    if (all) {
        std::cout << "\nMedians of " << kRounds << " rounds in alternation; generation alone, after prompts of " << kPrompt
                  << " tokens.\n\n";
        table.print(std::cout);
    }
    std::cout << "\nTokens/s with HLG over tokens/s without, " << kPairs << " pairs of runs in one engine.\n\n";
    on_off.print(std::cout);
    return 0;
}

}  // namespace
}  // namespace hlg::bench

int main(int argc, char** argv) {
    try {
        return hlg::bench::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::cerr << "hlg_lanes_bench: " << error.what() << '\n';
        return 2;
    }
}
