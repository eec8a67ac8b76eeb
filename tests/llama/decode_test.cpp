// Whole decodes with the demo model: the program hlg's own engine, the sampler in a chain on the CPU, and the chain in the graph.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <llama.h>

#include "engine/backend.hpp"
#include "engine/engine.hpp"
#include "hlg/llama.hpp"

namespace hlg::test {
namespace {

using llama::Role;
using Chain = std::unique_ptr<llama_sampler, decltype(&llama_sampler_free)>;
using Context = std::unique_ptr<llama_context, decltype(&llama_free)>;
using Tokens = std::vector<llama_token>;

constexpr int kTokens = 60;

Chain chain_of(std::initializer_list<llama_sampler*> samplers) {
    Chain chain(llama_sampler_chain_init(llama_sampler_chain_default_params()), &llama_sampler_free);
    for (llama_sampler* sampler : samplers) llama_sampler_chain_add(chain.get(), sampler);
    return chain;
}

llama_sampler* part(const Chain& chain, int index) { return llama_sampler_chain_get(chain.get(), index); }

SamplerParams preset(const char* name, std::uint64_t seed) {
    return {.temperature = 0.8, .seed = seed, .hlg = find_preset(name)->params};
}

class Decode : public testing::Test {
protected:
    static void SetUpTestSuite() {
        auto model = engine::Model::load(std::getenv("HLG_TEST_MODEL"));
        ASSERT_TRUE(model) << model.error().message;
        model_ = new engine::Model(std::move(*model));
    }
    static void TearDownTestSuite() {
        delete model_;
        model_ = nullptr;
    }

    /** A context as the engine makes it; with a chain, that chain is attached to it. */
    static Context context(llama_sampler* attached = nullptr) {
        llama_sampler_seq_config config{.seq_id = 0, .sampler = attached};
        llama_context_params params = llama_context_default_params();
        params.n_ctx = 256;
        params.n_batch = params.n_ubatch = 128;
        params.n_seq_max = params.n_outputs_max = 1;
        params.n_threads = params.n_threads_batch = 1;
        params.swa_full = true;
        params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;  // as the engine does for small models, and
        params.type_k = GGML_TYPE_F32;                            // this too
        if (attached != nullptr) {
            params.samplers = &config;
            params.n_samplers = 1;
        }
        return {llama_init_from_model(model_->handle(), params), &llama_free};
    }

    static Tokens prompt() { return model_->tokenize("Once upon a time there was a king who"); }

    static bool feed(llama_context* context, Tokens tokens) {
        return llama_decode(context, llama_batch_get_one(tokens.data(), static_cast<std::int32_t>(tokens.size()))) == 0;
    }

    static Tokens generate(const Chain& chain, llama_context* context) {
        Tokens made;
        bool fed = feed(context, prompt());
        while (fed && made.size() < kTokens) {
            const Draw draw = hlg_llama_sample(chain.get(), context, -1);
            if (draw.status != Status::ok) {
                ADD_FAILURE() << to_string(draw.status);
                break;
            }
            if (model_->is_end(draw.token)) break;
            made.push_back(draw.token);
            fed = feed(context, {draw.token});
        }
        EXPECT_TRUE(fed);
        return made;
    }

    static Tokens on_cpu(const Chain& chain) { return generate(chain, context().get()); }
    static Tokens in_graph(const Chain& chain) { return generate(chain, context(chain.get()).get()); }

    static std::string text(const Tokens& tokens) {
        std::string all;
        for (const llama_token token : tokens) all += model_->piece(token);
        return all;
    }

    static std::string engine_text(const SamplerParams& params) {
        auto engine = engine::Engine::start(*model_, {.context = {.context = 256, .threads = 1}});
        EXPECT_TRUE(engine);
        engine::GenerateRequest request{.prompt = prompt(), .max_tokens = kTokens};
        request.sampling.temperature = params.temperature;
        request.sampling.top_p = params.top_p;
        request.sampling.top_k = params.top_k;
        request.sampling.min_p = params.min_p;
        request.sampling.seed = params.seed;
        if (const auto& curve = params.hlg) {
            request.sampling.hlg = {.enabled = true,
                                    .pivot = curve->pivot,
                                    .pivot_offset = curve->pivot_offset,
                                    .width = curve->width,
                                    .shoulder = curve->shoulder,
                                    .toe = curve->toe,
                                    .toe_shape = curve->toe_shape};
        }
        auto completions = complete(**engine, request);
        EXPECT_TRUE(completions);
        return completions->front().text;
    }

    static inline engine::Model* model_ = nullptr;
};

TEST_F(Decode, TheDrawingRoleWritesWhatTheEngineWrites) {
    for (const char* name : {"balanced", "note"})
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            const Tokens tokens = on_cpu(chain_of({hlg_llama_init(preset(name, seed), Role::draw)}));
            EXPECT_EQ(text(tokens), engine_text(preset(name, seed)));
        }
}

TEST_F(Decode, TheGraphDrawsWhatTheCpuDraws) {
    for (const char* name : {"balanced", "note", "gentle"})
        for (const std::uint32_t seed : {1U, 2U, 3U}) {
            const auto make = [&] {
                return chain_of({hlg_llama_init(preset(name, 0), Role::shape), llama_sampler_init_dist(seed)});
            };
            const Chain attached = make();
            const Tokens tokens = in_graph(attached);
            EXPECT_TRUE(hlg_llama_in_graph(part(attached, 0)));
            EXPECT_STREQ(llama_sampler_name(part(attached, 0)), "+hlg");
            EXPECT_EQ(text(tokens), text(on_cpu(make())));
            EXPECT_GT(tokens.size(), 10U);
        }
}

TEST_F(Decode, TokenOnlyCopiesTheTokenAlone) {
    const auto make = [] {
        return chain_of(
            {hlg_llama_init(preset("balanced", 0), Role::shape), llama_sampler_init_dist(7), hlg_llama_init_token_only()});
    };
    const Chain attached = make();
    const Context context = this->context(attached.get());
    ASSERT_TRUE(feed(context.get(), prompt()));
    EXPECT_TRUE(hlg_llama_in_graph(part(attached, 2)));
    EXPECT_NE(llama_get_sampled_token_ith(context.get(), -1), LLAMA_TOKEN_NULL);
    EXPECT_EQ(llama_get_sampled_logits_count_ith(context.get(), -1), 0U);
    EXPECT_EQ(llama_get_sampled_probs_count_ith(context.get(), -1), 0U);
    EXPECT_EQ(llama_get_sampled_candidates_count_ith(context.get(), -1), 0U);
    const Chain again = make();
    EXPECT_EQ(text(in_graph(again)), text(on_cpu(make())));
}

TEST_F(Decode, GreedyInTheGraphIsGreedyOnTheCpu) {
    const SamplerParams params{.temperature = 0, .hlg = CurveParams{}};
    const Chain attached = chain_of({hlg_llama_init(params, Role::draw)});
    const Tokens tokens = in_graph(attached);
    EXPECT_TRUE(hlg_llama_in_graph(part(attached, 0)));
    EXPECT_EQ(text(tokens), engine_text(params));
    EXPECT_EQ(text(in_graph(chain_of({hlg_llama_init(params, Role::shape), llama_sampler_init_dist(1)}))), text(tokens));
}

TEST_F(Decode, WhatTheGraphCannotDoTheCpuDoes) {
    SamplerParams median = preset("balanced", 4);
    median.hlg->pivot = Pivot::median;
    const Chain shape = chain_of({hlg_llama_init(median, Role::shape), llama_sampler_init_dist(4), hlg_llama_init_token_only()});
    const Tokens shaped = in_graph(shape);
    EXPECT_FALSE(hlg_llama_in_graph(part(shape, 0)));
    EXPECT_STREQ(llama_sampler_name(part(shape, 0)), "-hlg");
    EXPECT_EQ(text(shaped), text(on_cpu(chain_of({hlg_llama_init(median, Role::shape), llama_sampler_init_dist(4)}))));

    const Chain draw = chain_of({hlg_llama_init(preset("balanced", 4), Role::draw)});
    EXPECT_EQ(text(in_graph(draw)), engine_text(preset("balanced", 4)));
    EXPECT_FALSE(hlg_llama_in_graph(part(draw, 0)));
}

TEST_F(Decode, TopKInFrontWorksInTheGraphToo) {
    const auto make = [] {
        return chain_of({llama_sampler_init_top_k(20), hlg_llama_init(preset("balanced", 0), Role::shape),
                         llama_sampler_init_dist(3), hlg_llama_init_token_only()});
    };
    const Chain attached = make();
    const Tokens tokens = in_graph(attached);
    EXPECT_TRUE(hlg_llama_in_graph(part(attached, 3)));
    EXPECT_EQ(tokens.size(), static_cast<std::size_t>(kTokens));
}

// Several outputs of one decode, as speculative decoding asks for, and two sequences of which one sits still.
TEST_F(Decode, SeveralRowsAtOnce) {
    const Chain greedy = chain_of({hlg_llama_init({.temperature = 0}, Role::draw)});
    const Chain shape = chain_of({hlg_llama_init(preset("balanced", 0), Role::shape), llama_sampler_init_dist(1)});
    llama_sampler_seq_config configs[]{{.seq_id = 0, .sampler = greedy.get()}, {.seq_id = 1, .sampler = shape.get()}};
    llama_context_params params = llama_context_default_params();
    params.n_ctx = 256;
    params.n_seq_max = 2;
    params.n_outputs_max = params.n_outputs_max_per_seq = 8;
    params.n_threads = params.n_threads_batch = 1;
    llama_context_params plain = params;
    params.samplers = configs;
    params.n_samplers = 2;
    const Context attached{llama_init_from_model(model_->handle(), params), &llama_free};
    const Context raw{llama_init_from_model(model_->handle(), plain), &llama_free};

    Tokens tokens = prompt();
    std::vector<std::int8_t> wanted(tokens.size(), 0);
    std::fill(wanted.end() - 3, wanted.end(), std::int8_t{1});
    llama_batch batch = llama_batch_get_one(tokens.data(), static_cast<std::int32_t>(tokens.size()));
    batch.logits = wanted.data();
    ASSERT_EQ(llama_decode(attached.get(), batch), 0);
    ASSERT_EQ(llama_decode(raw.get(), batch), 0);
    const std::int32_t vocab = llama_vocab_n_tokens(llama_model_get_vocab(model_->handle()));
    for (std::int32_t i = -3; i < 0; ++i) {
        const float* logits = llama_get_logits_ith(raw.get(), i);
        EXPECT_EQ(llama_get_sampled_token_ith(attached.get(), i), std::max_element(logits, logits + vocab) - logits);
    }
}

/** Bans every token of a vocabulary of this size. */
llama_sampler* ban_all(std::int32_t vocab) {
    std::vector<llama_logit_bias> bans;
    bans.reserve(static_cast<std::size_t>(vocab));
    for (llama_token token = 0; token < vocab; ++token) bans.push_back({token, -INFINITY});
    return llama_sampler_init_logit_bias(vocab, vocab, bans.data());
}

TEST_F(Decode, NothingToDrawIsAnErrorInTheGraphAndOnTheCpu) {
    const std::int32_t vocab = llama_vocab_n_tokens(llama_model_get_vocab(model_->handle()));
    const auto make = [&](llama_sampler* last) {
        const Chain chain =
            chain_of({ban_all(vocab), hlg_llama_init(preset("note", 0), Role::shape), llama_sampler_init_dist(1)});
        if (last != nullptr) llama_sampler_chain_add(chain.get(), last);
        return Chain(llama_sampler_clone(chain.get()), &llama_sampler_free);
    };
    for (const bool attach : {false, true})
        for (const bool close : {false, true}) {
            const Chain chain = make(close ? hlg_llama_init_token_only() : nullptr);
            const Context context = this->context(attach ? chain.get() : nullptr);
            ASSERT_TRUE(feed(context.get(), prompt()));
            EXPECT_EQ(hlg_llama_in_graph(part(chain, 1)), attach);
            const Draw draw = hlg_llama_sample(chain.get(), context.get(), -1);
            EXPECT_EQ(draw.status, Status::no_token);
            EXPECT_EQ(draw.token, -1);
        }
}

// What follows on the CPU must not draw from logits that stayed in the graph.
TEST_F(Decode, AFailureInTheGraphIsNotDrawnOver) {
    const std::int32_t vocab = llama_vocab_n_tokens(llama_model_get_vocab(model_->handle()));
    const Chain chain = chain_of({ban_all(vocab), llama_sampler_init_dist(1), hlg_llama_init_token_only(),
                                  hlg_llama_init(preset("balanced", 0), Role::draw)});
    const Context context = this->context(chain.get());
    ASSERT_TRUE(feed(context.get(), prompt()));
    EXPECT_EQ(hlg_llama_sample(chain.get(), context.get(), -1).status, Status::no_token);
}

}  // namespace
}  // namespace hlg::test
