// SPDX-License-Identifier: MIT
//
// hlg eval capability: what samplers do to what a model can do.
#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

#include <fmt/core.h>

#include "cli/arm_word.hpp"
#include "cli/command.hpp"
#include "cli/eval_options.hpp"
#include "cli/flags.hpp"
#include "cli/numbers.hpp"
#include "cli/sampling_options.hpp"
#include "cli/text_eval_options.hpp"
#include "eval/capability/bfcl.hpp"
#include "eval/capability/capability_report.hpp"
#include "eval/capability/data_file.hpp"
#include "eval/capability/gsm8k.hpp"
#include "eval/capability/hashhop.hpp"
#include "eval/capability/humaneval.hpp"
#include "eval/capability/ifeval.hpp"
#include "eval/capability/mmlu.hpp"

namespace hlg::cli {
namespace {

namespace capability = eval::capability;

constexpr std::int64_t many = 1'000'000;
constexpr const char* task_names = "gsm8k, mmlu, ifeval, bfcl, humaneval, hashhop";

/** What the command line says. */
struct CapabilityCommand {
    TextEvalOptions texts;
    std::vector<std::string> tasks;
    std::optional<std::string> data;
    std::vector<eval::Arm> arms;
    std::optional<std::int64_t> samples;
    std::optional<std::int64_t> questions;
    std::optional<std::int64_t> tokens;
    std::optional<std::int64_t> resamples;
    std::optional<bool> thinking;
    std::optional<std::int64_t> shots;
    std::optional<std::int64_t> chains;
    std::optional<std::int64_t> hops;
    std::optional<std::int64_t> hash_questions;
    std::optional<std::int64_t> code_seconds;
};

/** The tasks, and the sandbox that one of them may need. */
struct Tasks {
    std::unique_ptr<capability::Sandbox> sandbox;
    std::vector<std::unique_ptr<capability::Task>> all;
};

std::unique_ptr<capability::Sandbox> make_sandbox(const CapabilityCommand& command) {
    capability::SandboxLimits limits;
    limits.seconds = size_or(command.code_seconds, limits.seconds);
    try {
        return std::make_unique<capability::Sandbox>(limits);
    } catch (const capability::SandboxError& error) {
        throw UsageError(
            fmt::format("humaneval runs programs that the model wrote, and they can't be shut in here: {}; choose "
                        "other tasks with --task",
                        error.what()));
    }
}

std::unique_ptr<capability::Task> make_hashhop(const CapabilityCommand& command) {
    capability::HashHopOptions options;
    options.questions = size_or(command.hash_questions, options.questions);
    options.chains = size_or(command.chains, options.chains);
    options.hops = size_or(command.hops, options.hops);
    options.seed = command.texts.seed();
    return capability::make_hashhop(options);
}

std::unique_ptr<capability::Task> make_task(const std::string& name, const CapabilityCommand& command, Tasks& tasks) {
    constexpr std::size_t usual_shots = 5;
    if (name == "hashhop") return make_hashhop(command);
    if (!command.data) throw UsageError(fmt::format("--data DIR is needed for {}: the folder with {}/", name, name));
    if (name == "gsm8k") return capability::load_gsm8k(*command.data);
    if (name == "mmlu") return capability::load_mmlu(*command.data, size_or(command.shots, usual_shots));
    if (name == "ifeval") return capability::load_ifeval(*command.data);
    if (name == "bfcl") return capability::load_bfcl(*command.data);
    tasks.sandbox = make_sandbox(command);
    return capability::load_humaneval(*command.data, *tasks.sandbox);
}

Tasks make_tasks(const CapabilityCommand& command) {
    std::vector<std::string> names = command.tasks;
    if (names.empty()) names = {"gsm8k", "mmlu", "ifeval", "bfcl", "humaneval", "hashhop"};
    Tasks tasks;
    for (const std::string& name : names) {
        try {
            tasks.all.push_back(make_task(name, command, tasks));
        } catch (const capability::DataError& error) {
            throw UsageError(fmt::format("{}: {}", name, error.what()));
        }
    }
    return tasks;
}

int run(const CapabilityCommand& command, const std::string& line) {
    capability::CapabilityOptions options;
    options.asking.arms = checked_arms(command.arms);
    options.asking.samples = size_or(command.samples, options.asking.samples);
    if (command.questions) options.asking.questions = size_or(command.questions, 0);
    if (command.tokens) options.asking.max_tokens = size_or(command.tokens, 0);
    options.asking.thinking = command.thinking;
    options.asking.seed = options.bootstrap.seed = command.texts.seed();
    options.bootstrap.resamples = size_or(command.resamples, options.bootstrap.resamples);
    const Tasks tasks = make_tasks(command);
    for (const auto& task : tasks.all)
        if (task->questions().size() < 2) throw UsageError(task->name() + " has one question; two are needed to tell anything");
    return run_text_evaluation(
        command.texts, line,
        [&](eval::TextSource& source, const eval::Progress& progress) {
            return capability::capability_report(tasks.all, source, options, progress);
        },
        "comparison", capability::comparison_columns());
}

void add_task(CapabilityCommand& command, const std::string& name) {
    const std::set<std::string> known{"gsm8k", "mmlu", "ifeval", "bfcl", "humaneval", "hashhop"};
    if (!known.contains(name)) throw UsageError(fmt::format("--task must be one of {}, got {}", task_names, name));
    if (std::find(command.tasks.begin(), command.tasks.end(), name) == command.tasks.end()) command.tasks.push_back(name);
}

void add_flags(CapabilityCommand& command, Flags& flags) {
    flags.text("--data", "DIR", command.data, "Folder of datasets as published: gsm8k/, mmlu/, ifeval/, bfcl/, humaneval/");
    flags.each(
        "--task", "NAME", [&command](const std::string& word) { add_task(command, word); },
        std::string("One of ") + task_names + "; repeatable (all)");
    flags.each(
        "--arm", "NAME=JSON", [&command](const std::string& word) { command.arms.push_back(read_arm(word)); },
        "Settings to compare, as in a request: 'cut={\"top_p\": 0.9}'; the first is what others are compared with (off and hlg, "
        "T = 1)");
    flags.whole("--samples", command.samples, 1, many, "Answers to each question, for each arm (4)");
    flags.whole("--questions", command.questions, 2, many, "Questions of each task, drawn at random (all)");
    flags.whole("--tokens", command.tokens, 1, many, "Most tokens of an answer (128 to 1024, by task)");
    flags.whole("--resamples", command.resamples, 10, many, "Resamples for intervals (1000)");
    flags.choice("--thinking", "on|off", command.thinking, "Whether the model reasons first, where its template can switch that",
                 on_or_off);
    flags.whole("--shots", command.shots, 0, 5, "Examples before each question of mmlu (5)");
    flags.whole("--chains", command.chains, 1, many / 2, "Chains in each question of hashhop (16)");
    flags.whole("--hops", command.hops, 1, 100, "Steps of hashhop's chains; questions ask for 1 to so many (4)");
    flags.whole("--hash-questions", command.hash_questions, 2, many, "Questions of hashhop (100)");
    flags.whole("--code-seconds", command.code_seconds, 1, 600, "Time for each program of humaneval (10)");
}

}  // namespace

void add_capability(CLI::App& parent, Action& action) {
    auto command = std::make_shared<CapabilityCommand>();
    Flags flags(parent, "capability",
                "What samplers do to what a model can do: sums, knowledge, instructions, functions, programs");
    add_flags(*command, flags);
    command->texts.add_to(flags, "capability");
    flags.when_chosen([command, flags, &action] {
        action = [command, line = spoken_command("hlg eval capability", flags)] {
            try {
                return run(*command, line);
            } catch (const std::invalid_argument& error) {
                throw UsageError(error.what());
            }
        };
    });
}

}  // namespace hlg::cli
