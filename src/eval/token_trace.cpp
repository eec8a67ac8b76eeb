// SPDX-License-Identifier: MIT
#include "eval/token_trace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "engine/penalties.hpp"
#include "engine/teacher.hpp"
#include "engine/utf8.hpp"
#include "eval/context.hpp"
#include "eval/progress.hpp"
#include "hlg/sampler.hpp"

namespace hlg::eval {
namespace {

/** The draw's settings without curve and truncation. */
SamplerParams plain(const SamplerParams& params) {
    SamplerParams temperature;
    temperature.temperature = params.temperature;
    return temperature;
}

class Tracer {
public:
    Tracer(const engine::Model& model, std::span<const engine::Token> prompt, const engine::ResolvedSettings& settings)
        : model_(model),
          sampler_(settings.params),
          plain_(plain(settings.params)),
          curve_(settings.params.hlg ? Curve(*settings.params.hlg) : Curve()),
          edits_(settings.penalties, settings.logit_bias, prompt),
          q_(model.vocabulary_size()),
          temperature_(q_.size()) {}

    void take(engine::Token token, std::span<const float> logits) {
        const Step step{.logits = logits, .edits = edits_.edits(logits), .allowed = {}};
        if (sampler_.probabilities(step, q_) != Status::ok || plain_.probabilities(step, temperature_) != Status::ok)
            throw std::runtime_error("the model's logits can't be drawn from");
        const Context context = make_context(logits);
        const auto drawn = static_cast<std::size_t>(token);
        const float top = *std::max_element(logits.begin(), logits.end());
        const double depth = static_cast<double>(logits[drawn]) - static_cast<double>(top);
        add_means(context, logits, top);
        const double log_p = depth + context.log_p.front();
        trace_.means.surprisal -= log_p;
        trace_.tokens.push_back({characters_.push(model_.piece(token)), std::exp(log_p), q_[drawn], region(logits[drawn])});
        edits_.accept(token);
    }

    [[nodiscard]] Trace finish() {
        const auto n = static_cast<double>(trace_.tokens.size());
        TraceMeans& m = trace_.means;
        for (double* sum : {&m.entropy, &m.surprisal, &m.kl, &m.top1, &m.collision, &m.tail}) *sum /= n;
        return std::move(trace_);
    }

private:
    void add_means(const Context& context, std::span<const float> logits, float top) {
        const std::size_t tail = context.tail_from.front();
        const double tail_below = tail < context.groups() ? context.logit[tail] : -std::numeric_limits<double>::infinity();
        TraceMeans& m = trace_.means;
        for (std::size_t i = 0; i < q_.size(); ++i) {
            const double q = q_[i];
            if (!(q > 0)) continue;
            m.entropy -= q * std::log(q);
            if (temperature_[i] > 0) m.kl += q * std::log(q / temperature_[i]);
            m.collision += q * q;
            if (static_cast<double>(logits[i]) - static_cast<double>(top) <= tail_below) m.tail += q;
        }
        m.top1 += q_[static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin())];
    }

    [[nodiscard]] std::string region(float logit) const {
        const double z = static_cast<double>(logit) - sampler_.pivot();
        if (std::isnan(z)) return {};  // no curve was at work
        return z > curve_.width() ? "shoulder" : z < -curve_.width() ? "toe" : "mid";
    }

    const engine::Model& model_;
    Sampler sampler_;
    Sampler plain_;
    Curve curve_;
    engine::EditList edits_;
    engine::Utf8Assembler characters_;
    std::vector<double> q_;
    std::vector<double> temperature_;
    Trace trace_;
};

}  // namespace

Trace trace_text(const engine::Model& model, const engine::ContextOptions& options, std::span<const engine::Token> prompt,
                 std::span<const engine::Token> text, const engine::ResolvedSettings& settings, const std::atomic<bool>& abort) {
    if (prompt.empty()) throw std::invalid_argument("a text without a prompt has no first distribution");
    Tracer tracer(model, prompt, settings);
    std::vector<engine::Token> all(prompt.begin(), prompt.end());
    all.insert(all.end(), text.begin(), text.end());
    const auto visit = [&](std::size_t place, std::span<const float> logits) {
        if (place + 1 >= prompt.size() && place + 1 < all.size()) tracer.take(all[place + 1], logits);
    };
    const engine::Failure failure = engine::read_text(model, options, all, visit, abort);
    if (failure && failure->code == engine::ErrorCode::interrupted) throw Stopped();
    if (failure) throw std::runtime_error(failure->message);
    return tracer.finish();
}

}  // namespace hlg::eval
