// SPDX-License-Identifier: MIT
#include "gguf_file.hpp"

#include <algorithm>
#include <fstream>
#include <span>

#include "random_values.hpp"

namespace hlg::tools {
namespace {

struct FreeGgml {
    void operator()(ggml_context* context) const noexcept { ggml_free(context); }
};

/** Tells the file's metadata which tensors it has; GGUF copies what it needs of them. */
void describe(gguf_context* file, const std::vector<TensorPlan>& tensors) {
    const std::unique_ptr<ggml_context, FreeGgml> context(
        ggml_init({.mem_size = tensors.size() * ggml_tensor_overhead(), .mem_buffer = nullptr, .no_alloc = true}));
    for (const TensorPlan& plan : tensors) {
        ggml_tensor* tensor = plan.values.empty() ? ggml_new_tensor_2d(context.get(), GGML_TYPE_F16, plan.columns, plan.rows)
                                                  : ggml_new_tensor_1d(context.get(), GGML_TYPE_F32, plan.columns);
        ggml_set_name(tensor, plan.name.c_str());
        gguf_add_tensor(file, tensor);
    }
}

class Writer {
public:
    explicit Writer(const std::string& path) : path_(path), file_(path, std::ios::binary | std::ios::trunc) { check(); }

    template <class T>
    void append(std::span<const T> values) {
        file_.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
        size_ += values.size_bytes();
    }

    void pad(std::size_t alignment) {
        const std::vector<char> zeros(GGML_PAD(size_, alignment) - size_);
        append(std::span<const char>(zeros));
    }

    void close() {
        file_.close();
        check();
    }

private:
    void check() const {
        if (!file_) throw MakeError("can't write " + path_);
    }

    std::string path_;
    std::ofstream file_;
    std::size_t size_ = 0;
};

/** The rows of a random matrix, one after the other. */
class RandomRows {
public:
    RandomRows(const TensorPlan& plan, std::uint64_t seed)
        : plan_(plan),
          random_(seed, plan.name, plan.deviation),
          stride_(std::max<std::int64_t>(plan.rows / frequent_rows, 1)),
          shared_(static_cast<std::size_t>(plan.columns / 4)) {
        RandomValues(seed, "shared", plan.deviation).fill(0, shared_);
    }

    void fill(std::int64_t row, std::span<float> values) const {
        random_.fill(static_cast<std::uint64_t>(row * plan_.columns), values);
        const bool frequent = row % stride_ == stride_ - 1;  // the last: a vocabulary begins with its control tokens
        const auto factor = static_cast<float>(plan_.common + (frequent ? plan_.frequent : 0.0));
        if (factor == 0.0F) return;
        for (std::size_t column = 0; column < shared_.size(); ++column) values[column] += factor * shared_[column];
    }

private:
    const TensorPlan& plan_;
    RandomValues random_;
    std::int64_t stride_;
    std::vector<float> shared_;
};

void append_random(Writer& writer, const TensorPlan& plan, std::uint64_t seed) {
    const RandomRows random(plan, seed);
    std::vector<float> values(static_cast<std::size_t>(plan.columns));
    std::vector<ggml_fp16_t> halves(values.size());
    for (std::int64_t row = 0; row < plan.rows; ++row) {
        random.fill(row, values);
        ggml_fp32_to_fp16_row(values.data(), halves.data(), plan.columns);
        writer.append(std::span<const ggml_fp16_t>(halves));
    }
}

}  // namespace

Gguf read_metadata(const std::string& path) {
    Gguf file(gguf_init_from_file(path.c_str(), {.no_alloc = true, .ctx = nullptr}));
    if (!file) throw MakeError("can't read the GGUF file " + path);
    return file;
}

void write_gguf(const std::string& path, Gguf metadata, const std::vector<TensorPlan>& tensors, std::uint64_t seed) {
    describe(metadata.get(), tensors);
    Writer writer(path);
    std::vector<char> head(gguf_get_meta_size(metadata.get()));
    gguf_get_meta_data(metadata.get(), head.data());
    writer.append(std::span<const char>(head));
    for (const TensorPlan& plan : tensors) {
        if (plan.values.empty()) {
            append_random(writer, plan, seed);
        } else {
            writer.append(std::span(plan.values));
        }
        writer.pad(gguf_get_alignment(metadata.get()));
    }
    writer.close();
}

void fill_tensor(const std::string& path, const char* name, float value) {
    const Gguf file = read_metadata(path);
    const std::int64_t index = gguf_find_tensor(file.get(), name);
    if (index < 0 || gguf_get_tensor_type(file.get(), index) != GGML_TYPE_F32)
        throw MakeError("no float32 tensor " + std::string(name) + " in " + path);
    const std::vector<float> values(gguf_get_tensor_size(file.get(), index) / sizeof(float), value);
    std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(static_cast<std::streamoff>(gguf_get_data_offset(file.get()) + gguf_get_tensor_offset(file.get(), index)));
    out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(float)));
    out.close();
    if (!out) throw MakeError("can't write " + path);
}

}  // namespace hlg::tools
