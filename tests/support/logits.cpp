#include "support/logits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <numeric>

namespace hlg::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();

// -slope ln(rank) with noise, the most likely token `lead` nats ahead of that law.
void zipf(std::vector<float>& x, double slope, double lead, Random& random) {
    for (std::size_t rank = 0; rank < x.size(); ++rank)
        x[rank] = static_cast<float>(12 - slope * std::log(static_cast<double>(rank + 1)) + 0.4 * random.normal());
    x[0] += static_cast<float>(lead);
    for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[random.below(i)]);
}

// binary16 to float32: exact.
float from_half(std::uint16_t half) {
    const int exponent = half >> 10 & 31;
    const int mantissa = half & 1023;
    const float sign = (half & 0x8000) != 0 ? -1.0F : 1.0F;
    if (exponent == 31) return mantissa == 0 ? sign * kInfinity : std::numeric_limits<float>::quiet_NaN();
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
    return sign * std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
}

std::vector<float> read_halves(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<float> logits;
    const bool brain = path.extension() == ".bf16";
    char bytes[2];
    while (file.read(bytes, 2)) {
        const auto half = static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[0]) |
                                                     static_cast<unsigned>(static_cast<unsigned char>(bytes[1])) << 8);
        logits.push_back(brain ? std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16) : from_half(half));
    }
    return logits;
}

}  // namespace

std::uint64_t Random::bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Random::normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::size_t Random::below(std::size_t bound) { return static_cast<std::size_t>(uniform() * static_cast<double>(bound)); }

std::string to_string(Shape shape) {
    switch (shape) {
        case Shape::certain: return "certain";
        case Shape::confident: return "confident";
        case Shape::open: return "open";
        case Shape::flat: return "flat";
    }
    return "?";
}

std::vector<float> synthetic(Shape shape, std::size_t vocab, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> x(vocab);
    switch (shape) {
        case Shape::certain: zipf(x, 1.2, 20, random); break;
        case Shape::confident: zipf(x, 1.6, 3, random); break;
        case Shape::open: zipf(x, 1.15, 0, random); break;
        case Shape::flat:
            for (float& value : x) value = static_cast<float>(-3 + 0.2 * random.normal());
            break;
    }
    return x;
}

std::vector<std::vector<float>> adversarial() {
    std::vector<std::vector<float>> all{
        {0.0F},
        {-0.0F, 0.0F},
        {0.0F, -0.0F, kDenormal, -kDenormal, 1e-40F, -1e-40F},
        {-kInfinity, 3.0F, -kLargest, -1e30F, 2.0F, -0.0F},
        {kLargest, kLargest, -kLargest, 1e38F, 0.0F},
        {-kLargest, -kInfinity, -kLargest},
        {1e30F, 1e30F, 9.9e29F, -1e30F},
        {10000.0F, 0.0F, -0.5F, std::nextafter(0.0F, -1.0F), 1.0F},  // on both sides of the mask's depth
        {5.0F, 5.0F, 5.0F, 5.0F, std::nextafter(5.0F, 0.0F)},
        {65504.0F, 65503.0F, 65472.0F, 0.0F},
    };
    const float masks[] = {-kInfinity, -kLargest, -1e30F};
    for (const std::size_t vocab : {127U, 128U, 129U, 1000U, 4097U}) {
        for (const Shape shape : {Shape::certain, Shape::confident, Shape::open, Shape::flat}) {
            std::vector<float> x = synthetic(shape, vocab, vocab * 7 + static_cast<std::uint64_t>(shape));
            Random random(vocab);
            for (std::size_t i = 0; i < vocab; i += 1 + random.below(6)) x[i] = masks[random.below(3)];
            x[random.below(vocab)] = -0.0F;
            x[random.below(vocab)] = kDenormal;
            all.push_back(std::move(x));
        }
    }
    return all;
}

std::vector<RealLogits> real_logits(std::size_t stride) {
    std::vector<RealLogits> all;
    const std::filesystem::path folder = HLG_SHARED_LOGITS;
    if (!std::filesystem::is_directory(folder)) return all;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".f16" || entry.path().extension() == ".bf16") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (std::size_t i = 0; i < paths.size(); i += stride) all.push_back({paths[i].filename().string(), read_halves(paths[i])});
    return all;
}

}  // namespace hlg::test
