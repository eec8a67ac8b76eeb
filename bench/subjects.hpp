// The settings that are timed: ours, and llama.cpp's.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/contexts.hpp"

namespace hlg::bench {

/** Produces one token; the argument is its index, so that every call stands elsewhere in the random stream. */
using DrawToken = std::function<std::int32_t(std::uint64_t index)>;

struct Subject {
    enum class Kind {
        draw,   ///< one token of ours
        whole,  ///< a pass of ours that hands out the whole distribution
        rival   ///< one token of llama.cpp's
    };
    std::string name;   ///< as --benchmark_filter sees it
    std::string label;  ///< as the table shows it
    Kind kind;
    int calls;   ///< between two readings of the clock
    int rounds;  ///< floor and subject in turn, this often; odd, for the median

    /** Everything that one request sets up once: the sampler, the edits, the buffers. */
    std::function<DrawToken(const Context&)> start;
};

std::vector<Subject> subjects();

/** The rivals' names, for ratios. */
inline constexpr const char* kRivalTemperature = "llama_temp_dist";
inline constexpr const char* kRivalUsual = "llama_default_chain";

}  // namespace hlg::bench
