// SPDX-License-Identifier: MIT
#include "api/sampling_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "api/hlg_object.hpp"

namespace hlg::api {
namespace {

constexpr std::size_t most_stops = 64;
constexpr std::int64_t most_choices = 64;
constexpr double most_bias = 100.0;
constexpr auto largest = std::numeric_limits<std::int64_t>::max();

/** A sampler of another server, or something else that changes its answers, by the field that switches it on; its further knobs
   do nothing without it. */
struct ForeignSampler {
    const char* field;
    double neutral;
    double also_neutral;
};

constexpr double only = std::numeric_limits<double>::quiet_NaN();  // no second neutral value

constexpr std::array foreign_samplers = {
    ForeignSampler{"typical_p", 1, 0},
    ForeignSampler{"typical", 1, 0},
    ForeignSampler{"tfs", 1, 0},
    ForeignSampler{"tfs_z", 1, 0},
    ForeignSampler{"top_a", 0, only},
    ForeignSampler{"top_n_sigma", 0, -1},
    ForeignSampler{"nsigma", 0, -1},
    ForeignSampler{"dry_multiplier", 0, only},
    ForeignSampler{"xtc_probability", 0, only},
    ForeignSampler{"mirostat", 0, only},
    ForeignSampler{"mirostat_mode", 0, only},
    ForeignSampler{"dynatemp_range", 0, only},
    ForeignSampler{"adaptive_target", -1, only},
    ForeignSampler{"smoothing_factor", 0, only},
    ForeignSampler{"epsilon_cutoff", 0, only},
    ForeignSampler{"eta_cutoff", 0, only},
    ForeignSampler{"penalty_alpha", 0, only},
    ForeignSampler{"guidance_scale", 1, only},
    ForeignSampler{"encoder_repetition_penalty", 1, only},
    ForeignSampler{"no_repeat_ngram_size", 0, only},
    ForeignSampler{"length_penalty", 1, only},
    ForeignSampler{"use_beam_search", 0, only},
    ForeignSampler{"min_tokens", 0, only},
    ForeignSampler{"stop_token_ids", only, only},
    ForeignSampler{"bad_words", only, only},
    ForeignSampler{"prompt_logprobs", only, only},
    ForeignSampler{"n_probs", 0, only},
    ForeignSampler{"guided_json", only, only},
    ForeignSampler{"guided_regex", only, only},
    ForeignSampler{"guided_choice", only, only},
    ForeignSampler{"guided_grammar", only, only},
    ForeignSampler{"structured_outputs", only, only},
    ForeignSampler{"allowed_token_ids", only, only},
    ForeignSampler{"include_stop_str_in_output", 0, only},
    ForeignSampler{"truncate_prompt_tokens", only, only},
    ForeignSampler{"skip_special_tokens", 1, only},
    ForeignSampler{"samplers", only, only},
    ForeignSampler{"lora", only, only},
    ForeignSampler{"negative_prompt", only, only},
    ForeignSampler{"logits_processors", only, only},
    ForeignSampler{"rep_pen", 1, only},
    ForeignSampler{"max_length", only, only},
    ForeignSampler{"min_length", 0, only},
    ForeignSampler{"stop_sequence", only, only},
    ForeignSampler{"banned_tokens", only, only},
};

/** Fields that some of our paths read and others do not. */
constexpr std::array path_fields = {
    ForeignSampler{"grammar", only, only},
    ForeignSampler{"json_schema", only, only},
    ForeignSampler{"response_format", only, only},
    ForeignSampler{"n", 1, only},
    ForeignSampler{"stop", only, only},
    ForeignSampler{"ignore_eos", 0, only},
    ForeignSampler{"n_predict", -1, only},
};

bool neutral(const ForeignSampler& sampler, const Json& value) {
    if (value.is_boolean()) return static_cast<double>(value.get<bool>()) == sampler.neutral;
    if (value.is_string()) return value.get_ref<const std::string&>().empty();
    if (value.is_structured())
        return value.empty() || (value.contains("type") && value.at("type") == "text");  // a response_format
    const auto number = value.get<double>();
    return number == sampler.neutral || number == sampler.also_neutral;
}

bool asked_for(const ForeignSampler& sampler, const Node& body) {
    const Node value = body.at(sampler.field);
    return !value.absent() && !neutral(sampler, value.json());
}

std::vector<std::string> read_foreign(const Node& body) {
    std::vector<std::string> asked;
    for (const ForeignSampler& sampler : foreign_samplers)
        if (asked_for(sampler, body)) asked.emplace_back(sampler.field);
    return asked;
}

void read_seed(const Node& seed, SamplingFields& fields) {
    if (seed.absent()) return;
    if (seed.json().is_number_unsigned()) {
        fields.settings.seed = seed.json().get<std::uint64_t>();
        return;
    }
    const auto value = seed.integer(std::numeric_limits<std::int64_t>::min(), largest, "-1 for random or one of 64 bits");
    if (*value == -1) return;  // the engine draws one
    fields.settings.seed = static_cast<std::uint64_t>(*value);
    fields.negative_seed = *value < 0;
}

/** `given` is what the token was read from. */
Edit edit_of(std::optional<std::int64_t> token, const Node& given, const Node& bias, std::size_t vocabulary) {
    if (!token || *token < 0 || static_cast<std::uint64_t>(*token) >= vocabulary)
        given.refuse(fmt::format("must be for a token id from 0 to {}", vocabulary - 1));
    const bool ban = bias.json().is_boolean() && !bias.json().get<bool>();
    const double delta = ban ? -most_bias : bias.number(-most_bias, most_bias).value_or(0.0);
    // The vendors' word for the lowest bias is that it bans, which no finite one does at a high temperature.
    const float change = delta <= -most_bias ? -std::numeric_limits<float>::infinity() : static_cast<float>(delta);
    return {static_cast<std::int32_t>(*token), change};
}

std::optional<std::int64_t> whole(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::optional<std::vector<Edit>> read_bias(const Node& bias, std::size_t vocabulary) {
    if (bias.absent()) return std::nullopt;
    std::vector<Edit> edits;
    if (bias.is_object()) {
        for (const auto& [token, delta] : bias.members()) {
            const Json name = token;
            edits.push_back(edit_of(whole(token), Node(name, delta.path()), delta, vocabulary));
        }
    } else if (bias.is_array()) {
        for (const Node& pair : bias.items()) {
            if (!pair.is_array() || pair.json().size() != 2) pair.refuse("must be a pair of a token id and its bias");
            const std::vector<Node> both = pair.items();
            const std::optional<std::int64_t> token = both[0].is_integer() ? both[0].integer(-largest, largest) : std::nullopt;
            edits.push_back(edit_of(token, both[0], both[1], vocabulary));
        }
    } else {
        bias.refuse("must be an object of token ids and biases, or an array of [id, bias]");
    }
    return edits;
}

}  // namespace

SamplingFields read_sampling(const Node& body, std::size_t vocabulary) {
    SamplingFields fields;
    engine::SamplingSettings& settings = fields.settings;
    settings.temperature = body.at("temperature").number(0, 100);
    settings.top_p = body.at("top_p").number(0, 1);
    settings.top_k = body.at("top_k").integer(-1, largest, fmt::format("-1 to {}; 0 and -1 are off", largest));
    settings.min_p = body.at("min_p").number(0, 1);
    const Node repetition = body.at("repetition_penalty");  // vLLM's name
    settings.repeat_penalty = (repetition.absent() ? body.at("repeat_penalty") : repetition).number(0.01, 100);
    settings.repeat_last_n = body.at("repeat_last_n").integer(-1, largest, fmt::format("-1 to {}; -1 is all, 0 off", largest));
    settings.presence_penalty = body.at("presence_penalty").number(-2, 2);
    settings.frequency_penalty = body.at("frequency_penalty").number(-2, 2);
    settings.logit_bias = read_bias(body.at("logit_bias"), vocabulary);
    settings.hlg = read_hlg(body.at("hlg"));
    read_seed(body.at("seed"), fields);
    fields.ignored = read_foreign(body);
    return fields;
}

void ignore_others(const Node& body, std::initializer_list<std::string_view> read, std::vector<std::string>& ignored) {
    for (const ForeignSampler& field : path_fields) {
        const bool known = std::find(read.begin(), read.end(), field.field) != read.end();
        if (!known && asked_for(field, body)) ignored.emplace_back(field.field);
    }
}

Json seed_json(std::uint64_t seed, bool negative) { return negative ? Json(static_cast<std::int64_t>(seed)) : Json(seed); }

std::vector<std::string> read_stops(const Node& stop) {
    std::vector<Node> all;
    if (stop.is_string())
        all.push_back(stop);
    else if (stop.is_array() || stop.absent())
        all = stop.items();
    else
        stop.refuse("must be a string or an array of strings");
    if (all.size() > most_stops)
        throw bad_field(stop.path(), fmt::format("must be up to {} strings, got {}", most_stops, all.size()));
    std::vector<std::string> stops;
    for (const Node& one : all) {
        if (!one.is_string() || one.json().get_ref<const std::string&>().empty())
            one.refuse("must be a string that is not empty");
        stops.push_back(*one.text());
    }
    return stops;
}

std::optional<std::size_t> read_limit(const Node& limit, std::int64_t low) {
    if (limit.absent()) return std::nullopt;
    const bool huge = limit.json().is_number() && limit.json().get<double>() >= 9e18;  // any limit is fine above the context
    if (huge) return std::nullopt;
    const bool whole_number = limit.is_integer();
    if (whole_number && *limit.integer(-largest, largest) == -1) return std::nullopt;
    return static_cast<std::size_t>(
        *limit.integer(low, largest, fmt::format("{} or more; -1 is to the end of the context", low)));
}

std::optional<std::size_t> read_max_tokens(const Node& body, std::int64_t low) {
    const Node newer = body.at("max_completion_tokens");
    if (!newer.absent()) return read_limit(newer, low);
    return read_limit(body.at(body.at("max_tokens").absent() ? "n_predict" : "max_tokens"), low);
}

std::size_t read_choices(const Node& body) { return static_cast<std::size_t>(body.at("n").integer(1, most_choices).value_or(1)); }

}  // namespace hlg::api
