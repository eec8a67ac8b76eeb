// SPDX-License-Identifier: MIT
#include "api/sampling_fields.hpp"

#include <limits>

#include "api/reading.hpp"

namespace hlg::api {
namespace {

constexpr float ban = -std::numeric_limits<float>::infinity();

SamplingFields read(const Node& body) { return read_sampling(body, 1000); }

SamplingFields of(const std::string& members) { return test::accepted("{" + members + "}", read); }

std::string refused(const std::string& members) { return test::refusal("{" + members + "}", read); }

TEST(SamplingFields, NothingIsSetByNothing) {
    for (const char* members :
         {"",
          R"("temperature": null, "top_p": null, "top_k": null, "min_p": null, "seed": null, "logit_bias": null, "hlg": null)",
          R"("seed": -1)", R"("user": 5, "metadata": {}, "unknown": [1])"}) {
        const SamplingFields fields = of(members);
        EXPECT_FALSE(fields.settings.temperature || fields.settings.top_p || fields.settings.top_k || fields.settings.min_p);
        EXPECT_FALSE(fields.settings.seed || fields.settings.logit_bias || fields.settings.repeat_penalty);
        EXPECT_EQ(fields.settings.hlg, engine::HlgSettings());
        EXPECT_TRUE(fields.ignored.empty());
        EXPECT_FALSE(fields.negative_seed);
    }
}

TEST(SamplingFields, Taken) {
    const auto settings = of(R"("temperature": 100, "top_p": 0, "top_k": 40.0, "min_p": 1, "repeat_penalty": 1.1,
        "repeat_last_n": -1, "presence_penalty": -2, "frequency_penalty": 2, "seed": 18446744073709551615, "hlg": true)")
                              .settings;
    EXPECT_EQ(settings.temperature, 100.0);
    EXPECT_EQ(settings.top_p, 0.0);
    EXPECT_EQ(settings.top_k, 40);
    EXPECT_EQ(settings.min_p, 1.0);
    EXPECT_EQ(settings.repeat_penalty, 1.1);
    EXPECT_EQ(settings.repeat_last_n, -1);
    EXPECT_EQ(settings.presence_penalty, -2.0);
    EXPECT_EQ(settings.frequency_penalty, 2.0);
    EXPECT_EQ(settings.seed, 18446744073709551615U);
    EXPECT_EQ(settings.hlg.enabled, true);
    EXPECT_EQ(of(R"("top_k": -1)").settings.top_k, -1);
    EXPECT_EQ(of(R"("repetition_penalty": 1.2)").settings.repeat_penalty, 1.2);
}

TEST(SamplingFields, Refused) {
    const std::pair<const char*, const char*> cases[] = {
        {R"("temperature": -0.1)", "temperature must be a number from 0 to 100, got -0.1"},
        {R"("temperature": 100.5)", "temperature must be a number from 0 to 100, got 100.5"},
        {R"("temperature": "1")", "temperature must be a number from 0 to 100, got \"1\""},
        {R"("top_p": 1.1)", "top_p must be a number from 0 to 1, got 1.1"},
        {R"("top_k": -2)", "top_k must be an integer, -1 to 9223372036854775807; 0 and -1 are off, got -2"},
        {R"("top_k": 1e30)", "top_k must be an integer, -1 to 9223372036854775807; 0 and -1 are off, got 1e+30"},
        {R"("top_k": 9223372036854775808)",
         "top_k must be an integer, -1 to 9223372036854775807; 0 and -1 are off, got 9223372036854775808"},
        {R"("top_k": 1.5)", "top_k must be an integer, -1 to 9223372036854775807; 0 and -1 are off, got 1.5"},
        {R"("min_p": -1)", "min_p must be a number from 0 to 1, got -1"},
        {R"("repeat_penalty": 0)", "repeat_penalty must be a number from 0.01 to 100, got 0"},
        {R"("repetition_penalty": -1)", "repetition_penalty must be a number from 0.01 to 100, got -1"},
        {R"("repeat_last_n": -2)", "repeat_last_n must be an integer, -1 to 9223372036854775807; -1 is all, 0 off, got -2"},
        {R"("presence_penalty": 2.5)", "presence_penalty must be a number from -2 to 2, got 2.5"},
        {R"("frequency_penalty": -3)", "frequency_penalty must be a number from -2 to 2, got -3"},
        {R"("seed": 1.5)", "seed must be an integer, -1 for random or one of 64 bits, got 1.5"},
        {R"("seed": -9223372036854775809)",
         "seed must be an integer, -1 for random or one of 64 bits, got -9.223372036854776e+18"},
        {R"("seed": 18446744073709551616)",
         "seed must be an integer, -1 for random or one of 64 bits, got 1.8446744073709552e+19"},
        {R"("hlg": {"width": -1})", "hlg.width must be >= 0 or off, got -1"},
    };
    for (const auto& [members, message] : cases) EXPECT_EQ(refused(members), message);
}

TEST(SamplingFields, NegativeSeedsComeBackAsTheyCame) {
    const SamplingFields fields = of(R"("seed": -5)");
    EXPECT_EQ(fields.settings.seed, static_cast<std::uint64_t>(-5));
    EXPECT_TRUE(fields.negative_seed);
    EXPECT_EQ(seed_json(*fields.settings.seed, true).dump(), "-5");
    EXPECT_EQ(seed_json(18446744073709551615U, false).dump(), "18446744073709551615");
    EXPECT_EQ(of(R"("seed": 7.0)").settings.seed, 7U);
}

TEST(SamplingFields, LogitBias) {
    const auto bias = [](const std::string& value) {
        std::vector<std::pair<int, float>> edits;
        const SamplingFields fields = of(R"("logit_bias": )" + value);
        for (const Edit& edit : *fields.settings.logit_bias) edits.emplace_back(edit.token, edit.delta);
        return edits;
    };
    using Edits = std::vector<std::pair<int, float>>;
    EXPECT_EQ(bias("{}"), Edits());
    EXPECT_EQ(bias("[]"), Edits());
    EXPECT_EQ(bias(R"({"0": 1.5, "999": -100, "5": 100})"), (Edits{{0, 1.5F}, {999, ban}, {5, 100.0F}}));
    EXPECT_EQ(bias(R"([[3, -1], [4.0, false]])"), (Edits{{3, -1.0F}, {4, ban}}));
}

TEST(SamplingFields, LogitBiasRefused) {
    const std::pair<const char*, const char*> cases[] = {
        {"5", "logit_bias must be an object of token ids and biases, or an array of [id, bias], got 5"},
        {R"({"1000": 1})", "logit_bias.1000 must be for a token id from 0 to 999, got \"1000\""},
        {R"({"-1": 1})", "logit_bias.-1 must be for a token id from 0 to 999, got \"-1\""},
        {R"({"1x": 1})", "logit_bias.1x must be for a token id from 0 to 999, got \"1x\""},
        {R"({"": 1})", "logit_bias. must be for a token id from 0 to 999, got \"\""},
        {R"({"99999999999999999999": 1})",
         "logit_bias.99999999999999999999 must be for a token id from 0 to 999, got \"99999999999999999999\""},
        {R"({"1": 101})", "logit_bias.1 must be a number from -100 to 100, got 101"},
        {R"({"1": true})", "logit_bias.1 must be a number from -100 to 100, got true"},
        {R"([[1]])", "logit_bias[0] must be a pair of a token id and its bias, got an array"},
        {R"([1])", "logit_bias[0] must be a pair of a token id and its bias, got 1"},
        {R"([[1, 2], [1000, 2]])", "logit_bias[1][0] must be for a token id from 0 to 999, got 1000"},
        {R"([[1, "2"]])", "logit_bias[0][1] must be a number from -100 to 100, got \"2\""},
    };
    for (const auto& [value, message] : cases) EXPECT_EQ(refused(std::string(R"("logit_bias": )") + value), message);
}

TEST(SamplingFields, ForeignSamplersAreNamedUnlessNeutral) {
    EXPECT_TRUE(of(R"("typical_p": 1, "tfs_z": 1.0, "top_a": 0, "top_n_sigma": -1, "dry_multiplier": 0, "dry_base": 1.75,
        "xtc_probability": 0.0, "xtc_threshold": 0.1, "mirostat": 0, "mirostat_tau": 5, "dynatemp_range": 0,
        "smoothing_factor": null, "use_beam_search": false, "length_penalty": 1)")
                    .ignored.empty());
    EXPECT_EQ(of(R"("typical_p": 0.9, "dry_multiplier": 0.8, "dry_base": 1.75, "xtc_probability": 0.5, "mirostat": 2,
        "mirostat_tau": 5, "top_n_sigma": 1, "use_beam_search": true)")
                  .ignored,
              (std::vector<std::string>{"typical_p", "top_n_sigma", "dry_multiplier", "xtc_probability", "mirostat",
                                        "use_beam_search"}));
}

TEST(SamplingFields, WhatElseWouldChangeTheAnswerIsNamed) {
    EXPECT_TRUE(of(R"("min_tokens": 0, "stop_token_ids": [], "guided_json": null, "structured_outputs": {})").ignored.empty());
    EXPECT_EQ(of(R"("min_tokens": 3, "stop_token_ids": [5], "guided_json": {"type": "object"}, "guided_regex": "a+")").ignored,
              (std::vector<std::string>{"min_tokens", "stop_token_ids", "guided_json", "guided_regex"}));
}

TEST(SamplingFields, FieldsOfOtherServersAreNamed) {
    EXPECT_TRUE(of(R"("allowed_token_ids": [], "include_stop_str_in_output": false, "truncate_prompt_tokens": null,
        "skip_special_tokens": true, "samplers": [], "lora": [], "negative_prompt": "", "logits_processors": [], "rep_pen": 1,
        "min_length": 0, "stop_sequence": [], "banned_tokens": [])")
                    .ignored.empty());
    EXPECT_EQ(of(R"("allowed_token_ids": [1], "include_stop_str_in_output": true, "truncate_prompt_tokens": 10,
        "skip_special_tokens": false, "samplers": ["top_k"], "lora": [{"id": 0, "scale": 1}], "negative_prompt": "bad",
        "logits_processors": ["x"], "rep_pen": 1.1, "max_length": 80, "min_length": 1, "stop_sequence": ["a"],
        "banned_tokens": [1])")
                  .ignored,
              (std::vector<std::string>{"allowed_token_ids", "include_stop_str_in_output", "truncate_prompt_tokens",
                                        "skip_special_tokens", "samplers", "lora", "negative_prompt", "logits_processors",
                                        "rep_pen", "max_length", "min_length", "stop_sequence", "banned_tokens"}));
}

TEST(SamplingFields, FieldsOfOtherPathsAreNamed) {
    const auto ignored = [](const std::string& body, std::initializer_list<std::string_view> read) {
        const Json json = parse_body(body);
        std::vector<std::string> names;
        ignore_others(Node(json), read, names);
        return names;
    };
    const std::string all = R"({"grammar": "root ::= \"a\"", "json_schema": {"type": "null"}, "response_format":
        {"type": "json_object"}, "n": 2, "stop": "x", "ignore_eos": true, "n_predict": 5})";
    EXPECT_EQ(ignored(all, {}),
              (std::vector<std::string>{"grammar", "json_schema", "response_format", "n", "stop", "ignore_eos", "n_predict"}));
    EXPECT_EQ(ignored(all, {"grammar", "stop"}),
              (std::vector<std::string>{"json_schema", "response_format", "n", "ignore_eos", "n_predict"}));
    EXPECT_TRUE(ignored(R"({"grammar": "", "json_schema": null, "response_format": {"type": "text"}, "n": 1, "stop": [],
        "ignore_eos": false, "n_predict": -1})",
                        {})
                    .empty());
}

TEST(SamplingFields, Stops) {
    const auto stops = [](const Node& body) { return read_stops(body.at("stop")); };
    using Stops = std::vector<std::string>;
    EXPECT_EQ(test::accepted("{}", stops), Stops());
    EXPECT_EQ(test::accepted(R"({"stop": null})", stops), Stops());
    EXPECT_EQ(test::accepted(R"({"stop": []})", stops), Stops());
    EXPECT_EQ(test::accepted(R"({"stop": "a"})", stops), Stops{"a"});
    EXPECT_EQ(test::accepted(R"({"stop": ["a", "b"]})", stops), (Stops{"a", "b"}));
    Json many = Json::array();
    for (int i = 0; i < 64; ++i) many.push_back("x");
    EXPECT_EQ(test::accepted(Json{{"stop", many}}.dump(), stops).size(), 64U);
    many.push_back("x");
    EXPECT_EQ(test::refusal(Json{{"stop", many}}.dump(), stops), "stop must be up to 64 strings, got 65");
    EXPECT_EQ(test::refusal(R"({"stop": ""})", stops), "stop must be a string that is not empty, got \"\"");
    EXPECT_EQ(test::refusal(R"({"stop": ["a", ""]})", stops), "stop[1] must be a string that is not empty, got \"\"");
    EXPECT_EQ(test::refusal(R"({"stop": [null]})", stops), "stop[0] must be a string that is not empty, got null");
    EXPECT_EQ(test::refusal(R"({"stop": 5})", stops), "stop must be a string or an array of strings, got 5");
}

TEST(SamplingFields, MaxTokens) {
    const auto one = [](const Node& body) { return read_max_tokens(body, 1); };
    using Limit = std::optional<std::size_t>;
    EXPECT_EQ(test::accepted("{}", one), Limit());
    EXPECT_EQ(test::accepted(R"({"max_tokens": null})", one), Limit());
    EXPECT_EQ(test::accepted(R"({"max_tokens": -1})", one), Limit());
    EXPECT_EQ(test::accepted(R"({"max_tokens": -1.0})", one), Limit());
    EXPECT_EQ(test::accepted(R"({"max_tokens": 1e300})", one), Limit());
    EXPECT_EQ(test::accepted(R"({"max_tokens": 18446744073709551615})", one), Limit());
    EXPECT_EQ(test::accepted(R"({"max_tokens": 5})", one), Limit(5));
    EXPECT_EQ(test::accepted(R"({"max_tokens": 5, "max_completion_tokens": 3})", one), Limit(3));
    EXPECT_EQ(test::accepted(R"({"max_tokens": 5, "max_completion_tokens": null})", one), Limit(5));
    EXPECT_EQ(test::accepted(R"({"max_tokens": 5, "max_completion_tokens": -1})", one), Limit());
    EXPECT_EQ(test::accepted(R"({"n_predict": 5})", one), Limit(5));
    EXPECT_EQ(test::accepted(R"({"n_predict": 5, "max_tokens": 3})", one), Limit(3));
    EXPECT_EQ(test::refusal(R"({"n_predict": 0})", one),
              "n_predict must be an integer, 1 or more; -1 is to the end of the context, got 0");
    EXPECT_EQ(test::refusal(R"({"max_tokens": 0})", one),
              "max_tokens must be an integer, 1 or more; -1 is to the end of the context, got 0");
    EXPECT_EQ(test::refusal(R"({"max_completion_tokens": -2})", one),
              "max_completion_tokens must be an integer, 1 or more; -1 is to the end of the context, got -2");
    EXPECT_EQ(test::refusal(R"({"max_tokens": "5"})", one),
              "max_tokens must be an integer, 1 or more; -1 is to the end of the context, got \"5\"");
    EXPECT_EQ(test::refusal(R"({"max_tokens": 1.5})", one),
              "max_tokens must be an integer, 1 or more; -1 is to the end of the context, got 1.5");
    EXPECT_EQ(test::accepted(R"({"max_tokens": 0})", [](const Node& body) { return read_max_tokens(body, 0); }), Limit(0));
}

TEST(SamplingFields, Choices) {
    EXPECT_EQ(test::accepted("{}", read_choices), 1U);
    EXPECT_EQ(test::accepted(R"({"n": 64})", read_choices), 64U);
    EXPECT_EQ(test::refusal(R"({"n": 0})", read_choices), "n must be an integer from 1 to 64, got 0");
    EXPECT_EQ(test::refusal(R"({"n": 65})", read_choices), "n must be an integer from 1 to 64, got 65");
}

}  // namespace
}  // namespace hlg::api
