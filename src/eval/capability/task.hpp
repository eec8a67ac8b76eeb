// SPDX-License-Identifier: MIT
//
// A task: questions, and a judge of answers. It knows nothing of models, of samplers, or of how often each question is asked.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hlg::eval::capability {

/** Who speaks ("system", "user" or "assistant"), and what. */
struct Turn {
    std::string role;
    std::string text;
};

/** What a model is asked. */
struct Question {
    std::string id;     ///< within its task; the same in every run
    std::string group;  ///< a part of the task that is told apart in the report: a subject, a category; empty = none
    std::vector<Turn> turns;
    std::string tools = {};  ///< functions that may be called, a JSON array as OpenAI's chat completions spell it; empty = none
};

/** A function that a model called, and the arguments as JSON text, as it wrote them. */
struct Call {
    std::string function;
    std::string arguments;
};

/** What came back. */
struct Answer {
    std::string text;
    std::vector<Call> calls = {};
};

/** How much of a measure an answer earned: `right` of `of`. */
struct Points {
    double right = 0.0;
    double of = 1.0;
};

/** What a model that knows nothing would earn. */
enum class Chance {
    known,   ///< a share that is the same for each question: Task::chance_share()
    others,  ///< what the same answers earn at other questions
};

class Task {
public:
    Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    virtual ~Task() = default;

    /** Its name on the command line, "gsm8k", and for people, "GSM8K". */
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual std::string title() const = 0;

    [[nodiscard]] virtual const std::vector<Question>& questions() const = 0;

    /** What is measured, the first being what arms are compared by. */
    [[nodiscard]] virtual std::vector<std::string> measures() const { return {"accuracy"}; }

    /** An answer to question `index`, judged: a Points for each of measures(). Threads may call it at once. */
    [[nodiscard]] virtual std::vector<Points> judge(std::size_t index, const Answer& answer) const = 0;

    [[nodiscard]] virtual Chance chance() const { return Chance::known; }
    [[nodiscard]] virtual double chance_share() const { return 0.0; }

    /** Tokens that an answer may take, unless the command line says otherwise. */
    [[nodiscard]] virtual std::size_t answer_tokens() const { return 512; }

    /** SHA-256 of what the questions were made from. */
    [[nodiscard]] virtual std::string fingerprint() const = 0;
};

}  // namespace hlg::eval::capability
