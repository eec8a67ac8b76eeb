// The C interface: plain values in, statuses out. No exception passes this file.
#include "hlg/hlg.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <string_view>

#include "hlg/sampler.hpp"

struct hlg_sampler {
    explicit hlg_sampler(const hlg::SamplerParams& params) : sampler(params) {}
    hlg::Sampler sampler;
};

namespace {

using hlg::Status;

hlg_status to_c(Status status) noexcept { return static_cast<hlg_status>(status); }

void copy_text(std::string_view text, char* out, std::size_t size) noexcept {
    if (out == nullptr || size == 0) return;
    const std::size_t length = std::min(text.size(), size - 1);
    std::memcpy(out, text.data(), length);
    out[length] = '\0';
}

hlg_params defaults() noexcept {
    const hlg::SamplerParams sampler;
    const hlg::CurveParams curve;
    hlg_params params{};
    params.size = sizeof(hlg_params);
    params.temperature = sampler.temperature;
    params.top_p = sampler.top_p;
    params.min_p = sampler.min_p;
    params.top_k = sampler.top_k;
    params.seed = sampler.seed;
    params.pivot = static_cast<std::int32_t>(curve.pivot);
    params.toe_shape = static_cast<std::int32_t>(curve.toe_shape);
    params.pivot_offset = std::numeric_limits<double>::quiet_NaN();
    params.width = curve.width;
    params.shoulder = curve.shoulder;
    params.toe = curve.toe;
    return params;
}

// No version of hlg_params will be larger: a size beyond it was never set, and nothing behind the struct may be touched for it.
constexpr std::size_t kMaxParamsSize = 4096;

bool known_size(std::size_t size) noexcept { return size >= sizeof(hlg_params) && size <= kMaxParamsSize; }

// Whether a newer program has set a field that this library does not know; hlg_params_init left them all zero.
bool sets_unknown_fields(const hlg_params& params) noexcept {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&params);
    return std::any_of(bytes + sizeof(hlg_params), bytes + params.size, [](unsigned char byte) { return byte != 0; });
}

hlg::SamplerParams to_cpp(const hlg_params& params) {
    if (params.hlg != 0 && params.hlg != 1) throw hlg::ParameterError("hlg", "must be 0 or 1", std::to_string(params.hlg));
    if (params.reserved != 0) throw hlg::ParameterError("reserved", "must be 0", std::to_string(params.reserved));
    hlg::SamplerParams out;
    out.temperature = params.temperature;
    out.top_p = params.top_p;
    out.top_k = params.top_k;
    out.min_p = params.min_p;
    out.seed = params.seed;
    if (params.hlg != 0) {
        hlg::CurveParams curve;
        curve.pivot = static_cast<hlg::Pivot>(params.pivot);
        curve.toe_shape = static_cast<hlg::ToeShape>(params.toe_shape);
        if (!std::isnan(params.pivot_offset)) curve.pivot_offset = params.pivot_offset;
        curve.width = params.width;
        curve.shoulder = params.shoulder;
        curve.toe = params.toe;
        out.hlg = curve;
    }
    return out;
}

// False for a null array that claims a length.
bool to_cpp(const hlg_step* step, hlg::Step& out) noexcept {
    if (step == nullptr || (step->logits == nullptr && step->vocab > 0)) return false;
    if (step->edits == nullptr && step->edit_count > 0) return false;
    out.logits = {step->logits, step->vocab};
    // An hlg_edit and an Edit are the same two fields; copying would allocate on every draw.
    static_assert(sizeof(hlg_edit) == sizeof(hlg::Edit) && offsetof(hlg_edit, delta) == offsetof(hlg::Edit, delta));
    out.edits = {reinterpret_cast<const hlg::Edit*>(step->edits), step->edit_count};
    if (step->allowed != nullptr) out.allowed = {step->allowed, (step->vocab + 31) / 32};
    return true;
}

// Runs call(sampler, step) when every pointer is there.
template <class Call>
hlg_status with_step(hlg_sampler* sampler, const hlg_step* step, const void* out, const Call& call) noexcept {
    hlg::Step input;
    if (sampler == nullptr || out == nullptr || !to_cpp(step, input)) return HLG_ERROR_ARGUMENT;
    return to_c(call(sampler->sampler, input));
}

}  // namespace

const char* hlg_status_text(hlg_status status) {
    switch (status) {
        case HLG_OK: return "ok";
        case HLG_ERROR_PARAMETER: return "a setting is out of its range";
        case HLG_ERROR_ARGUMENT: return "an argument is null or has the wrong size";
        case HLG_ERROR_EMPTY: return "the vocabulary has no tokens";
        case HLG_ERROR_TOO_LARGE: return "the vocabulary has more than 2147483647 tokens";
        case HLG_ERROR_NAN: return "a logit is NaN";
        case HLG_ERROR_INFINITE: return "a logit is +inf";
        case HLG_ERROR_NO_TOKEN: return "no token is left to draw: all are masked or banned";
        case HLG_ERROR_EDIT: return "an edit names no token of the vocabulary, or its delta is NaN or too large";
        case HLG_ERROR_MEMORY: return "out of memory";
        case HLG_ERROR_INTERNAL: return "internal error";
    }
    return "unknown status";
}

const char* hlg_version(void) { return HLG_VERSION; }

hlg_status hlg_params_init(hlg_params* params, size_t size) {
    if (params == nullptr || !known_size(size)) return HLG_ERROR_ARGUMENT;
    // A newer caller's extra fields mean nothing here; zero is their "not set".
    std::memset(static_cast<void*>(params), 0, size);
    const hlg_params known = defaults();
    std::memcpy(params, &known, sizeof(known));
    params->size = size;
    return HLG_OK;
}

hlg_status hlg_params_preset(hlg_params* params, const char* name) {
    if (params == nullptr || name == nullptr || !known_size(params->size)) return HLG_ERROR_ARGUMENT;
    const hlg::Preset* preset = hlg::find_preset(name);
    if (preset == nullptr) return HLG_ERROR_PARAMETER;
    const hlg::CurveParams& curve = preset->params;
    params->hlg = 1;
    params->pivot = static_cast<std::int32_t>(curve.pivot);
    params->toe_shape = static_cast<std::int32_t>(curve.toe_shape);
    params->pivot_offset = curve.pivot_offset.value_or(hlg::default_offset(curve.pivot));
    params->width = curve.width;
    params->shoulder = curve.shoulder;
    params->toe = curve.toe;
    return HLG_OK;
}

const char* hlg_preset_name(size_t i) {
    const auto all = hlg::presets();
    return i < all.size() ? all[i].name.data() : nullptr;  // the names are literals, so they end in a null byte
}

hlg_status hlg_sampler_new(const hlg_params* params, hlg_sampler** out, char* message, size_t message_size) {
    if (out == nullptr) return HLG_ERROR_ARGUMENT;
    *out = nullptr;
    const auto fail = [&](hlg_status status, std::string_view text) {
        copy_text(text, message, message_size);
        return status;
    };
    if (params == nullptr || !known_size(params->size))
        return fail(HLG_ERROR_ARGUMENT, "params is null or was not filled by hlg_params_init");
    if (sets_unknown_fields(*params)) return fail(HLG_ERROR_ARGUMENT, "params sets a field that needs a newer libhlg");
    try {
        *out = new hlg_sampler(to_cpp(*params));
        copy_text("", message, message_size);
        return HLG_OK;
    } catch (const hlg::ParameterError& error) {
        return fail(HLG_ERROR_PARAMETER, error.what());
    } catch (const std::bad_alloc&) {
        return fail(HLG_ERROR_MEMORY, hlg_status_text(HLG_ERROR_MEMORY));
    } catch (...) {
        return fail(HLG_ERROR_INTERNAL, hlg_status_text(HLG_ERROR_INTERNAL));
    }
}

void hlg_sampler_free(hlg_sampler* sampler) { delete sampler; }

hlg_status hlg_draw(hlg_sampler* sampler, const hlg_step* step, hlg_position position, int32_t* token) {
    return hlg_draw_many(sampler, step, position, 1, token);
}

hlg_status hlg_draw_many(hlg_sampler* sampler, const hlg_step* step, hlg_position first, size_t count, int32_t* tokens) {
    return with_step(sampler, step, tokens, [&](hlg::Sampler& cpp, const hlg::Step& input) {
        return cpp.draw_many(input, {first.index, first.choice, first.attempt}, {tokens, count});
    });
}

hlg_status hlg_probabilities(hlg_sampler* sampler, const hlg_step* step, double* probabilities) {
    return with_step(sampler, step, probabilities, [&](hlg::Sampler& cpp, const hlg::Step& input) {
        return cpp.probabilities(input, {probabilities, input.logits.size()});
    });
}

hlg_status hlg_shape(hlg_sampler* sampler, const hlg_step* step, float* shaped) {
    return with_step(sampler, step, shaped, [&](hlg::Sampler& cpp, const hlg::Step& input) {
        return cpp.shape(input, {shaped, input.logits.size()});
    });
}

hlg_status hlg_statistics_of(hlg_sampler* sampler, const hlg_step* step, double log_prob, hlg_statistics* out) {
    return with_step(sampler, step, out, [&](hlg::Sampler& cpp, const hlg::Step& input) {
        hlg::Statistics found;
        const Status status = cpp.statistics(input, log_prob, found);
        if (status == Status::ok)
            *out = {found.entropy, found.model_entropy, found.top1, found.collision, found.mass_below, found.kl, found.pivot};
        return status;
    });
}
