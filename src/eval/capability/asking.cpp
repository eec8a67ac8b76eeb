// SPDX-License-Identifier: MIT
#include "eval/capability/asking.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "eval/capability/unicode.hpp"
#include "eval/parallel.hpp"
#include "eval/random.hpp"

namespace hlg::eval::capability {
namespace {

// Prompts of a whole task would fill the memory; lanes stand idle only at the end of so many.
constexpr std::size_t answers_at_a_time = 1024;

constexpr double writing = 0.9;  // of the time, a guess; judging is the rest

/** A seed for one answer, the same for every arm: FNV-1a over what names it, below 2^53, which every JSON reader takes. */
std::uint64_t answer_seed(std::uint64_t seed, const std::string& task, const std::string& question, std::size_t sample) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char byte : fmt::format("{}/{}/{}/{}", seed, task, question, sample))
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return hash >> 11U;
}

std::string messages_of(const Question& question) {
    Json messages = Json::array();
    for (const Turn& turn : question.turns) messages.push_back({{"role", turn.role}, {"content", turn.text}});
    return messages.dump();
}

Answer answer_of(const WrittenText& text) {
    Answer answer{.text = text.text};
    for (const engine::ChatToolCall& call : text.tool_calls) answer.calls.push_back({call.name, call.arguments});
    return answer;
}

/** An answer, judged: the points that it earned, and those of the first measure that it earned elsewhere. */
struct Judged {
    std::vector<Points> points;
    double chance = 0.0;
};

/** Questions and their answers, of which it judges one after the other. */
class Judge {
public:
    Judge(const Task& task, const AskOptions& options, Asked& asked) : task_(task), options_(options), asked_(asked) {}

    /** Texts of jobs_of for the questions from `first` on. Throws Stopped. */
    void judge(std::size_t first, std::span<const WrittenText> texts, const Progress& progress) {
        std::vector<Judged> judged(texts.size());
        const std::size_t each = options_.samples * options_.arms.size();
        parallel_for(
            texts.size(), [&](std::size_t i) { judged[i] = judge_one(first + i / each, texts[i]); }, progress);
        for (std::size_t i = 0; i < texts.size(); ++i)
            add(first + i / each, asked_.arms[i % options_.arms.size()], judged[i], texts[i]);
    }

private:
    [[nodiscard]] Judged judge_one(std::size_t place, const WrittenText& text) const {
        const std::size_t question = asked_.questions[place];
        // Some texts without a word are right where nothing was asked at all; a question that never was asked is not.
        const Answer answer = answer_of(text);
        Judged judged{.points = task_.judge(question, answer)};
        if (text.finish == "error")
            for (Points& points : judged.points) points.right = 0.0;
        if (task_.chance() == Chance::known) {
            judged.chance = task_.chance_share() * judged.points.front().of;
        } else if (text.finish != "error") {
            const std::size_t other = asked_.questions[(place + 1) % asked_.questions.size()];
            const Points elsewhere = task_.judge(other, answer).front();
            judged.chance = elsewhere.right / elsewhere.of * judged.points.front().of;
        }
        return judged;
    }

    void add(std::size_t place, ArmPoints& arm, const Judged& judged, const WrittenText& text) const {
        const std::size_t measures = judged.points.size();
        for (std::size_t i = 0; i < measures; ++i) {
            Points& sum = arm.points[place * measures + i];
            sum.right += judged.points[i].right;
            sum.of += judged.points[i].of;
        }
        arm.chance[place] += judged.chance;
        ++arm.answers;
        if (text.finish == "length") ++arm.cut;
        if (text.finish == "error" && arm.refused++ == 0) arm.refusal = text.error;
        if (text.finish != "error" && text.tool_calls.empty() && stripped(text.text).empty()) ++arm.blank;
    }

    const Task& task_;
    const AskOptions& options_;
    Asked& asked_;
};

}  // namespace

std::vector<std::size_t> chosen_questions(const Task& task, const AskOptions& options) {
    std::vector<std::size_t> all(task.questions().size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (!options.questions || *options.questions >= all.size()) return all;
    Random random(options.seed);
    for (std::size_t i = 0; i < *options.questions; ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
    all.resize(*options.questions);
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<TextJob> jobs_of(const Task& task, std::span<const std::size_t> questions, const AskOptions& options) {
    std::vector<TextJob> jobs;
    for (const std::size_t number : questions) {
        const Question& question = task.questions()[number];
        engine::ChatRequest chat{.messages = messages_of(question), .tools = question.tools};
        chat.thinking = options.thinking;
        for (std::size_t sample = 0; sample < options.samples; ++sample) {
            for (const Arm& arm : options.arms) {
                TextJob job{.label = fmt::format("{} {} {} {}", task.name(), question.id, arm.name, sample), .prompt = chat};
                job.sampling = explicit_settings(arm.sampling);
                job.sampling.seed = answer_seed(options.seed, task.name(), question.id, sample);
                job.max_tokens = options.max_tokens.value_or(task.answer_tokens());
                jobs.push_back(std::move(job));
            }
        }
    }
    return jobs;
}

Asked ask(const Task& task, TextSource& source, const AskOptions& options, const Progress& progress) {
    Asked asked{.questions = chosen_questions(task, options), .arms = {}};
    const std::size_t total = asked.questions.size();
    asked.arms.resize(options.arms.size());
    for (ArmPoints& arm : asked.arms) {
        arm.points.assign(total * task.measures().size(), Points{0.0, 0.0});
        arm.chance.assign(total, 0.0);
    }
    Judge judge(task, options, asked);
    const std::size_t step = std::max<std::size_t>(1, answers_at_a_time / (options.samples * options.arms.size()));
    for (std::size_t first = 0; first < total; first += step) {
        const std::size_t count = std::min(step, total - first);
        const std::vector<TextJob> jobs = jobs_of(task, std::span(asked.questions).subspan(first, count), options);
        const auto part = [&](double done) {
            return !progress ||
                   progress((static_cast<double>(first) + done * static_cast<double>(count)) / static_cast<double>(total));
        };
        const std::vector<WrittenText> texts = write_all(source, jobs, [&](double done) { return part(writing * done); });
        judge.judge(first, texts, [&](double done) { return part(writing + (1.0 - writing) * done); });
        if (!part(1.0)) throw Stopped();
    }
    return asked;
}

}  // namespace hlg::eval::capability
