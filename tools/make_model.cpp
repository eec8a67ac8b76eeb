// SPDX-License-Identifier: MIT
//
// The program hlg_make_model: the command line of what making.hpp does.
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <llama.h>
#include <CLI/CLI.hpp>

#include "making.hpp"
#include "vocabulary.hpp"

namespace hlg::tools {
namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

/** Sizes from the command line; 0 = the plan's own. */
struct Sizes {
    std::int64_t layers = 0, embedding = 0, heads = 0, kv_heads = 0, feed_forward = 0, vocabulary = 0, context = 0;
};

void add_sizes(CLI::App& app, Sizes& sizes) {
    const auto size = [&](const char* flag, std::int64_t& value, const char* what, std::int64_t low, std::int64_t high) {
        app.add_option(flag, value, what)->check(CLI::Range(low, high))->group("Sizes, instead of the model's own");
    };
    size("--layers", sizes.layers, "layers", 1, 512);
    size("--embd", sizes.embedding, "length of a token's vector", 32, 16'384);
    size("--heads", sizes.heads, "heads of attention", 1, 256);
    size("--kv-heads", sizes.kv_heads, "heads of keys and values", 1, 256);
    size("--ff", sizes.feed_forward, "width of the feed-forward network", 32, 65'536);
    size("--vocab", sizes.vocabulary, "tokens of a built vocabulary", smallest_vocabulary, largest_vocabulary);
    size("--context", sizes.context, "context it claims to be trained for, tokens", 16, 1'048'576);
}

ModelPlan resized(const std::string& name, const Sizes& sizes) {
    ModelPlan plan;
    for (const ModelPlan& known : known_plans())
        if (known.name == name) plan = known;
    const auto take = [](std::int64_t& target, std::int64_t value) {
        if (value > 0) target = value;
    };
    take(plan.layers, sizes.layers);
    take(plan.embedding, sizes.embedding);
    take(plan.heads, sizes.heads);
    take(plan.kv_heads, sizes.kv_heads);
    take(plan.feed_forward, sizes.feed_forward);
    take(plan.vocabulary, sizes.vocabulary);
    take(plan.context, sizes.context);
    return plan;
}

/** What flags can't check one by one. */
void check(const MakeRequest& request, const Sizes& sizes) {
    const bool built = request.vocabulary.empty();
    if (built && request.plan.vocabulary == 0)
        throw CLI::ValidationError(request.plan.name + " needs --vocabulary, a GGUF file to take the vocabulary from");
    if (!built && sizes.vocabulary > 0)
        throw CLI::ValidationError("--vocab is the size of a built vocabulary; --vocabulary takes one");
    try {
        validate(request.plan);
    } catch (const MakeError& error) {
        throw CLI::ValidationError(error.what());
    }
}

void print(const MadeFile& file) {
    const Calibration& made = file.calibration;
    fmt::print("{}: {:.1f} MB, {:.1f} M parameters, {} tokens; entropy {:.2f} to {:.2f} nats with logits times {}\n", file.path,
               static_cast<double>(file.bytes) / 1e6, static_cast<double>(made.parameters) / 1e6, made.vocabulary,
               made.entropies.lowest, made.entropies.highest, made.scale);
    std::fflush(stdout);  // the next file takes seconds
}

void add_flags(CLI::App& app, MakeRequest& request, std::string& name) {
    std::vector<std::string> names;
    for (const ModelPlan& plan : known_plans()) names.push_back(plan.name);
    app.add_option("MODEL", name, "gemma4, minicpm5 or llama-88m")->required()->check(CLI::IsMember(names));
    app.add_option("-o,--output", request.folder, "folder for MODEL-TYPE.gguf")->required();
    app.add_option("--types", request.types, "how weights are stored, a list of f16, q8_0, q4_0, q4_k_m")
        ->delimiter(',')
        ->check(CLI::IsMember(type_names()))
        ->capture_default_str();
    app.add_option("--name", request.plan.name, "name of the model and its files instead of MODEL");
    app.add_option("--vocabulary", request.vocabulary, "GGUF file to take the vocabulary from; else one is built")
        ->check(CLI::ExistingFile);
    app.add_option("--chat-template", request.chat_template, "file with a chat template in Jinja")->check(CLI::ExistingFile);
    app.add_option("--seed", request.seed, "decides every weight")->capture_default_str();
    app.add_option("--entropy", request.entropy, "middle of the next-token entropies after four prompts, nats")
        ->check(CLI::Range(lowest_entropy, highest_entropy))
        ->capture_default_str();
}

int run(int argc, char** argv) {
    CLI::App app("Makes language models with random weights, for tests and benchmarks", "hlg_make_model");
    app.set_version_flag("--version", std::string("hlg_make_model, llama.cpp ") + llama_version());
    app.footer("The same arguments make the same bytes. Exit codes: 0 made, 1 failed, 2 wrong usage.");
    MakeRequest request;
    request.types = {"q8_0"};
    std::string name;
    Sizes sizes;
    add_flags(app, request, name);
    add_sizes(app, sizes);
    try {
        app.parse(argc, argv);
        const std::string own_name = std::exchange(request.plan.name, {});
        request.plan = resized(name, sizes);
        check(request, sizes);
        if (!own_name.empty()) request.plan.name = own_name;
        make_models(request, print);
        return 0;
    } catch (const CLI::Success& help) {  // --help and --version
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        fmt::print(stderr, "hlg_make_model: {} (see hlg_make_model --help)\n", error.what());
        return exit_usage;
    } catch (const std::exception& error) {
        fmt::print(stderr, "hlg_make_model: {}\n", error.what());
        return exit_failure;
    }
}

}  // namespace
}  // namespace hlg::tools

int main(int argc, char** argv) { return hlg::tools::run(argc, argv); }
