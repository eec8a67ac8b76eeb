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
};

class Model {
public:
    /** Loads a GGUF file. */
    static Result<Model> load(const std::string& path, const LoadOptions& options = {});

    /** Text to tokens, [n]; marks such as <|im_start|> in the text become their tokens, and the model's begin mark is put in
     * front. */
    [[nodiscard]] std::vector<Token> tokenize(std::string_view text) const;

    /** The bytes of a token, possibly a part of a UTF-8 character; empty for control tokens. */
    [[nodiscard]] std::string piece(Token token) const;

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
