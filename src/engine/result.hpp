// SPDX-License-Identifier: MIT
//
// Errors of the engine are values: what can fail returns a Result, and nothing throws out of this room.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace hlg::engine {

enum class ErrorCode {
    no_such_file,     ///< the path leads nowhere, or not to a file that can be read
    not_a_model,      ///< a file, but no GGUF
    bad_model,        ///< a GGUF that llama.cpp refuses
    bad_config,       ///< the model's own sampling settings can't be read
    bad_settings,     ///< a sampling setting out of its range
    prompt_empty,     ///< nothing to continue: no token at all
    prompt_too_long,  ///< the prompt has more tokens than the context
    no_context,       ///< llama.cpp could not make a context, out of memory as a rule
    bad_request,      ///< a request that makes no sense: no choices, no such token, no token left by its bans and grammar
    too_busy,         ///< as many requests wait as may
    interrupted,      ///< the caller asked to stop before there was anything to answer with
    decode_failed,    ///< llama.cpp failed in the middle of a computation
    sampling_failed,  ///< the logits hold NaN or +inf
};

struct Error {
    ErrorCode code = ErrorCode::decode_failed;
    std::string message;  ///< one line, for people
};

/** A T or the reason why there is none. */
template <class T, class E = Error>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
    Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

    explicit operator bool() const noexcept { return state_.index() == 0; }
    T& operator*() noexcept { return *std::get_if<0>(&state_); }
    const T& operator*() const noexcept { return *std::get_if<0>(&state_); }
    T* operator->() noexcept { return std::get_if<0>(&state_); }
    const T* operator->() const noexcept { return std::get_if<0>(&state_); }
    [[nodiscard]] const E& error() const noexcept { return *std::get_if<1>(&state_); }

private:
    std::variant<T, E> state_;
};

/** Nothing, or an error. */
using Failure = std::optional<Error>;

}  // namespace hlg::engine
