// The public sampler: argument checks in front of the working parts.
#include "hlg/sampler.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <new>

#include "sample/core.hpp"
#include "sample/distribution.hpp"

namespace hlg {
namespace {

constexpr double kMaxTemperature = 100;

// 256 attempt + round must fit the counter's word.
constexpr std::uint32_t kMaxAttempt = 1U << 24;

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.10g", value);
    return text.data();
}

// Runs a call, turning what the standard library may throw into a status.
template <class Call>
Status guarded(const Call& call) noexcept {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        return Status::memory;
    } catch (...) {
        return Status::internal;
    }
}

}  // namespace

std::string_view to_string(Status status) noexcept { return hlg_status_text(static_cast<hlg_status>(status)); }

void validate(const SamplerParams& params) {
    // Written so that NaN fails each of them.
    if (!(params.temperature >= 0 && params.temperature <= kMaxTemperature))
        throw ParameterError("temperature", "must be between 0 and 100", number(params.temperature));
    if (!(params.top_p >= 0 && params.top_p <= 1)) throw ParameterError("top_p", "must be between 0 and 1", number(params.top_p));
    if (params.top_k < -1) throw ParameterError("top_k", "must be >= 0, or -1 for off", std::to_string(params.top_k));
    if (!(params.min_p >= 0 && params.min_p <= 1)) throw ParameterError("min_p", "must be between 0 and 1", number(params.min_p));
    if (params.hlg) validate(*params.hlg);
}

struct Sampler::Impl {
    explicit Impl(const SamplerParams& params) : core(params) {}
    sample::Core core;
};

Sampler::Sampler(const SamplerParams& params) : impl_(std::make_unique<Impl>(params)) {}
Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;

const SamplerParams& Sampler::params() const noexcept { return impl_->core.params(); }

std::uint64_t Sampler::proposals() const noexcept { return impl_->core.proposals(); }

double Sampler::pivot() const noexcept { return impl_->core.pivot(); }

Draw Sampler::draw(const Step& step, Position position) {
    Draw drawn;
    drawn.status = draw_many(step, position, {&drawn.token, 1});
    return drawn;
}

Status Sampler::draw_many(const Step& step, Position first, std::span<std::int32_t> tokens) {
    return guarded([&] {
        if (first.attempt >= kMaxAttempt) return Status::argument;
        if (const Status status = impl_->core.prepare(step); status != Status::ok) return status;
        for (std::int32_t& token : tokens) {
            token = impl_->core.sample(first);
            ++first.index;
        }
        return Status::ok;
    });
}

Status Sampler::probabilities(const Step& step, std::span<double> out) {
    return guarded([&] {
        if (out.size() != step.logits.size()) return Status::argument;
        if (const Status status = impl_->core.prepare(step); status != Status::ok) return status;
        sample::probabilities(impl_->core, out);
        return Status::ok;
    });
}

Status Sampler::shape(const Step& step, std::span<float> out) {
    return guarded([&] {
        if (out.size() != step.logits.size()) return Status::argument;
        if (const Status status = impl_->core.prepare(step); status != Status::ok) return status;
        sample::shaped_logits(impl_->core, step.logits, out);
        return Status::ok;
    });
}

Status Sampler::statistics(const Step& step, double log_prob, Statistics& out) {
    return guarded([&] {
        if (std::isnan(log_prob)) return Status::argument;
        if (const Status status = impl_->core.prepare(step); status != Status::ok) return status;
        out = sample::statistics(impl_->core, step.logits, log_prob);
        return Status::ok;
    });
}

}  // namespace hlg
