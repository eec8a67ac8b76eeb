// SPDX-License-Identifier: MIT
//
// A loaded model: weights, vocabulary, metadata. Immutable once loaded, so any number of engines and threads may share one; a
// Model is a handle, and cheap to copy.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/result.hpp"

struct llama_model;

namespace hlg::engine {

using Token = std::int32_t;

struct LoadOptions {
    std::function<bool(float)> progress = {};  ///< told 0 to 1 as loading goes on; false stops it
    bool verbose = false;                      ///< llama.cpp's own log to stderr
    std::optional<int> gpu_layers = {};        ///< layers that GPUs hold, from the last one on; unset = all, where there is a GPU
    std::vector<std::string> rpc_servers = {};  ///< "host:port" each; their devices join the GPUs of this process; see rpc.hpp
    std::optional<std::vector<std::string>> devices = {};  ///< of gpu_devices(), or "CPU"; unset = all, empty = none
    std::optional<bool> mmap = {};                         ///< map the file instead of reading it; unset = where the devices can
    bool mlock = false;  ///< keep the weights from being swapped out; where the system refuses, it is as if unset
};

struct TokenizeOptions {
    bool begin = true;  ///< put the marks in front and behind that the model wants
    bool marks = true;  ///< marks in the text become their tokens; else they are text like any other
};

/** Names of the GPUs that this llama.cpp can use. */
std::vector<std::string> gpu_devices();

/** What is wrong with a file that should be a GGUF, as far as its first bytes tell. Errors: no_such_file, not_a_model. */
Failure check_gguf(const std::string& path);

class Model {
public:
    /** Loads a GGUF file. Errors: those of check_gguf(), bad_settings, bad_model, interrupted. */
    static Result<Model> load(const std::string& path, const LoadOptions& options = {});

    /** Text to tokens, [n]; marks such as <|im_start|> in the text become their tokens, and the model's begin mark is put in
        front, unless told otherwise. */
    [[nodiscard]] std::vector<Token> tokenize(std::string_view text, const TokenizeOptions& options = {}) const;

    /** The bytes of a token, possibly a part of a UTF-8 character; empty for control tokens, unless their marks are wanted. */
    [[nodiscard]] std::string piece(Token token, bool marks = false) const;

    /** Whether the token ends the generation. */
    [[nodiscard]] bool is_end(Token token) const;

    /** All tokens that end the generation. Reads the whole vocabulary. */
    [[nodiscard]] std::vector<Token> end_tokens() const;

    [[nodiscard]] std::size_t vocabulary_size() const;

    [[nodiscard]] std::size_t parameters() const;

    /** The context that the model was trained for, tokens. */
    [[nodiscard]] std::size_t trained_context() const;

    /** A metadata value of the GGUF file as text. */
    [[nodiscard]] std::optional<std::string> metadata(const char* key) const;

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] llama_model* handle() const noexcept { return model_.get(); }

private:
    Model(std::string path, llama_model* model);

    std::string path_;
    std::shared_ptr<llama_model> model_;
};

}  // namespace hlg::engine
