// SPDX-License-Identifier: MIT
#include "eval/capability/humaneval.hpp"

#include <filesystem>

#include <fmt/core.h>

#include "eval/capability/data_file.hpp"
#include "eval/capability/fingerprint.hpp"
#include "eval/capability/unicode.hpp"

namespace hlg::eval::capability {
namespace {

namespace fs = std::filesystem;

constexpr const char* instruction =
    "Complete this Python function. Answer with one code block that holds the whole function, with the imports that it "
    "needs.\n\n";

/** The insides of fenced code blocks; the last may be open. */
std::vector<std::string> code_blocks(const std::string& text) {
    std::vector<std::string> blocks;
    bool inside = false;
    for (const std::string_view line : split(text, "\n")) {
        if (stripped(line).starts_with("```")) {
            inside = !inside;
            if (inside) blocks.emplace_back();
        } else if (inside) {
            blocks.back().append(line).append("\n");
        }
    }
    return blocks;
}

/** Whether the function is defined there, not within another. */
bool defines(const std::string& code, const std::string& function) {
    for (std::string_view line : split(code, "\n")) {
        if (line.starts_with("async ")) line.remove_prefix(6);
        if (line.starts_with("def " + function) && stripped(line.substr(4 + function.size())).starts_with("(")) return true;
    }
    return false;
}

bool blank(std::string_view line) { return stripped(line).empty(); }
bool indented(std::string_view line) { return line.front() == ' ' || line.front() == '\t'; }

/** A function's body from a text that goes on behind its head. Where it begins at the margin, it or its first line is
    moved in; where it does not, it ends at the first line that stands there. */
std::string body_of(const std::string& text) {
    std::size_t at_margin = 0;
    bool first_at_margin = false;
    bool begun = false;
    for (const std::string_view line : split(text, "\n")) {
        if (blank(line)) continue;
        if (!begun) first_at_margin = !indented(line);
        begun = true;
        if (!indented(line)) ++at_margin;
    }
    std::string body;
    begun = false;
    for (const std::string_view line : split(text, "\n")) {
        const bool at_the_margin = !blank(line) && !indented(line);
        if (at_the_margin && !first_at_margin && begun) break;
        if (!blank(line) && (first_at_margin && (at_margin > 1 || !begun))) body += "    ";
        begun = begun || !blank(line);
        body.append(line).append("\n");
    }
    return body;
}

class HumanEval : public Task {
public:
    HumanEval(const std::string& text, const std::string& path, const Sandbox& sandbox)
        : fingerprint_(fingerprint_of(text)), sandbox_(sandbox) {
        for (const DataRow& row : parse_json_lines(text, path)) {
            Problem problem{.prompt = row.text("prompt"), .entry = row.text("entry_point"), .test = row.text("test")};
            questions_.push_back({.id = row.text("task_id"),
                                  .group = {},
                                  .turns = {{"user", fmt::format("{}```python\n{}\n```", instruction, problem.prompt)}}});
            problems_.push_back(std::move(problem));
        }
    }

    [[nodiscard]] std::string name() const override { return "humaneval"; }
    [[nodiscard]] std::string title() const override { return "HumanEval"; }
    [[nodiscard]] const std::vector<Question>& questions() const override { return questions_; }
    [[nodiscard]] std::vector<std::string> measures() const override { return {"pass@1"}; }
    [[nodiscard]] std::string fingerprint() const override { return fingerprint_; }
    [[nodiscard]] std::size_t answer_tokens() const override { return 768; }

    [[nodiscard]] std::vector<Points> judge(std::size_t index, const Answer& answer) const override {
        return {{.right = sandbox_.run(test_program(problems_[index], answer.text)).passed ? 1.0 : 0.0}};
    }

private:
    std::string fingerprint_;
    const Sandbox& sandbox_;
    std::vector<Question> questions_;
    std::vector<Problem> problems_;
};

}  // namespace

std::string test_program(const Problem& problem, const std::string& answer) {
    const std::vector<std::string> blocks = code_blocks(answer);
    std::string code = blocks.empty() ? answer : blocks.front();
    for (std::size_t i = blocks.size(); i-- > 0;)
        if (defines(blocks[i], problem.entry)) code = blocks[i];
    std::string program = problem.prompt;
    if (defines(code, problem.entry)) {
        // The prompt's head has its description for a body; the answer's own function takes its name over.
        program += "\n    pass\n\n" + code;
    } else {
        program += body_of(code);
    }
    return fmt::format("{}\n{}\ncheck({})\n", program, problem.test, problem.entry);
}

std::unique_ptr<Task> load_humaneval(const std::string& folder, const Sandbox& sandbox) {
    const fs::path plain = fs::path(folder) / "humaneval" / "HumanEval.jsonl";
    const std::string packed = plain.string() + ".gz";
    if (fs::exists(plain) && !fs::exists(packed))
        return std::make_unique<HumanEval>(read_data_file(plain.string()), plain.string(), sandbox);
    return std::make_unique<HumanEval>(unpacked_gzip(read_data_file(packed), packed), packed, sandbox);
}

}  // namespace hlg::eval::capability
