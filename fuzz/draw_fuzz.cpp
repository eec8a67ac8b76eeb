// Bytes become settings, logits, edits and a mask; then every call of the sampler has to agree with the rules of its statuses and
// with the others, and every kernel set has to draw the same token.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "hlg/sampler.hpp"
#include "sample/core.hpp"

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "draw_fuzz: %s\n", what);
    std::abort();
}

struct Input {
    hlg::SamplerParams params;
    hlg::Position position;
    std::vector<float> logits;
    std::vector<hlg::Edit> edits;
    std::vector<std::uint32_t> allowed;

    [[nodiscard]] hlg::Step step() const { return {logits, edits, allowed}; }
};

// A setting: mostly inside its range, else any bits at all.
double setting(FuzzedDataProvider& data, double low, double high) {
    switch (data.ConsumeIntegralInRange(0, 7)) {
        case 0: return std::bit_cast<double>(data.ConsumeIntegral<std::uint64_t>());
        case 1: return low;
        case 2: return high;
        case 3: return data.PickValueInArray({0.0, 1e-300, 1e300, 5e-324, 1e-5, 1.0, hlg::off});
        default: return data.ConsumeFloatingPointInRange(low, high);
    }
}

// A logit or a delta: mostly as models have them.
float score(FuzzedDataProvider& data) {
    switch (data.ConsumeIntegralInRange(0, 9)) {
        case 0: return std::bit_cast<float>(data.ConsumeIntegral<std::uint32_t>());
        case 1:
            return data.PickValueInArray({-kInfinity, -std::numeric_limits<float>::max(), -1e30F, 0.0F, -0.0F, 1e-45F, 1e4F,
                                          -1e4F, std::numeric_limits<float>::max(), 65504.0F});
        default: return static_cast<float>(data.ConsumeIntegral<std::int16_t>()) / 1024.0F;
    }
}

std::optional<hlg::CurveParams> curve(FuzzedDataProvider& data) {
    if (data.ConsumeBool()) return std::nullopt;
    hlg::CurveParams params;
    params.pivot = data.PickValueInArray({hlg::Pivot::top, hlg::Pivot::entropy, hlg::Pivot::median});
    if (data.ConsumeBool()) params.pivot_offset = setting(data, -20, 20);
    params.width = setting(data, 0, 10);
    params.shoulder = setting(data, 1e-3, 20);
    params.toe = setting(data, 1e-3, 20);
    params.toe_shape = data.ConsumeBool() ? hlg::ToeShape::fade : hlg::ToeShape::log;
    return params;
}

Input read(FuzzedDataProvider& data) {
    Input input;
    input.params.temperature = setting(data, 0, 10);
    input.params.seed = data.ConsumeIntegral<std::uint64_t>();
    input.params.hlg = curve(data);
    if (data.ConsumeBool()) {
        input.params.top_p = setting(data, 0, 1);
        input.params.top_k = data.ConsumeIntegralInRange<std::int64_t>(-2, 50);
        input.params.min_p = setting(data, 0, 1);
    }
    input.position = {data.ConsumeIntegral<std::uint64_t>(), data.ConsumeIntegral<std::uint32_t>(),
                      data.ConsumeIntegralInRange<std::uint32_t>(0, 1U << 24)};
    const auto vocab = data.ConsumeIntegralInRange<int>(0, 3000);
    const auto own = data.ConsumeIntegralInRange<std::size_t>(0, 400);  // the others repeat them
    for (std::size_t i = 0; i < own && static_cast<int>(i) < vocab; ++i) input.logits.push_back(score(data));
    for (std::size_t i = input.logits.size(); own > 0 && static_cast<int>(i) < vocab; ++i)
        input.logits.push_back(input.logits[i % own]);
    for (int i = data.ConsumeIntegralInRange(0, 20); i > 0; --i)
        input.edits.push_back({data.ConsumeIntegralInRange(-1, std::max(vocab, 1) + (data.ConsumeBool() ? 1 : -1)), score(data)});
    if (data.ConsumeBool())
        for (std::size_t i = data.ConsumeIntegralInRange<std::size_t>(0, vocab / 32 + 2); i > 0; --i)
            input.allowed.push_back(data.ConsumeIntegral<std::uint32_t>());
    return input;
}

// What the rules say of this step; ok where only the result can tell.
hlg::Status expected(const Input& input) {
    if (input.position.attempt >= 1U << 24) return hlg::Status::argument;
    if (input.logits.empty()) return hlg::Status::empty;
    if (!input.allowed.empty() && input.allowed.size() < (input.logits.size() + 31) / 32) return hlg::Status::argument;
    for (const hlg::Edit& edit : input.edits)
        if (edit.token < 0 || edit.token >= static_cast<int>(input.logits.size()) || !(edit.delta < kInfinity))
            return hlg::Status::edit;
    if (std::any_of(input.logits.begin(), input.logits.end(), [](float x) { return std::isnan(x); })) return hlg::Status::nan;
    const float top = *std::max_element(input.logits.begin(), input.logits.end());
    if (top == kInfinity) return hlg::Status::infinite;
    return top == -kInfinity ? hlg::Status::no_token : hlg::Status::ok;
}

void check_status(const Input& input, hlg::Status status) {
    const hlg::Status rule = expected(input);
    if (rule != hlg::Status::ok) return require(status == rule, "a status against the rules");
    if (status == hlg::Status::ok || status == hlg::Status::no_token) return;
    require(status == hlg::Status::edit && !input.edits.empty(), "an error without a reason");  // a sum that overflows
}

void check_distribution(const Input& input, hlg::Sampler& sampler, std::int32_t token) {
    const std::size_t vocab = input.logits.size();
    const auto drawn = static_cast<std::size_t>(token);
    require(token >= 0 && drawn < vocab, "a token outside the vocabulary");
    std::vector<double> p(vocab);
    std::vector<float> shaped(vocab);
    hlg::Statistics statistics;
    require(sampler.probabilities(input.step(), p) == hlg::Status::ok, "probabilities fail where draw does not");
    require(sampler.shape(input.step(), shaped) == hlg::Status::ok, "shape fails where draw does not");
    require(sampler.statistics(input.step(), -9, statistics) == hlg::Status::ok, "statistics fail where draw does not");
    require(p[drawn] > 0, "a token of no probability was drawn");
    // m times a logit near -1e38 is beyond float32: then no shaped logit is finite, and they tell nothing.
    const bool overflow = std::none_of(shaped.begin(), shaped.end(), [](float x) { return std::isfinite(x); });
    require(overflow || shaped[drawn] > -kInfinity, "a token without a shaped logit was drawn");
    require(std::all_of(p.begin(), p.end(), [](double q) { return q >= 0 && q <= 1; }), "a probability outside 0 to 1");
    require(std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1) < 1e-9, "probabilities do not sum to 1");
    for (std::size_t i = 0; i < vocab; ++i) {
        require(!std::isnan(shaped[i]), "a shaped logit is NaN");
        require(overflow || p[i] == 0 || shaped[i] > -kInfinity, "a probability without a shaped logit");
        if (!input.allowed.empty())
            require(p[i] == 0 || (input.allowed[i / 32] >> (i % 32) & 1U) != 0, "a refused token has mass");
    }
    require(statistics.entropy >= 0 && statistics.top1 > 0 && statistics.collision > 0, "statistics out of range");
    require(statistics.mass_below >= 0 && statistics.mass_below <= 1 + 1e-9, "mass_below out of range");
}

void check_kernels(const Input& input, std::int32_t token) {
    for (const hlg::sample::Kernels* kernels : hlg::sample::available_kernels()) {
        hlg::sample::Core core(input.params, *kernels);
        require(core.prepare(input.step()) == hlg::Status::ok, "a kernel set fails");
        require(core.sample(input.position) == token, "kernel sets draw different tokens");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    const Input input = read(data);
    try {
        hlg::Sampler sampler(input.params);
        const hlg::Draw draw = sampler.draw(input.step(), input.position);
        check_status(input, draw.status);
        require(draw.status == hlg::Status::ok || draw.token == -1, "a token beside an error");
        if (draw.status != hlg::Status::ok) return 0;
        check_distribution(input, sampler, draw.token);
        check_kernels(input, draw.token);
    } catch (const hlg::ParameterError&) {
        return 0;
    }
    return 0;
}
