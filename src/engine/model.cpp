// SPDX-License-Identifier: MIT
#include "engine/model.hpp"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <ggml-backend.h>
#include <gguf.h>
#include <llama.h>

#include "engine/backend.hpp"
#include "engine/rpc.hpp"

namespace hlg::engine {
namespace {

/** Whether the file holds less than its header promises, or no header that can be read. For a file that llama.cpp has refused:
    it is not worth reading a good one's header twice. */
bool damaged(const std::string& path) {
    const std::unique_ptr<gguf_context, decltype(&gguf_free)> file(
        gguf_init_from_file(path.c_str(), {.no_alloc = true, .ctx = nullptr}), gguf_free);
    if (!file) return true;
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(path, ignored);
    for (std::int64_t i = 0; i < gguf_get_n_tensors(file.get()); ++i) {
        const std::size_t start = gguf_get_data_offset(file.get()) + gguf_get_tensor_offset(file.get(), i);
        if (start + gguf_get_tensor_size(file.get(), i) > size) return true;
    }
    return false;
}

Error refused(const std::string& path) {
    const std::string reason = take_backend_error();
    return {ErrorCode::bad_model,
            (damaged(path) ? path + " is cut short or damaged" : "can't load " + path) + (reason.empty() ? "" : ": " + reason)};
}

bool report_progress(float done, void* options) {
    const auto& progress = static_cast<const LoadOptions*>(options)->progress;
    return !progress || progress(done);
}

bool is_gpu(ggml_backend_dev_t device) {
    const auto type = ggml_backend_dev_type(device);
    return type == GGML_BACKEND_DEVICE_TYPE_GPU || type == GGML_BACKEND_DEVICE_TYPE_IGPU;
}

Error unknown_device(const std::string& name) {
    std::string known = "none, CPU";
    for (const std::string& gpu : gpu_devices()) known.append(", ").append(gpu);
    return {ErrorCode::bad_settings, "[device] must be among those here (" + known + "), got " + name};
}

/** The devices of these names, as llama.cpp wants them: a null at the end. The CPU is no place to offload to. */
Result<std::vector<ggml_backend_dev_t>> find_devices(const std::vector<std::string>& names) {
    std::vector<ggml_backend_dev_t> found;
    for (const std::string& name : names) {
        ggml_backend_dev_t device = ggml_backend_dev_by_name(name.c_str());
        const bool cpu = device != nullptr && ggml_backend_dev_type(device) == GGML_BACKEND_DEVICE_TYPE_CPU;
        if (!cpu && (device == nullptr || !is_gpu(device))) return unknown_device(name);
        if (!cpu) found.push_back(device);
    }
    found.push_back(nullptr);
    return found;
}

llama_load_mode load_mode(const LoadOptions& options) {
    if (options.mlock) return options.mmap.value_or(true) ? LLAMA_LOAD_MODE_MMAP_MLOCK : LLAMA_LOAD_MODE_MLOCK;
    if (!options.mmap) return LLAMA_LOAD_MODE_AUTO;
    return *options.mmap ? LLAMA_LOAD_MODE_MMAP : LLAMA_LOAD_MODE_NONE;
}

const llama_vocab* vocabulary(const llama_model* model) { return llama_model_get_vocab(model); }

}  // namespace

std::vector<std::string> gpu_devices() {
    start_backend(false);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ggml_backend_dev_count(); ++i)
        if (is_gpu(ggml_backend_dev_get(i))) names.emplace_back(ggml_backend_dev_name(ggml_backend_dev_get(i)));
    return names;
}

// Before llama.cpp sees the file: its own words for these cases help nobody.
Failure check_gguf(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return Error{ErrorCode::no_such_file, "no such file: " + path};
    if (std::filesystem::is_directory(path, ignored))
        return Error{ErrorCode::no_such_file, "a folder, not a model file: " + path};
    std::ifstream file(path, std::ios::binary);
    if (!file) return Error{ErrorCode::no_such_file, "can't read: " + path};
    std::array<char, 4> magic{};
    file.read(magic.data(), magic.size());
    if (!file || std::memcmp(magic.data(), "GGUF", magic.size()) != 0)
        return Error{ErrorCode::not_a_model, "not a GGUF file: " + path};
    return std::nullopt;
}

Model::Model(std::string path, llama_model* model) : path_(std::move(path)), model_(model, llama_model_free) {}

Result<Model> Model::load(const std::string& path, const LoadOptions& options) {
    if (Failure failure = check_gguf(path)) return *failure;
    start_backend(options.verbose);
    if (Failure failure = add_rpc_servers(options.rpc_servers)) return *failure;
    Result<std::vector<ggml_backend_dev_t>> devices = find_devices(options.devices.value_or(std::vector<std::string>{}));
    if (!devices) return devices.error();
    bool stopped = false;
    LoadOptions watched = options;
    watched.progress = [&](float done) {
        stopped = options.progress && !options.progress(done);
        return !stopped;
    };
    llama_model_params params = llama_model_default_params();
    params.n_gpu_layers = options.gpu_layers.value_or(params.n_gpu_layers);
    params.devices = options.devices ? devices->data() : nullptr;
    params.load_mode = load_mode(options);
    params.progress_callback = report_progress;
    params.progress_callback_user_data = &watched;
    take_backend_error();
    llama_model* model = llama_model_load_from_file(path.c_str(), params);
    if (stopped) {
        llama_model_free(model);
        return Error{ErrorCode::interrupted, "stopped while loading " + path};
    }
    if (model == nullptr) return refused(path);
    return Model(path, model);
}

std::vector<Token> Model::tokenize(std::string_view text, const TokenizeOptions& options) const {
    const llama_vocab* vocab = vocabulary(model_.get());
    const auto length = static_cast<std::int32_t>(text.size());
    std::vector<Token> tokens(text.size() + 2);  // no token is shorter than a byte; begin and end marks may be added
    std::int32_t count = llama_tokenize(vocab, text.data(), length, tokens.data(), static_cast<std::int32_t>(tokens.size()),
                                        options.begin, options.marks);
    if (count < 0) {  // a tokenizer that adds more
        tokens.resize(static_cast<std::size_t>(-count));
        count = llama_tokenize(vocab, text.data(), length, tokens.data(), -count, options.begin, options.marks);
    }
    tokens.resize(static_cast<std::size_t>(std::max(count, 0)));
    return tokens;
}

std::string Model::piece(Token token, bool marks) const {
    std::string bytes(32, '\0');
    const llama_vocab* vocab = vocabulary(model_.get());
    std::int32_t count = llama_token_to_piece(vocab, token, bytes.data(), static_cast<std::int32_t>(bytes.size()), 0, marks);
    if (count < 0) {
        bytes.resize(static_cast<std::size_t>(-count));
        count = llama_token_to_piece(vocab, token, bytes.data(), -count, 0, marks);
    }
    bytes.resize(static_cast<std::size_t>(std::max(count, 0)));
    return bytes;
}

bool Model::is_end(Token token) const { return llama_vocab_is_eog(vocabulary(model_.get()), token); }

std::vector<Token> Model::end_tokens() const {
    std::vector<Token> tokens;
    for (Token token = 0; token < static_cast<Token>(vocabulary_size()); ++token)
        if (is_end(token)) tokens.push_back(token);
    return tokens;
}

std::size_t Model::vocabulary_size() const { return static_cast<std::size_t>(llama_vocab_n_tokens(vocabulary(model_.get()))); }

std::size_t Model::parameters() const { return static_cast<std::size_t>(llama_model_n_params(model_.get())); }

std::size_t Model::trained_context() const { return static_cast<std::size_t>(llama_model_n_ctx_train(model_.get())); }

std::optional<std::string> Model::metadata(const char* key) const {
    std::array<char, 256> text{};
    if (llama_model_meta_val_str(model_.get(), key, text.data(), text.size()) < 0) return std::nullopt;
    return std::string(text.data());
}

}  // namespace hlg::engine
