// SPDX-License-Identifier: MIT
#include "cli/engine_options.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/command.hpp"
#include "cli/demo_model.hpp"
#include "cli/model_download.hpp"
#include "cli/numbers.hpp"
#include "cli/progress.hpp"
#include "cli/sampling_options.hpp"
#include "cli/text_file.hpp"
#include "engine/model_config.hpp"

namespace hlg::cli {
namespace {

constexpr std::size_t longest_template = std::size_t{1} << 20U;  // the longest that models bring are some 30 KiB

std::optional<int> layers_from(const std::string& word) {
    constexpr std::int64_t most = 100'000;
    if (word == "all") return -1;
    const std::optional<std::int64_t> layers = parse_whole(word);
    return layers && *layers >= 0 && *layers <= most ? std::optional(static_cast<int>(*layers)) : std::nullopt;
}

/** Nothing for a wrong word; for "auto", an optional with nothing in it. */
std::optional<std::optional<bool>> on_off_or_auto(const std::string& word) {
    using Setting = std::optional<bool>;
    const Setting on = on_or_off(word);
    return on || word == "auto" ? std::optional<Setting>(std::in_place, on) : std::nullopt;
}

std::optional<std::string> cache_type_from(const std::string& word) {
    const auto& all = engine::cache_types;
    return std::find(all.begin(), all.end(), word) == all.end() ? std::nullopt : std::optional(word);
}

/** "A,B" -> A and B. */
std::vector<std::string> list_from(const std::string& word) {
    std::vector<std::string> names;
    for (std::size_t start = 0; start <= word.size();) {
        const std::size_t end = std::min(word.find(',', start), word.size());
        names.push_back(word.substr(start, end - start));
        start = end + 1;
    }
    return names;
}

/** "none" is an empty list. Whether there are such devices, only the engine knows. */
std::vector<std::string> devices_from(const std::string& word) {
    return word == "none" ? std::vector<std::string>() : list_from(word);
}

/** Whether the system has locked any of this process's memory. */
bool memory_is_locked() {
    std::ifstream status("/proc/self/status");
    std::string key;
    for (std::int64_t value = 0; status >> key;)
        if (key == "VmLck:") return status >> value && value > 0;
    return true;  // not known here, so nothing to say
}

}  // namespace

void give_up(const engine::Error& error) {
    using engine::ErrorCode;
    switch (error.code) {
        case ErrorCode::interrupted: throw CommandError(exit_interrupted, error.message);
        case ErrorCode::decode_failed:
        case ErrorCode::sampling_failed: throw CommandError(exit_failure, error.message);
        case ErrorCode::prompt_too_long: throw UsageError(error.message + " (see --ctx-size)");
        default: throw UsageError(speak_flags(error.message));
    }
}

engine::LoraAdapter parse_lora(const std::string& word) {
    const std::size_t colon = word.rfind(':');
    if (colon == std::string::npos) return {word, 1.0F};
    const std::optional<double> scale = parse_real(std::string_view(word).substr(colon + 1));
    if (!scale || !std::isfinite(static_cast<float>(*scale)))
        throw UsageError(fmt::format("--lora must be FILE or FILE:SCALE with a finite number, got {}", word));
    return {word.substr(0, colon), static_cast<float>(*scale)};
}

void EngineOptions::add_to(Flags& flags, const std::string& lanes) {
    const std::string types = fmt::format("{}", fmt::join(engine::cache_types, "|"));
    flags.group("Engine");
    flags.text("-m,--model", "FILE", path_, "GGUF file (the demo model)");
    flags.text(
        "--hf,--hf-repo", "USER/REPO[:QUANT]", hf_,
        "Model from the cache of Hugging Face's programs, else downloaded into it (QUANT: Q4_K_M, else Q8_0, else the first)");
    flags.on("--offline", offline_, "Only models that are here");
    flags.text("-a,--alias", "NAME", alias_, "What to call the model in reports (its path)");
    flags.whole(
        "-t,--threads", threads_, 1, 512,
        "Threads (chosen for the model and the machine); more than there are free cores make it hundreds of times slower");
    flags.whole("-c,--ctx-size", context_, 1, 1 << 24, "Context of each text, tokens (the model's own, at most 4096)");
    flags.whole("--batch", lanes_, 1, engine::max_lanes,
                "Texts computed side by side, each with memory for its context (" + lanes + ")");
    flags.whole("--ubatch,--ubatch-size", chunk_, 1, 65536, "Prompt tokens computed at once (256)");
    flags.on("--reproducible", reproducible_, "The same text whatever is computed beside it; slower");
    flags.choice("--flash-attn", "on|off|auto", flash_attention_, "Flash attention (auto: as suits the model)", on_off_or_auto);
    flags.choice("--cache-type-k", types, cache_type_k_,
                 "How the KV cache stores keys (f16; f32 for small models without flash attention)", cache_type_from);
    flags.choice("--cache-type-v", types, cache_type_v_, "And values; quantized ones need flash attention (f16)",
                 cache_type_from);
    flags.each(
        "--lora", "FILE[:SCALE]", [this](const std::string& word) { lora_.push_back(parse_lora(word)); },
        "LoRA adapter, GGUF, times SCALE (1); repeatable, they add up");
    flags.text("--chat-template", "JINJA", template_, "Chat template (the model's own)");
    flags.text("--chat-template-file", "FILE", template_file_, "The same from a file");
    flags.choice("--gpu-layers,--n-gpu-layers", "N|all", gpu_layers_, "Layers on the GPUs (all, where there is one)",
                 layers_from);
    flags.word(
        "--device", "NAME,...", [this](const std::string& word) { devices_ = devices_from(word); },
        "GPUs to use, none for the CPU alone (all); a wrong name lists those there are");
    flags.word(
        "--rpc", "HOST:PORT,...", [this](const std::string& word) { rpc_servers_ = list_from(word); },
        "llama.cpp's RPC servers that share the model; their devices count as GPUs (needs HLG_ENGINE=source)");
    flags.on(
        "--mmap", [this] { mmap_ = true; }, "Map the model file into memory (where that is possible)");
    flags.on(
        "--no-mmap", [this] { mmap_ = false; }, "Read it instead");
    flags.on("--mlock", mlock_, "Keep the model from being swapped out");
    flags.on("--verbose", verbose_, "llama.cpp's own log, on stderr");
}

void EngineOptions::check() const {
    // A variable that is not set, in most cases: the demo model would be no answer to that.
    if (path_ && path_->empty()) throw UsageError("--model is empty");
    if (hf_ && path_) throw UsageError("the model comes from -m or from --hf, not from both");
    if (template_ && template_file_)
        throw UsageError("the template comes from --chat-template or from --chat-template-file, not from both");
    static_cast<void>(chat_template());
    for (const engine::LoraAdapter& adapter : lora_)
        if (engine::Failure failure = engine::check_gguf(adapter.path))
            throw UsageError("--lora can't be applied: " + failure->message);
}

std::string EngineOptions::chat_template() const {
    if (template_) return *template_;
    return template_file_ ? read_text_file(*template_file_, "the chat template", longest_template) : std::string();
}

engine::LoadOptions EngineOptions::load_options() const {
    engine::LoadOptions options;
    options.verbose = verbose_;
    options.gpu_layers = gpu_layers_;
    options.devices = devices_;
    options.rpc_servers = rpc_servers_;
    options.mmap = mmap_;
    options.mlock = mlock_;
    return options;
}

std::string EngineOptions::model_path(const std::atomic<bool>& interrupted) const {
    if (hf_) return download_model(*hf_, offline_, verbose_, interrupted);
    return path_ ? *path_ : demo_model_path();
}

LoadedModel EngineOptions::load(const std::atomic<bool>& interrupted) const {
    const std::string path = model_path(interrupted);
    const auto start = std::chrono::steady_clock::now();
    engine::LoadOptions options = load_options();
    std::optional<ProgressBar> bar(std::in_place);
    options.progress = [&](float done) {
        bar->show(done);
        return !interrupted;
    };
    engine::Result<engine::Model> model = engine::Model::load(path, options);
    bar.reset();
    if (!model) give_up(model.error());
    engine::Result<engine::SamplingSettings> own = engine::model_settings(*model);
    if (!own) give_up(own.error());
    if (mlock_ && !memory_is_locked()) fmt::print(stderr, "hlg: the system did not lock the model in memory (see ulimit -l)\n");
    if (gpu_layers_.value_or(0) != 0 && engine::gpu_devices().empty())
        fmt::print(stderr, "hlg: this engine knows no GPU here, so --gpu-layers changes nothing\n");
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    return {std::move(*model), std::move(*own), seconds.count()};
}

engine::EngineOptions EngineOptions::for_model(const engine::Model& model, std::size_t lanes) const {
    engine::EngineOptions options;
    engine::ContextOptions& context = options.context;
    context.lanes = lanes_ ? static_cast<std::size_t>(*lanes_) : lanes;
    context.context = engine::effective_context(model, static_cast<std::size_t>(context_.value_or(0)));
    context.threads = static_cast<int>(threads_.value_or(0));
    context.chunk = chunk_ ? static_cast<std::size_t>(*chunk_) : context.chunk;
    context.flash_attention = flash_attention_.value_or(std::nullopt);
    context.cache_type_k = cache_type_k_;
    context.cache_type_v = cache_type_v_;
    context.lora = lora_;
    options.reproducible = reproducible_;
    options.chat_template = chat_template();
    const std::size_t trained = model.trained_context();
    if (trained != 0 && context.context > trained)
        fmt::print(stderr, "hlg: the model was trained for {} tokens of context, not {}\n", trained, context.context);
    return options;
}

std::unique_ptr<engine::Engine> start_engine(engine::Model model, engine::EngineOptions options) {
    engine::Result<std::unique_ptr<engine::Engine>> engine = engine::Engine::start(std::move(model), std::move(options));
    if (!engine) give_up(engine.error());
    return std::move(*engine);
}

}  // namespace hlg::cli
