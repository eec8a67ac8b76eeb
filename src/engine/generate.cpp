// SPDX-License-Identifier: MIT
#include "engine/generate.hpp"

#include <chrono>
#include <optional>

#include "engine/utf8.hpp"

namespace hlg::engine {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/** One generation under way. */
class Loop {
public:
    Loop(const Model& model, Lane& lane, const GenerationRequest& request, const TextSink& sink)
        : model_(model), lane_(lane), request_(request), sink_(sink), sampler_(request.sampling) {}

    Result<GenerationResult> run() {
        result_.prompt_tokens = request_.prompt.size();
        Clock::time_point start = Clock::now();
        Failure failure = lane_.feed(request_.prompt);
        result_.prompt_seconds = seconds_since(start);
        if (failure && !interrupted(*failure)) return *failure;
        start = Clock::now();
        while (!failure && !finished()) failure = step();
        result_.generate_seconds = seconds_since(start);
        if (failure && !interrupted(*failure)) return *failure;
        return result_;
    }

private:
    /** An abort that the caller asked for is an end like any other. */
    bool interrupted(const Error& error) {
        if (error.code != ErrorCode::interrupted) return false;
        result_.finish = Finish::interrupted;
        return true;
    }

    bool finished() {
        if (done_) return true;
        if (request_.cancel != nullptr && request_.cancel->load(std::memory_order_relaxed)) return finish(Finish::interrupted);
        if (request_.max_tokens >= 0 && result_.generated_tokens >= static_cast<std::uint64_t>(request_.max_tokens))
            return finish(Finish::length);
        // The token just shown needs a place in the context before the next one can be scored.
        if (next_ && lane_.used() >= lane_.context()) return finish(Finish::context);
        return false;
    }

    bool finish(Finish reason) {
        result_.finish = reason;
        return done_ = true;
    }

    /** Decodes the token shown last, draws the next and shows it. */
    Failure step() {
        if (next_) {
            if (Failure failure = lane_.feed(std::span(&*next_, 1))) return failure;
        }
        const Draw draw = sampler_.draw({.logits = lane_.logits()}, {.index = result_.generated_tokens});
        if (draw.status != Status::ok) return Error{ErrorCode::sampling_failed, std::string(to_string(draw.status))};
        if (model_.is_end(draw.token)) {
            finish(Finish::stop);
            return std::nullopt;
        }
        next_ = draw.token;
        ++result_.generated_tokens;
        const std::string text = characters_.push(model_.piece(draw.token));
        if (!text.empty() && !sink_(text)) finish(Finish::interrupted);
        return std::nullopt;
    }

    const Model& model_;
    Lane& lane_;
    const GenerationRequest& request_;
    const TextSink& sink_;
    Sampler sampler_;
    Utf8Assembler characters_;
    GenerationResult result_;
    std::optional<Token> next_;
    bool done_ = false;
};

Failure check(const Lane& lane, const GenerationRequest& request) {
    if (request.prompt.empty()) return Error{ErrorCode::prompt_empty, "the prompt is empty"};
    if (request.prompt.size() > lane.context()) {
        return Error{ErrorCode::prompt_too_long, "the prompt has " + std::to_string(request.prompt.size()) +
                                                     " tokens, the context holds " + std::to_string(lane.context())};
    }
    return std::nullopt;
}

}  // namespace

std::string_view to_string(Finish finish) noexcept {
    switch (finish) {
        case Finish::stop: return "stop";
        case Finish::length: return "length";
        case Finish::context: return "context";
        case Finish::interrupted: return "interrupted";
    }
    return "unknown";
}

Result<GenerationResult> generate(const Model& model, Lane& lane, const GenerationRequest& request, const TextSink& sink) {
    if (Failure failure = check(lane, request)) return *failure;
    try {
        return Loop(model, lane, request, sink).run();
    } catch (const ParameterError& error) {
        return Error{ErrorCode::bad_settings, error.what()};
    }
}

}  // namespace hlg::engine
