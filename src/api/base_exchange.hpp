// SPDX-License-Identifier: MIT
//
// What all exchanges have in common: when an answer begins, ends or fails, and what its choices came to. An endpoint derives from
// it and says how events look to its vendor's clients; it never sees an event after a failure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/error_body.hpp"
#include "api/exchange.hpp"
#include "api/json_reader.hpp"
#include "engine/engine.hpp"

namespace hlg::api {

struct SamplingFields;

/** What an endpoint made of a request. */
struct Plan {
    Vendor vendor = Vendor::openai;
    bool streams = false;
    std::vector<engine::Request> requests = {};
    std::vector<std::string> ignored = {};         ///< what the request sets and is not there; see SamplingFields
    std::vector<std::string> schema_ignored = {};  ///< keywords of its schemas that are not enforced
    std::string constraint = {};                   ///< the field that the answer's grammar comes from; "" for none
    std::string prompt = "messages";               ///< the field that the prompt comes from
    bool negative_seed = false;                    ///< see SamplingFields
};

/** Of a request that generates: what its body and its sampling fields say for every vendor. Requests are added to it. */
[[nodiscard]] Plan plan_of(Vendor vendor, const Node& body, SamplingFields&& sampling, std::vector<std::string> schema_ignored);

class BaseExchange : public Exchange {
public:
    explicit BaseExchange(Plan plan);

    [[nodiscard]] std::vector<engine::Request> requests() final { return std::move(plan_.requests); }
    void identify(const std::string& id) final { request_id_ = id; }
    [[nodiscard]] bool streams() const final { return plan_.streams; }
    void take(std::size_t request, engine::Event event) final;
    void end(std::size_t request) final;
    void fail(const Problem& problem) final;
    [[nodiscard]] bool begun() const final { return waiting_ == 0; }
    [[nodiscard]] bool done() const final { return done_; }
    [[nodiscard]] Reply head() const final;
    [[nodiscard]] std::string frames() final;
    [[nodiscard]] Reply reply() final;

protected:
    // What happened. Generations are collected before they are told here, in choice(). Those that do not care do nothing.
    virtual void on_accepted(std::size_t request, const engine::AcceptedEvent& event);
    virtual void on_text(std::size_t request, std::size_t choice, const engine::TextEvent& event);
    virtual void on_chat(std::size_t request, std::size_t choice, const engine::ChatEvent& event);
    virtual void on_finished(std::size_t request, std::size_t choice);
    virtual void on_scored(std::size_t request, engine::ScoredEvent&& event);
    virtual void on_inspected(engine::InspectedEvent&& event);
    virtual void on_matched(engine::MatchedEvent&& event);
    virtual void on_counted(std::size_t tokens);
    virtual void on_listed(std::vector<engine::Token>&& tokens);

    /** All requests ended well: the last frames of a stream. */
    virtual void on_complete();

    /** The last frames of a stream that fails: by default a frame of the vendor's error body. */
    virtual void on_failure(const Problem& problem);

    /** The body of an answer that does not stream, when it is complete. */
    [[nodiscard]] virtual Json answer() = 0;

    /** Appends those tokens that have log-probabilities. */
    static void keep(const std::vector<engine::GeneratedToken>& tokens, std::vector<engine::GeneratedToken>& kept);

    /** Appends to the stream. */
    void write(const Json& data, std::string_view event = {});
    void write_raw(std::string_view frame) { frames_ += frame; }

    /** What a choice came to: its text or message whole; its tokens, where log-probabilities were asked for. */
    [[nodiscard]] const engine::Completion& choice(std::size_t request, std::size_t choice) const;
    [[nodiscard]] std::size_t choices(std::size_t request) const { return states_[request].choices.size(); }
    [[nodiscard]] std::size_t request_count() const noexcept { return states_.size(); }

    /** Of a generation, once accepted; of an inspection and a match, once it is there. */
    [[nodiscard]] const engine::AcceptedEvent& accepted(std::size_t request) const { return *states_[request].accepted; }

    /** The reply's fields `hlg` and `seed`. */
    [[nodiscard]] Json hlg_field() const;
    [[nodiscard]] Json seed_field() const;

    /** Tokens counted over all generations; a prompt counts once, and as reused what was so for all its choices. */
    [[nodiscard]] engine::Usage usage() const;

    [[nodiscard]] const Plan& plan() const noexcept { return plan_; }

private:
    struct State {
        std::optional<engine::AcceptedEvent> accepted = {};
        bool begun = false;
        bool ended = false;
        std::size_t unfinished = 1;  ///< choices
        std::vector<engine::Completion> choices = {};
    };

    void begin(State& state);
    void handle(std::size_t request, std::size_t choice, engine::AcceptedEvent event);
    void handle(std::size_t request, std::size_t choice, const engine::TextEvent& event);
    void handle(std::size_t request, std::size_t choice, const engine::ChatEvent& event);
    void handle(std::size_t request, std::size_t choice, engine::FinishedEvent event);
    void handle(std::size_t request, std::size_t choice, engine::ScoredEvent event);
    void handle(std::size_t request, std::size_t choice, engine::InspectedEvent event);
    void handle(std::size_t request, std::size_t choice, engine::MatchedEvent event);
    void handle(std::size_t request, std::size_t choice, engine::CountedEvent event);
    void handle(std::size_t request, std::size_t choice, const engine::ErrorEvent& event);
    [[nodiscard]] std::vector<std::string> ignored() const;
    [[nodiscard]] std::vector<Header> headers() const;

    Plan plan_;
    std::vector<State> states_;
    std::size_t waiting_;  ///< requests that are not accepted yet
    std::size_t open_;     ///< requests that have not ended
    bool done_ = false;
    std::string request_id_;
    std::optional<Problem> problem_;
    std::string frames_;
};

}  // namespace hlg::api
