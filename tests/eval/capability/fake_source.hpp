// SPDX-License-Identifier: MIT
//
// A task of known answers, and a source that answers as a function says: what is asked, counted and concluded is told without a
// model.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "eval/capability/task.hpp"
#include "eval/text_source.hpp"

namespace hlg::eval::capability {

/** Question i is answered by the text "i". */
class FakeTask : public Task {
public:
    explicit FakeTask(std::size_t questions, Chance chance = Chance::known, double share = 0.0) : chance_(chance), share_(share) {
        for (std::size_t i = 0; i < questions; ++i)
            questions_.push_back({.id = std::to_string(i),
                                  .group = i < 2 ? "few" : "rest",
                                  .turns = {{"system", "Count."}, {"user", "What is " + std::to_string(i) + "?"}},
                                  .tools = i == 1 ? R"([{"type": "function", "function": {"name": "count"}}])" : ""});
    }

    [[nodiscard]] std::string name() const override { return "fake"; }
    [[nodiscard]] std::string title() const override { return "Fake"; }
    [[nodiscard]] const std::vector<Question>& questions() const override { return questions_; }
    [[nodiscard]] std::vector<std::string> measures() const override { return {"right", "twice"}; }
    [[nodiscard]] Chance chance() const override { return chance_; }
    [[nodiscard]] double chance_share() const override { return share_; }
    [[nodiscard]] std::size_t answer_tokens() const override { return 33; }
    [[nodiscard]] std::string fingerprint() const override { return "of a fake"; }

    /** The second measure has two points, and gives one for a wrong answer. */
    [[nodiscard]] std::vector<Points> judge(std::size_t index, const Answer& answer) const override {
        const bool right = answer.text == std::to_string(index) || answer.text == "all" || !answer.calls.empty();
        return {{.right = right ? 1.0 : 0.0}, {.right = right ? 2.0 : 1.0, .of = 2.0}};
    }

private:
    Chance chance_;
    double share_;
    std::vector<Question> questions_;
};

/** Who asked what: "fake 3 off 0" is the third question's first answer for the arm off. */
using FakeAnswer = std::function<WrittenText(const TextJob&)>;

class FakeSource : public TextSource {
public:
    explicit FakeSource(FakeAnswer answer) : answer_(std::move(answer)) {}

    void write(std::span<const TextJob> jobs, const Take& take, const Progress& progress) override {
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            if (progress && !progress(static_cast<double>(i) / static_cast<double>(jobs.size()))) throw Stopped();
            take(i, answer_(jobs[i]));
        }
    }
    [[nodiscard]] const SourceFacts& facts() const override { return facts_; }

private:
    FakeAnswer answer_;
    SourceFacts facts_{.id = "fake", .kind = "model"};
};

/** The label's words. */
struct Asking {
    explicit Asking(const TextJob& job) {
        const std::string& label = job.label;
        const std::size_t first = label.find(' ');
        const std::size_t second = label.find(' ', first + 1);
        const std::size_t third = label.find(' ', second + 1);
        question = label.substr(first + 1, second - first - 1);
        arm = label.substr(second + 1, third - second - 1);
        sample = label.substr(third + 1);
    }
    std::string question;
    std::string arm;
    std::string sample;
};

}  // namespace hlg::eval::capability
