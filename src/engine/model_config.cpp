// SPDX-License-Identifier: MIT
#include "engine/model_config.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

namespace hlg::engine {
namespace {

using nlohmann::json;

constexpr int max_depth = 32;  // a config is flat; deep nesting only exhausts the stack

struct BadField {
    std::string what;
};

/** A field, unless it is absent or null. */
const json* find(const json& object, const char* key) {
    const auto it = object.find(key);
    return it == object.end() || it->is_null() ? nullptr : &*it;
}

void read(const json& object, const char* key, std::optional<double>& out) {
    const json* value = find(object, key);
    if (value == nullptr) return;
    if (!value->is_number()) throw BadField{std::string(key) + " must be a number"};
    out = value->get<double>();
}

void read(const json& object, const char* key, std::optional<std::int64_t>& out) {
    const json* value = find(object, key);
    if (value == nullptr) return;
    if (!value->is_number_integer()) throw BadField{std::string(key) + " must be a whole number"};
    out = value->get<std::int64_t>();
}

/** Nats, or "off" for infinity. */
void read_knob(const json& object, const char* key, std::optional<double>& out) {
    const json* value = find(object, key);
    if (value != nullptr && value->is_string() && *value == "off") {
        out = off;
        return;
    }
    read(object, key, out);
}

template <class T, class Parse>
void read_name(const json& object, const char* key, std::optional<T>& out, Parse parse) {
    const json* value = find(object, key);
    if (value == nullptr) return;
    if (value->is_string()) out = parse(value->get_ref<const std::string&>());
    if (!out) throw BadField{std::string(key) + " is not one of the known names"};
}

HlgSettings read_hlg(const json& value) {
    HlgSettings hlg;
    if (value.is_boolean()) {
        hlg.enabled = value.get<bool>();
        return hlg;
    }
    if (!value.is_object()) throw BadField{"hlg must be true, false or an object"};
    hlg.enabled = true;
    if (const json* enabled = find(value, "enabled")) {
        if (!enabled->is_boolean()) throw BadField{"hlg.enabled must be true or false"};
        hlg.enabled = enabled->get<bool>();
    }
    read_name(value, "preset", hlg.preset, [](const std::string& name) { return std::optional(name); });
    read_name(value, "pivot", hlg.pivot, pivot_from);
    read_name(value, "toe_shape", hlg.toe_shape, toe_shape_from);
    read_knob(value, "pivot_offset", hlg.pivot_offset);
    read_knob(value, "width", hlg.width);
    read_knob(value, "shoulder", hlg.shoulder);
    read_knob(value, "toe", hlg.toe);
    return hlg;
}

SamplingSettings read_settings(const json& object) {
    SamplingSettings settings;
    read(object, "temperature", settings.temperature);
    read(object, "top_p", settings.top_p);
    read(object, "top_k", settings.top_k);
    read(object, "min_p", settings.min_p);
    if (const json* sample = find(object, "do_sample"); sample != nullptr && *sample == false) settings.temperature = 0.0;
    if (const json* hlg = find(object, "hlg")) settings.hlg = read_hlg(*hlg);
    return settings;
}

template <class T>
void read_metadata(const Model& model, const char* key, std::optional<T>& out) {
    const std::optional<std::string> text = model.metadata(key);
    if (!text) return;
    T value{};
    const char* end = text->data() + text->size();
    if (std::from_chars(text->data(), end, value).ptr != end) throw BadField{std::string(key) + " is not a number: " + *text};
    out = value;
}

SamplingSettings read_gguf(const Model& model) {
    SamplingSettings settings;
    read_metadata(model, "general.sampling.temp", settings.temperature);
    read_metadata(model, "general.sampling.top_p", settings.top_p);
    read_metadata(model, "general.sampling.top_k", settings.top_k);
    read_metadata(model, "general.sampling.min_p", settings.min_p);
    return settings;
}

template <class T>
void overlay(std::optional<T>& lower, const std::optional<T>& upper) {
    if (upper) lower = upper;
}

}  // namespace

Result<SamplingSettings> parse_generation_config(const std::string& text, const std::string& name) {
    const auto too_deep = [](int depth, json::parse_event_t, json&) -> bool {
        if (depth > max_depth) throw BadField{"nested too deeply"};
        return true;
    };
    try {
        const json object = json::parse(text, too_deep);
        if (!object.is_object()) throw BadField{"not a JSON object"};
        return read_settings(object);
    } catch (const BadField& field) {
        return Error{ErrorCode::bad_config, name + ": " + field.what};
    } catch (const json::exception& error) {
        return Error{ErrorCode::bad_config, name + ": " + error.what()};
    }
}

Result<SamplingSettings> model_settings(const Model& model) {
    SamplingSettings settings;
    try {
        settings = read_gguf(model);
    } catch (const BadField& field) {
        return Error{ErrorCode::bad_config, model.path() + ": " + field.what};
    }
    const std::filesystem::path config = std::filesystem::path(model.path()).parent_path() / "generation_config.json";
    std::ifstream file(config, std::ios::binary);
    if (!file) return settings;
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Result<SamplingSettings> beside = parse_generation_config(text, config.string());
    if (!beside) return beside.error();
    overlay(settings.temperature, beside->temperature);
    overlay(settings.top_p, beside->top_p);
    overlay(settings.top_k, beside->top_k);
    overlay(settings.min_p, beside->min_p);
    settings.hlg = beside->hlg;
    return settings;
}

}  // namespace hlg::engine
