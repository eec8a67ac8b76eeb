#include "bench/subjects.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>

#include "bench/rival.hpp"
#include "hlg/sampler.hpp"

namespace hlg::bench {
namespace {

// Enough calls that the clock's own 20 to 30 ns vanish, enough rounds that a median shrugs off what else the machine does.
constexpr int kDrawCalls = 16;
constexpr int kDrawRounds = 51;
// A rival's token takes 200 to 2,000 us, a whole distribution as much.
constexpr int kSlowCalls = 1;
constexpr int kSlowRounds = 11;

SamplerParams temperature(double value) {
    SamplerParams params;
    params.temperature = value;
    params.seed = 42;
    return params;
}

SamplerParams curve(const CurveParams& knobs) {
    SamplerParams params = temperature(1);
    params.hlg = knobs;
    return params;
}

CurveParams preset(const char* name) {
    const Preset* const found = find_preset(name);
    if (found == nullptr) throw std::logic_error(std::string("no preset ") + name);
    return found->params;
}

CurveParams balanced_at(Pivot pivot) {
    CurveParams knobs = preset("balanced");
    knobs.pivot = pivot;
    return knobs;
}

// The entropy pivot is the default-to-be; from the top the same amount of curve sits further up.
CurveParams fade_at_top() { return {Pivot::top, 5.0, 1.0, 2.0, 2.0, ToeShape::fade}; }

SamplerParams classic() {
    SamplerParams params = temperature(0.8);
    params.top_k = 40;
    params.top_p = 0.95;
    params.min_p = 0.05;
    return params;
}

// What a repetition penalty looks like to the sampler: the tokens of the recent text lose half a nat. Half of them are among the
// model's favourites, as a text's own words are, the others anywhere.
std::vector<Edit> penalties(const Context& context, std::size_t count) {
    const auto logits = context.logits();
    std::vector<std::int32_t> order(logits.size());
    std::iota(order.begin(), order.end(), 0);
    const auto better = [&](std::int32_t a, std::int32_t b) {
        return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)];
    };
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(2 * count), order.end(), better);
    std::mt19937_64 random(context.vocab + count);
    std::vector<std::int32_t> chosen;
    for (std::size_t i = 0; i < count / 2; ++i) chosen.push_back(order[static_cast<std::size_t>(random() % (2 * count))]);
    while (chosen.size() < count) chosen.push_back(static_cast<std::int32_t>(random() % logits.size()));
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    std::vector<Edit> edits;
    edits.reserve(chosen.size());
    for (const std::int32_t token : chosen) edits.push_back({token, -0.5F});
    return edits;
}

std::int32_t checked(Draw drawn) {
    if (drawn.status != Status::ok) throw std::runtime_error(std::string(to_string(drawn.status)));
    return drawn.token;
}

Subject draw(std::string name, std::string label, const SamplerParams& params, std::size_t edit_count = 0) {
    const auto start = [params, edit_count](const Context& context) -> DrawToken {
        const auto sampler = std::make_shared<Sampler>(params);
        const auto edits =
            std::make_shared<std::vector<Edit>>(edit_count > 0 ? penalties(context, edit_count) : std::vector<Edit>());
        return [sampler, edits, logits = context.logits()](std::uint64_t index) {
            return checked(sampler->draw({.logits = logits, .edits = *edits}, {.index = index}));
        };
    };
    return {std::move(name), std::move(label), Subject::Kind::draw, kDrawCalls, kDrawRounds, start};
}

Subject probabilities(std::string name, std::string label, const SamplerParams& params) {
    const auto start = [params](const Context& context) -> DrawToken {
        const auto sampler = std::make_shared<Sampler>(params);
        const auto out = std::make_shared<std::vector<double>>(context.vocab);
        return [sampler, out, logits = context.logits()](std::uint64_t) {
            return checked({sampler->probabilities({.logits = logits}, *out), 0});
        };
    };
    return {std::move(name), std::move(label), Subject::Kind::whole, kSlowCalls, kSlowRounds, start};
}

Subject shape(std::string name, std::string label, const SamplerParams& params) {
    const auto start = [params](const Context& context) -> DrawToken {
        const auto sampler = std::make_shared<Sampler>(params);
        const auto out = std::make_shared<std::vector<float>>(context.vocab);
        return [sampler, out, logits = context.logits()](std::uint64_t) {
            return checked({sampler->shape({.logits = logits}, *out), 0});
        };
    };
    return {std::move(name), std::move(label), Subject::Kind::whole, kSlowCalls, kSlowRounds, start};
}

Subject rival(std::string name, std::string label, Rival::Chain chain) {
    const auto start = [chain](const Context& context) -> DrawToken {
        const auto sampler = std::make_shared<Rival>(chain);
        return [sampler, logits = context.logits()](std::uint64_t) { return sampler->draw(logits); };
    };
    return {std::move(name), std::move(label), Subject::Kind::rival, kSlowCalls, kSlowRounds, start};
}

}  // namespace

std::vector<Subject> subjects() {
    return {
        draw("temperature", "temperature 1", temperature(1)),
        draw("hlg_top_note", "HLG top, log toe (note)", curve(preset("note"))),
        draw("hlg_top_fade", "HLG top, fade toe", curve(fade_at_top())),
        draw("hlg_entropy", "HLG entropy (balanced)", curve(preset("balanced"))),
        draw("hlg_median", "HLG median", curve(balanced_at(Pivot::median))),
        draw("temperature_64_edits", "temperature 1, 64 penalties", temperature(1), 64),
        draw("temperature_1000_edits", "temperature 1, 1,000 penalties", temperature(1), 1000),
        draw("hlg_entropy_64_edits", "HLG entropy, 64 penalties", curve(preset("balanced")), 64),
        draw("classic", "top_p .95, top_k 40, min_p .05, T .8", classic()),
        rival(kRivalTemperature, "llama.cpp temp 1 -> dist", Rival::Chain::temperature),
        rival(kRivalUsual, "llama.cpp default chain, T .8", Rival::Chain::usual),
        probabilities("probabilities", "probabilities(), HLG entropy", curve(preset("balanced"))),
        shape("shape", "shape(), HLG entropy", curve(preset("balanced"))),
    };
}

}  // namespace hlg::bench
