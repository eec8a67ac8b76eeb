// SPDX-License-Identifier: MIT
//
// GGUF files as the maker sees them: metadata in memory, tensors described, their values made while they are written, so that
// a model larger than memory can be made.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gguf.h>

namespace hlg::tools {

/** Why there is no model; one line, for people. */
class MakeError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct FreeGguf {
    void operator()(gguf_context* file) const noexcept { gguf_free(file); }
};
using Gguf = std::unique_ptr<gguf_context, FreeGguf>;

/** Metadata of a file, without its tensors' values. Throws MakeError. */
Gguf read_metadata(const std::string& path);

/** A tensor to be written: a random float16 matrix, or given float32 values. */
struct TensorPlan {
    std::string name;
    std::int64_t columns = 0;  ///< the fastest dimension: a matrix multiplies vectors of this length
    std::int64_t rows = 1;     ///< 1 with given values
    double deviation = 0.0;    ///< standard deviation of random values
    /** One random vector, the same for all tensors of a model with as many columns and zero behind its first quarter, is added
        to every row, `common` times, and `frequent` times more to one row in rows / frequent_rows; in units of the deviation. */
    double common = 0.0;
    double frequent = 0.0;
    std::vector<float> values = {};  ///< [columns]; empty = random
};

/** How many rows of a matrix are frequent, if it has at least as many. */
inline constexpr std::int64_t frequent_rows = 64;

/** Writes metadata and tensors; `seed` decides every random value. Throws MakeError. */
void write_gguf(const std::string& path, Gguf metadata, const std::vector<TensorPlan>& tensors, std::uint64_t seed);

/** Sets all values of a float32 tensor in a file. Throws MakeError. */
void fill_tensor(const std::string& path, const char* name, float value);

}  // namespace hlg::tools
