// The rules that llama.cpp has as well, against llama.cpp's own samplers, token by token.
#include "eval/rules.hpp"

#include <llama.h>

#include <gtest/gtest.h>

#include "eval/expand.hpp"

namespace hlg::eval {
namespace {

struct Free {
    void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
};
using Pointer = std::unique_ptr<llama_sampler, Free>;

/** One after the other on these logits; the softmax of what is left, [vocab]. */
std::vector<double> by_llama(const std::vector<llama_sampler*>& chain, std::span<const float> logits,
                             llama_token* selected = nullptr) {
    std::vector<llama_token_data> data;
    for (std::size_t i = 0; i < logits.size(); ++i) data.push_back({static_cast<llama_token>(i), logits[i], 0.0F});
    llama_token_data_array array{data.data(), data.size(), -1, false};
    for (llama_sampler* sampler : chain) llama_sampler_apply(sampler, &array);
    if (selected != nullptr) *selected = array.data[array.selected].id;
    double top = -HUGE_VAL;
    for (std::size_t i = 0; i < array.size; ++i) top = std::max(top, static_cast<double>(array.data[i].logit));
    std::vector<double> q(logits.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < array.size; ++i)
        sum += q[static_cast<std::size_t>(array.data[i].id)] = std::exp(static_cast<double>(array.data[i].logit) - top);
    for (double& one : q) one /= sum;
    return q;
}

void expect_same(const std::vector<double>& found, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i] > 0, expected[i] > 0) << "token " << i;
        ASSERT_NEAR(found[i], expected[i], 2e-4 * expected[i] + 1e-9) << "token " << i;
    }
}

/** Shapes with no two equal logits, which llama.cpp would cut in any order. */
std::vector<std::vector<float>> shapes() {
    return {random_logits(1000, 1.5, 5, 1), random_logits(1000, 2.5, 1, 2), random_logits(300, 0.7, 0, 3)};
}

/** A rule beside a llama.cpp sampler that comes before temperature. */
void compare(const SamplerPointer& rule, const Pointer& theirs) {
    for (const std::vector<float>& logits : shapes())
        for (const float temperature : {0.8F, 1.0F, 1.5F}) {
            const Pointer temp(llama_sampler_init_temp(temperature));
            expect_same(drawn_from(*rule, logits, static_cast<double>(temperature)),
                        by_llama({theirs.get(), temp.get()}, logits));
        }
}

TEST(Rivals, Cuts) {
    compare(top_k_rule(20), Pointer(llama_sampler_init_top_k(20)));
    compare(top_p_rule(0.9), Pointer(llama_sampler_init_top_p(0.9F, 1)));
    compare(min_p_rule(0.03), Pointer(llama_sampler_init_min_p(0.03F, 1)));
    compare(typical_rule(0.9), Pointer(llama_sampler_init_typical(0.9F, 1)));
    compare(typical_rule(0.3), Pointer(llama_sampler_init_typical(0.3F, 1)));
    compare(top_n_sigma_rule(1), Pointer(llama_sampler_init_top_n_sigma(1.0F)));
    compare(top_n_sigma_rule(2.5), Pointer(llama_sampler_init_top_n_sigma(2.5F)));
}

TEST(Rivals, Xtc) {
    compare(xtc_rule(0.05, 1), Pointer(llama_sampler_init_xtc(1.0F, 0.05F, 1, 7)));
    compare(xtc_rule(0.2, 1), Pointer(llama_sampler_init_xtc(1.0F, 0.2F, 1, 7)));
    compare(xtc_rule(0.05, 0), Pointer(llama_sampler_init_xtc(0.0F, 0.05F, 1, 7)));
}

TEST(Rivals, DynamicTemperature) {
    for (const std::vector<float>& logits : shapes())
        for (const float temperature : {0.8F, 1.5F})
            for (const float range : {0.3F, 0.9F})
                for (const float exponent : {1.0F, 0.5F}) {
                    const Pointer cut(llama_sampler_init_min_p(0.02F, 1));
                    const Pointer temp(llama_sampler_init_temp_ext(temperature, range * temperature, exponent));
                    const SamplerPointer rule =
                        dynamic_temperature_rule(0.02, static_cast<double>(range), static_cast<double>(exponent));
                    expect_same(drawn_from(*rule, logits, static_cast<double>(temperature)),
                                by_llama({cut.get(), temp.get()}, logits));
                }
}

TEST(Rivals, MirostatAtTheStart) {
    for (const std::vector<float>& logits : shapes())
        for (const float tau : {0.5F, 2.0F, 4.0F}) {
            const Pointer temp(llama_sampler_init_temp(1.3F));
            const Pointer theirs(llama_sampler_init_mirostat_v2(7, tau, 0.1F));
            expect_same(drawn_from(*mirostat_rule(static_cast<double>(tau), 0.1), logits, 1.3),
                        by_llama({temp.get(), theirs.get()}, logits));
        }
}

/** llama.cpp's state after many draws from one distribution is near the one that moves by the mean. */
TEST(Rivals, MirostatSettlesWhereItsMeanSettles) {
    const std::vector<float> logits = random_logits(1000, 1.5, 5, 1);
    const Context context = make_context(logits);
    const SamplerPointer rule = mirostat_rule(2.0, 0.05);
    const Candidates left = rule->candidates(context);
    SamplerState state = rule->start();
    Distribution ours;
    const Pointer theirs(llama_sampler_init_mirostat_v2(7, 2.0F, 0.05F));
    double mean_theirs = 0.0;
    double mean_ours = 0.0;
    constexpr int steps = 600;
    for (int i = 0; i < steps; ++i) {
        heat(left, 1.0, ours);
        rule->finish(context, left, state, ours);
        const std::vector<double> q = by_llama({theirs.get()}, logits);
        if (i < 100) continue;
        mean_ours += *std::max_element(ours.q.begin(), ours.q.end());
        mean_theirs += *std::max_element(q.begin(), q.end());
    }
    EXPECT_NEAR(mean_ours / (steps - 100), mean_theirs / (steps - 100), 0.03);
}

TEST(Rivals, AdaptivePAtTheStart) {
    for (const std::vector<float>& logits : shapes())
        for (const float target : {0.1F, 0.5F}) {
            const Pointer cut(llama_sampler_init_min_p(0.02F, 1));
            const Pointer temp(llama_sampler_init_temp(1.2F));
            const Pointer theirs(llama_sampler_init_adaptive_p(target, 0.9F, 7));
            const SamplerPointer rule = adaptive_p_rule(0.02, static_cast<double>(target), 0.9);
            expect_same(drawn_from(*rule, logits, 1.2), by_llama({cut.get(), temp.get(), theirs.get()}, logits));
        }
}

TEST(Rivals, AdaptivePSettlesWhereItsMeanSettles) {
    const std::vector<float> logits = random_logits(1000, 1.5, 5, 1);
    const Context context = make_context(logits);
    const SamplerPointer rule = adaptive_p_rule(0.02, 0.15, 0.9);
    const Candidates left = rule->candidates(context);
    SamplerState state = rule->start();
    Distribution ours;
    const Pointer cut(llama_sampler_init_min_p(0.02F, 1));
    const Pointer theirs(llama_sampler_init_adaptive_p(0.15F, 0.9F, 7));
    double mean_theirs = 0.0;
    double mean_ours = 0.0;
    constexpr int steps = 600;
    for (int i = 0; i < steps; ++i) {
        heat(left, 1.0, ours);
        rule->finish(context, left, state, ours);
        llama_token selected = -1;
        const std::vector<double> q = by_llama({cut.get(), theirs.get()}, logits, &selected);
        llama_sampler_accept(theirs.get(), selected);
        if (i < 100) continue;
        mean_ours += ours.q.front();
        mean_theirs += q[static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin())];
    }
    EXPECT_NEAR(mean_ours / (steps - 100), mean_theirs / (steps - 100), 0.05);
}

}  // namespace
}  // namespace hlg::eval
