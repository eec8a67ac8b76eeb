// SPDX-License-Identifier: MIT
#include "eval/engine_source.hpp"

#include <map>
#include <stdexcept>

#include <fmt/core.h>

#include "engine/backend.hpp"
#include "engine/bell.hpp"
#include "eval/sha256.hpp"

namespace hlg::eval {
namespace {

engine::GenerateRequest request_of(const TextJob& job) {
    engine::GenerateRequest request;
    if (const auto* chat = std::get_if<engine::ChatRequest>(&job.prompt))
        request.prompt = *chat;
    else
        request.prompt = std::get<std::string>(job.prompt);
    request.sampling = job.sampling;
    engine::HlgSettings& hlg = request.sampling.hlg;
    if (hlg != engine::HlgSettings{} && !hlg.enabled) hlg.enabled = true;
    request.max_tokens = job.max_tokens;
    request.stop = job.stop;
    if (!job.grammar.empty()) {
        engine::GrammarSpec grammar;
        grammar.gbnf = job.grammar;
        request.constraint = std::move(grammar);
    }
    request.ignore_end = job.ignore_end;
    if (job.log_probabilities) request.log_probabilities = 0;
    return request;
}

/** Whether it is the job that makes no sense, and not everything that is broken. */
bool of_the_job(engine::ErrorCode code) {
    using engine::ErrorCode;
    return code == ErrorCode::prompt_empty || code == ErrorCode::prompt_too_long || code == ErrorCode::bad_request ||
           code == ErrorCode::bad_settings;
}

/** The jobs of one write(). */
class Writing {
public:
    Writing(engine::Engine& engine, std::span<const TextJob> jobs) : engine_(engine), jobs_(jobs) {}

    void run(const TextSource::Take& take, const Progress& progress) {
        // A lane that is done finds its next text waiting.
        const std::size_t window = 2 * engine_.limits().lanes;
        while (given_ < jobs_.size()) {
            while (running_ < window && submitted_ < jobs_.size()) submit();
            const bool news = read_all();
            while (!open_.empty() && open_.begin()->second.ended) give(take);
            if (progress && !progress(static_cast<double>(given_) / static_cast<double>(jobs_.size()))) throw Stopped();
            if (!news) bell_->wait();
        }
    }

private:
    /** A text under way, or done and waiting for those before it. */
    struct Open {
        engine::Ticket ticket;
        engine::ChatMessage message = {};
        WrittenText text = {};
        bool ended = false;
    };

    void submit() {
        Open& open = open_.emplace(submitted_, Open{engine_.submit(request_of(jobs_[submitted_]))}).first->second;
        open.ticket.on_event([bell = bell_] { bell->ring(); });  // the engine may ring when this object has gone
        ++submitted_;
        ++running_;
    }

    /** Takes in every event that is there; whether there was one. */
    bool read_all() {
        bool news = false;
        for (auto& [job, open] : open_) {
            while (!open.ended) {
                std::optional<engine::Event> event = open.ticket.next_for(std::chrono::milliseconds(0), open.ended);
                news = news || event || open.ended;
                if (open.ended) --running_;
                if (!event) break;
                take_in(job, open, *event);
            }
        }
        return news;
    }

    void take_in(std::size_t job, Open& open, engine::Event& event) const {
        if (const auto* failed = std::get_if<engine::ErrorEvent>(&event.what)) {
            if (!of_the_job(failed->error.code))
                throw std::runtime_error(fmt::format("text {}: {}", job + 1, failed->error.message));
            open.text.finish = "error";
            open.text.error = failed->error.message;
        } else if (auto* part = std::get_if<engine::TextEvent>(&event.what)) {
            open.text.text += part->text;
            add(open.text, part->tokens);
        } else if (auto* chat = std::get_if<engine::ChatEvent>(&event.what)) {
            for (const engine::ChatDelta& delta : chat->deltas) open.message.append(delta);
            add(open.text, chat->tokens);
        } else if (auto* last = std::get_if<engine::FinishedEvent>(&event.what)) {
            open.text.finish = engine::to_string(last->reason);
            open.text.prompt_tokens = last->usage.prompt_tokens;
            open.text.generated_tokens = last->usage.generated_tokens;
        }
    }

    static void add(WrittenText& text, std::vector<engine::GeneratedToken>& tokens) {
        for (engine::GeneratedToken& token : tokens)
            if (token.log_probability) text.tokens.push_back({std::move(token.bytes), *token.log_probability});
    }

    void give(const TextSource::Take& take) {
        auto node = open_.extract(open_.begin());
        Open& open = node.mapped();
        if (std::holds_alternative<engine::ChatRequest>(jobs_[node.key()].prompt)) {
            open.text.text = std::move(open.message.content);
            open.text.reasoning = std::move(open.message.reasoning);
            open.text.tool_calls = std::move(open.message.tool_calls);
        }
        ++given_;
        take(node.key(), std::move(open.text));
    }

    engine::Engine& engine_;
    std::span<const TextJob> jobs_;
    std::shared_ptr<engine::Bell> bell_ = std::make_shared<engine::Bell>();
    std::map<std::size_t, Open> open_;
    std::size_t submitted_ = 0;
    std::size_t running_ = 0;
    std::size_t given_ = 0;
};

}  // namespace

EngineSource::EngineSource(std::unique_ptr<engine::Engine> engine, std::string id) : engine_(std::move(engine)) {
    facts_.id = std::move(id);
    facts_.kind = "model";
    facts_.sha256 = sha256_of_file(engine_->model().path());
    facts_.engine = engine::backend_version();
    facts_.vocabulary = engine_->model().vocabulary_size();
}

void EngineSource::write(std::span<const TextJob> jobs, const Take& take, const Progress& progress) {
    Writing(*engine_, jobs).run(take, progress);
}

}  // namespace hlg::eval
