// Logits to test with: synthetic ones of chosen shape, adversarial ones, and the real ones that may lie beside the repository.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hlg::test {

/** SplitMix64: the same numbers with every compiler and library. */
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits();
    double uniform();  ///< [0, 1)
    double uniform(double low, double high);
    double normal();
    std::size_t below(std::size_t bound);

private:
    std::uint64_t state_;
};

/** From one token that has nearly everything to all tokens alike. */
enum class Shape { certain, confident, open, flat };

std::string to_string(Shape shape);

/** Logits of that shape, the tokens in random places. */
std::vector<float> synthetic(Shape shape, std::size_t vocab, std::uint64_t seed);

/** Vectors that look for trouble: masks of every kind, signed zeros, subnormals, huge values, plateaus, ties at the top. */
std::vector<std::vector<float>> adversarial();

/** A model's logits, whole vocabulary. */
struct RealLogits {
    std::string name;
    std::vector<float> logits;
};

/** Every `stride`-th of the real logits; empty when they are not there. */
std::vector<RealLogits> real_logits(std::size_t stride);

}  // namespace hlg::test
