// SPDX-License-Identifier: MIT
#include "engine/generate_task.hpp"

#include <cmath>

#include "engine/sampling_error.hpp"

namespace hlg::engine {
namespace {

std::vector<Edit> with(std::vector<Edit> edits, const std::vector<Edit>& more) {
    edits.insert(edits.end(), more.begin(), more.end());
    return edits;
}

}  // namespace

GenerateTask::GenerateTask(std::shared_ptr<Stream> stream, std::size_t choice, std::shared_ptr<const GeneratePlan> plan,
                           const Model& model, std::size_t context)
    : Task(std::move(stream), choice, plan->prompt),
      plan_(std::move(plan)),
      model_(model),
      context_(context),
      sampler_(plan_->settings.params),
      edits_(plan_->settings.penalties, with(plan_->settings.logit_bias, plan_->banned), plan_->prompt),
      grammar_(plan_->grammar),
      text_(plan_->stop) {}

Result<Token> GenerateTask::draw(std::span<const float> logits) {
    const Step step{.logits = logits, .edits = edits_.edits(logits)};
    const Position position{.index = generated(), .choice = static_cast<std::uint32_t>(choice())};
    ConstrainedDraw drawn;
    if (grammar_)
        drawn = constrained_draw(sampler_, step, position, *grammar_, scratch_);
    else
        drawn.draw = sampler_.draw(step, position);
    if (drawn.failure) return Error{ErrorCode::bad_request, std::move(drawn.failure->message)};  // the request's own grammar
    if (drawn.draw.status != Status::ok) return sampling_error(drawn.draw.status);
    return drawn.draw.token;
}

// Where on the curve the drawn token's logit lies.
void GenerateTask::count_draw(float logit) {
    const double z = static_cast<double>(logit) - sampler_.pivot();
    if (std::isnan(z)) return;
    const double width = plan_->settings.params.hlg->width;
    ++(z > width ? draws_.shoulder : z < -width ? draws_.toe : draws_.mid);
}

void GenerateTask::take(std::size_t /*position*/, std::span<const float> logits) {
    if (generated() == 0) first_draw_ = Clock::now();
    if (plan_->max_tokens && generated() >= *plan_->max_tokens) return finish(Finish::length);
    const Clock::time_point start = Clock::now();
    const Result<Token> token = draw(logits);
    draws_.seconds += seconds(start, Clock::now());
    if (!token) return fail(token.error());
    count_draw(logits[static_cast<std::size_t>(*token)]);
    if (model_.is_end(*token)) return finish(Finish::stop);
    if (grammar_) {
        if (Failure failure = grammar_->accept(*token)) return fail(std::move(*failure));
    }
    accept(*token, logits);
    if (text_.stopped()) return finish(Finish::stop);
    if (plan_->max_tokens && generated() >= *plan_->max_tokens) return finish(Finish::length);
    // The token just shown needs a place in the context before the next one can be scored.
    if (tokens_.size() > context_) return finish(Finish::context);
}

void GenerateTask::accept(Token token, std::span<const float> logits) {
    tokens_.push_back(token);
    edits_.accept(token);
    GeneratedToken told{token, model_.piece(token), std::nullopt, {}};
    if (plan_->log_probabilities && log_probabilities_.read(logits) == Status::ok) {
        told.log_probability = log_probabilities_.of(token);
        told.highest = log_probabilities_.highest(*plan_->log_probabilities);
    }
    std::string text = text_.push(told.bytes);
    bytes_ += told.bytes.size();
    pending_.push_back({std::move(told), bytes_});
    show(std::move(text), false);
}

// Tells the text, and the tokens that are wholly shown with it; at the end all that are left.
void GenerateTask::show(std::string text, bool all) {
    TextEvent event{std::move(text), {}};
    const std::size_t shown = text_.stopped() ? 0 : bytes_ - text_.held();
    while (!pending_.empty() && (all || (!text_.stopped() && pending_.front().end <= shown))) {
        event.tokens.push_back(std::move(pending_.front().token));
        pending_.pop_front();
    }
    if (!event.text.empty() || !event.tokens.empty()) push({choice(), std::move(event)});
}

void GenerateTask::finish(Finish reason) {
    show(text_.finish(), true);
    FinishedEvent last;
    last.reason = reason;
    last.stop = text_.stopped();
    last.seed = plan_->settings.params.seed;
    last.ignored = plan_->settings.ignored;
    last.usage = usage();
    end({choice(), std::move(last)});
}

Usage GenerateTask::usage() const {
    Usage usage = prompt_usage();
    usage.generated_tokens = generated();
    if (first_draw_ == Clock::time_point{}) return usage;
    usage.prompt_seconds = seconds(started_, first_draw_);
    usage.generate_seconds = seconds(first_draw_, Clock::now());
    return usage;
}

}  // namespace hlg::engine
