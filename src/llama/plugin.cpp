// SPDX-License-Identifier: MIT
//
// The sampler interface of llama.h around a libhlg sampler. llama.cpp calls these functions; none of them may throw.
#include "plugin.hpp"

#include <exception>
#include <memory>
#include <new>

#include "graph.hpp"

namespace hlg::llama {
namespace {

// 256 attempt + round must fit a word of the random stream's counter.
constexpr std::uint32_t attempts = 1U << 24;

Plugin& state(const llama_sampler* sampler) { return *static_cast<Plugin*>(sampler->ctx); }

// The sign in front is llama.cpp's own: + runs in the graph, - was asked to and cannot.
const char* name(const llama_sampler* sampler) {
    switch (state(sampler).placement) {
        case Placement::graph: return "+hlg";
        case Placement::cpu: return "-hlg";
        case Placement::unasked: break;
    }
    return "hlg";
}

void accept(llama_sampler* sampler, llama_token /*token*/) {
    Plugin& plugin = state(sampler);
    ++plugin.index;
    plugin.attempt = 0;
}

void reset(llama_sampler* sampler) {
    Plugin& plugin = state(sampler);
    plugin.index = 0;
    plugin.attempt = 0;
    plugin.status = Status::ok;
}

Status draw(Plugin& plugin, llama_token_data_array& array) {
    plugin.candidates.read(array);
    const Position position{.index = plugin.index, .attempt = plugin.attempt};
    plugin.attempt = (plugin.attempt + 1) % attempts;
    const Draw drawn = plugin.sampler.draw({.logits = plugin.candidates.logits()}, position);
    if (drawn.status == Status::ok)
        array.selected = static_cast<std::int64_t>(plugin.candidates.place(static_cast<std::size_t>(drawn.token)));
    return drawn.status;
}

Status shape(Plugin& plugin, llama_token_data_array& array) {
    plugin.candidates.read(array);
    const std::span<float> logits = plugin.candidates.logits();
    const Status status = plugin.sampler.shape({.logits = logits}, logits);
    if (status != Status::ok) return status;
    plugin.candidates.write(array);
    // The curve keeps the order, but greedy leaves one of several equal bests, and not always the first of the array.
    if (plugin.sampler.params().temperature < greedy_temperature) array.sorted = false;
    return Status::ok;
}

void apply(llama_sampler* sampler, llama_token_data_array* array) {
    Plugin& plugin = state(sampler);
    try {
        plugin.status = plugin.role == Role::draw ? draw(plugin, *array) : shape(plugin, *array);
    } catch (...) {  // the candidates' copy
        plugin.status = Status::memory;
    }
    if (plugin.status == Status::ok) return;
    array->selected = -1;
    // What draws behind us would take any token from logits like these.
    if (plugin.role == Role::shape) array->size = 0;
}

llama_sampler* clone(const llama_sampler* sampler) {
    const Plugin& from = state(sampler);
    llama_sampler* copy = hlg_llama_init(from.sampler.params(), from.role);
    if (copy == nullptr) return nullptr;
    state(copy).index = from.index;
    state(copy).attempt = from.attempt;
    return copy;
}

// Unlike a clone, `to` stays attached to the graph it is part of.
void copy_state(const llama_sampler* from, llama_sampler* to) {
    state(to).index = state(from).index;
    state(to).attempt = state(from).attempt;
}

void free_state(llama_sampler* sampler) { delete &state(sampler); }

bool backend_init(llama_sampler* sampler, ggml_backend_buffer_type_t buffers, std::uint32_t /*outputs*/) {
    Plugin& plugin = state(sampler);
    const GraphCurve curve(plugin.sampler.params(), plugin.role);
    const auto build = [&](ggml_context* ctx, llama_sampler_data& data) { curve.build(ctx, data); };
    const bool fits = curve.expressible() && device_runs(buffers, build);
    plugin.placement = fits ? Placement::graph : Placement::cpu;
    return fits;
}

void backend_apply(llama_sampler* sampler, ggml_context* ctx, ggml_cgraph* /*graph*/, llama_sampler_data* data) {
    const Plugin& plugin = state(sampler);
    GraphCurve(plugin.sampler.params(), plugin.role).build(ctx, *data);
}

// Not const: llama_sampler_init takes it so.
llama_sampler_i callbacks{
    .name = name,
    .accept = accept,
    .apply = apply,
    .reset = reset,
    .clone = clone,
    .free = free_state,
    .backend_init = backend_init,
    .backend_accept = nullptr,
    .backend_apply = backend_apply,
    .backend_set_input = nullptr,  // shaping has no input but the logits
    .backend_reset = nullptr,
    .copy_state = copy_state,
};

}  // namespace

Plugin* plugin_of(const llama_sampler* sampler) noexcept {
    return sampler != nullptr && sampler->iface == &callbacks ? &state(sampler) : nullptr;
}

}  // namespace hlg::llama

llama_sampler* hlg_llama_init(const hlg::SamplerParams& params, hlg::llama::Role role, hlg::llama::Error* error) noexcept {
    using namespace hlg::llama;
    Error problem;
    try {
        auto plugin = std::make_unique<Plugin>(params, role);
        llama_sampler* sampler = llama_sampler_init(&callbacks, plugin.get());
        static_cast<void>(plugin.release());  // the sampler's now
        return sampler;
    } catch (const hlg::ParameterError& wrong) {
        problem = {hlg::Status::parameter, wrong.what()};
    } catch (const std::bad_alloc&) {
        problem = {hlg::Status::memory, {}};
    } catch (...) {
        problem = {hlg::Status::internal, {}};
    }
    if (error != nullptr) *error = std::move(problem);
    return nullptr;
}

hlg::Status hlg_llama_status(const llama_sampler* sampler) noexcept {
    const hlg::llama::Plugin* plugin = hlg::llama::plugin_of(sampler);
    return plugin != nullptr ? plugin->status : hlg::Status::argument;
}

bool hlg_llama_in_graph(const llama_sampler* sampler) noexcept {
    using namespace hlg::llama;
    if (const Plugin* plugin = plugin_of(sampler)) return plugin->placement == Placement::graph;
    const Placement* placement = token_only_of(sampler);
    return placement != nullptr && *placement == Placement::graph;
}
