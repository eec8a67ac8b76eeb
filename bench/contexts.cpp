#include "bench/contexts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <stdexcept>

namespace hlg::bench {
namespace {

constexpr std::size_t kLine = 64;  // bytes

Context make(std::string name, std::string group, std::size_t vocab) {
    Context context;
    context.name = std::move(name);
    context.group = std::move(group);
    context.vocab = vocab;
    context.storage.resize(vocab + kLine / sizeof(float));
    const auto address = reinterpret_cast<std::uintptr_t>(context.storage.data());
    context.first = (kLine - address % kLine) % kLine / sizeof(float);
    return context;
}

// std::normal_distribution differs between standard libraries; the engine and this do not.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    // In (0, 1].
    double uniform() { return (static_cast<double>(engine_() >> 11) + 1) * 0x1p-53; }
    double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }

private:
    std::mt19937_64 engine_;
};

double log_sum_exp(const float* x, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::exp(static_cast<double>(x[i]));
    return std::log(sum);
}

// Raises `count` random tokens above the noise: the one of rank r to base - power ln r, with the base that gives them 0.99 in
// all.
void add_head(float* x, std::size_t n, std::size_t count, double power, Random& random) {
    double sum = 0;
    for (std::size_t rank = 1; rank <= count; ++rank) sum += std::pow(static_cast<double>(rank), -power);
    const double base = log_sum_exp(x, n) + std::log(99.0) - std::log(sum);
    for (std::size_t rank = 1; rank <= count; ++rank)
        x[random.below(n)] = static_cast<float>(base - power * std::log(static_cast<double>(rank)));
}

Context synthetic(const std::string& shape, std::size_t vocab) {
    Context context = make(shape + "-" + std::to_string(vocab), shape, vocab);
    float* const x = context.storage.data() + context.first;
    Random random(vocab);
    const double spread = shape == "flat" ? 1 : 2;
    for (std::size_t i = 0; i < vocab; ++i) x[i] = static_cast<float>(spread * random.normal());
    if (shape == "confident") add_head(x, vocab, 1, 0, random);
    if (shape == "open") add_head(x, vocab, 1000, 1.2, random);
    return context;
}

float from_f16(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    double value = std::ldexp(fraction + (exponent > 0 ? 1024 : 0), (exponent > 0 ? exponent : 1) - 25);
    if (exponent == 31) value = fraction == 0 ? INFINITY : NAN;
    return static_cast<float>(bits >> 15 != 0 ? -value : value);
}

float from_bf16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

Context read(const std::filesystem::path& folder, const nlohmann::json& entry) {
    const std::filesystem::path file = folder / entry.at("file").get<std::string>();
    const auto vocab = entry.at("vocab").get<std::size_t>();
    const auto dtype = entry.at("dtype").get<std::string>();
    if (dtype != "f16" && dtype != "bf16") throw std::runtime_error(file.string() + ": dtype " + dtype + " is not f16 or bf16");
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in || bytes.size() != 2 * vocab)
        throw std::runtime_error(file.string() + ": " + std::to_string(bytes.size()) + " bytes, expected " +
                                 std::to_string(2 * vocab));
    Context context = make(file.stem().string(), entry.at("model").get<std::string>(), vocab);
    context.real = true;
    float* const x = context.storage.data() + context.first;
    for (std::size_t i = 0; i < vocab; ++i) {
        const auto low = static_cast<unsigned char>(bytes[2 * i]);
        const auto high = static_cast<unsigned char>(bytes[2 * i + 1]);
        const auto bits = static_cast<std::uint16_t>(low | high << 8);
        x[i] = dtype == "f16" ? from_f16(bits) : from_bf16(bits);
    }
    return context;
}

}  // namespace

std::vector<Context> synthetic_contexts() {
    std::vector<Context> all;
    for (const char* shape : {"confident", "open", "flat"})
        for (const std::size_t vocab : kVocabs) all.push_back(synthetic(shape, vocab));
    return all;
}

std::vector<Context> real_contexts(const std::filesystem::path& folder) {
    std::ifstream in(folder / "index.json");
    if (!in) throw std::runtime_error((folder / "index.json").string() + ": cannot be read");
    std::vector<Context> all;
    for (const nlohmann::json& entry : nlohmann::json::parse(in)) all.push_back(read(folder, entry));
    return all;
}

std::vector<Rotated> rotations(const std::vector<Context>& contexts) {
    std::vector<Rotated> all;
    for (const Context& context : contexts) {
        if (!context.real) continue;
        auto found = std::find_if(all.begin(), all.end(), [&](const Rotated& one) { return one.model == context.group; });
        if (found == all.end()) found = all.insert(all.end(), Rotated{context.group, {}});
        found->contexts.push_back(&context);
    }
    return all;
}

}  // namespace hlg::bench
