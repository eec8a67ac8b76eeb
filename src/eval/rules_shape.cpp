// SPDX-License-Identifier: MIT
//
// Rules that change scores, or act after temperature.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "eval/rules.hpp"

namespace hlg::eval {
namespace {

class HlgRule final : public Sampler {
public:
    explicit HlgRule(const CurveParams& params) : curve_(params) {}

    [[nodiscard]] Candidates candidates(const Context& context) const override {
        Candidates left = temperature_rule()->candidates(context);
        if (curve_.identity()) return left;
        const double pivot = context.anchor(curve_.pivot()) - curve_.offset();
        for (double& score : left.score) score += curve_.rho(score - pivot);
        return left;
    }

private:
    Curve curve_;
};

class QuadraticRule final : public Sampler {
public:
    QuadraticRule(double factor, double curve) : square_(factor * (3.0 - curve) / 2.0), cube_(factor * (curve - 1.0) / 2.0) {}

    [[nodiscard]] Candidates candidates(const Context& context) const override {
        Candidates left = temperature_rule()->candidates(context);
        for (double& d : left.score) d = -square_ * d * d + cube_ * d * d * d;
        return left;
    }

private:
    double square_;
    double cube_;
};

class DynamicTemperatureRule final : public Sampler {
public:
    DynamicTemperatureRule(double min_p, double range, double exponent)
        : cut_(min_p_rule(min_p)), range_(range), exponent_(exponent) {}

    [[nodiscard]] Candidates candidates(const Context& context) const override {
        Candidates left = cut_->candidates(context);
        double tokens = 0.0;
        for (const double count : left.count) tokens += count;
        // One token: llama.cpp leaves its score alone, and any temperature gives the same.
        const double share = tokens > 1 ? heated_entropy(left, 1.0) / std::log(tokens) : 1.0;
        // At a range of 1 a sure context would have temperature 0.
        left.factor = std::max(1e-3, 1.0 - range_ + 2.0 * range_ * std::pow(std::max(share, 0.0), exponent_));
        return left;
    }

private:
    SamplerPointer cut_;
    double range_;
    double exponent_;
};

class PLessRule final : public Sampler {
public:
    [[nodiscard]] Candidates candidates(const Context& context) const override { return temperature_rule()->candidates(context); }
    [[nodiscard]] bool finishes() const noexcept override { return true; }

    void finish(const Context& /*context*/, const Candidates& left, SamplerState& /*state*/,
                Distribution& distribution) const override {
        double agree = 0.0;
        for (std::size_t i = 0; i < left.cells(); ++i) agree += left.count[i] * distribution.q[i] * distribution.q[i];
        // Rounding must not cut the tokens of a uniform distribution, whose probability the threshold is.
        for (double& q : distribution.q)
            if (q < agree * (1.0 - 1e-12)) q = 0.0;
        normalise(left, distribution);
    }
};

class MirostatRule final : public Sampler {
public:
    MirostatRule(double tau, double eta) : tau_(tau), eta_(eta) {}
    [[nodiscard]] Candidates candidates(const Context& context) const override { return temperature_rule()->candidates(context); }
    [[nodiscard]] bool finishes() const noexcept override { return true; }
    [[nodiscard]] bool stateful() const noexcept override { return true; }
    [[nodiscard]] SamplerState start() const noexcept override { return {2.0 * tau_, 0.0}; }

    void finish(const Context& /*context*/, const Candidates& left, SamplerState& state,
                Distribution& distribution) const override {
        for (std::size_t i = 0; i < left.cells(); ++i)
            if (-distribution.log_q[i] / std::numbers::ln2 > state.first) {
                distribution.q[i] = 0.0;
                if (i == 0) distribution.q[i] = 1.0 / left.count[i];  // one token stays, whatever mu says
            }
        normalise(left, distribution);
        double surprise = 0.0;
        for (std::size_t i = 0; i < left.cells(); ++i)
            if (distribution.q[i] > 0) surprise -= left.count[i] * distribution.q[i] * distribution.log_q[i] / std::numbers::ln2;
        state.first -= eta_ * (surprise - tau_);
    }

private:
    double tau_;
    double eta_;
};

class AdaptivePRule final : public Sampler {
public:
    AdaptivePRule(double min_p, double target, double decay) : cut_(min_p_rule(min_p)), target_(target), decay_(decay) {}
    [[nodiscard]] Candidates candidates(const Context& context) const override { return cut_->candidates(context); }
    [[nodiscard]] bool finishes() const noexcept override { return true; }
    [[nodiscard]] bool stateful() const noexcept override { return true; }
    [[nodiscard]] SamplerState start() const noexcept override { return {target_ / (1.0 - decay_), 1.0 / (1.0 - decay_)}; }

    void finish(const Context& /*context*/, const Candidates& left, SamplerState& state,
                Distribution& distribution) const override {
        constexpr double width = 0.3;  // these three are llama.cpp's
        constexpr double peak = 5.0;
        constexpr double sharpness = 10.0;
        const double target = std::clamp(2.0 * target_ - state.first / state.second, 0.0, 1.0);
        const std::vector<double> before = distribution.q;
        for (double& q : distribution.q) {
            const double distance = std::abs(q - target) / width;
            q = std::exp(peak - sharpness * distance * distance / (1.0 + distance));
        }
        normalise(left, distribution);
        double drawn = 0.0;
        for (std::size_t i = 0; i < left.cells(); ++i) drawn += left.count[i] * distribution.q[i] * before[i];
        state.first = drawn + decay_ * state.first;
        state.second = 1.0 + decay_ * state.second;
    }

private:
    SamplerPointer cut_;
    double target_;
    double decay_;
};

}  // namespace

SamplerPointer hlg_rule(const CurveParams& params) { return std::make_shared<HlgRule>(params); }

SamplerPointer quadratic_rule(double factor, double curve) { return std::make_shared<QuadraticRule>(factor, curve); }

SamplerPointer dynamic_temperature_rule(double min_p, double range, double exponent) {
    return std::make_shared<DynamicTemperatureRule>(min_p, range, exponent);
}

SamplerPointer p_less_rule() { return std::make_shared<PLessRule>(); }

SamplerPointer mirostat_rule(double tau, double eta) { return std::make_shared<MirostatRule>(tau, eta); }

SamplerPointer adaptive_p_rule(double min_p, double target, double decay) {
    return std::make_shared<AdaptivePRule>(min_p, target, decay);
}

}  // namespace hlg::eval
