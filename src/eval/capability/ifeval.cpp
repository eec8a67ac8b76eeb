// SPDX-License-Identifier: MIT
#include "eval/capability/ifeval.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "eval/capability/data_file.hpp"
#include "eval/capability/fingerprint.hpp"
#include "eval/capability/ifeval_check.hpp"
#include "eval/capability/unicode.hpp"

namespace hlg::eval::capability {
namespace {

bool follows(const Check& check, const std::string& text) { return !stripped(text).empty() && check(text); }

/** A check for each of a prompt's instructions. */
std::vector<Check> parse_checks(const DataRow& row) {
    const json& ids = row.array("instruction_id_list");
    const json& arguments = row.array("kwargs");
    if (ids.empty() || ids.size() != arguments.size())
        row.refuse("instruction_id_list and kwargs must be as long as each other, and not empty");
    std::vector<Check> checks;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!ids[i].is_string() || !arguments[i].is_object()) row.refuse("instruction ids must be texts and kwargs objects");
        try {
            checks.push_back(make_check(ids[i].get<std::string>(), arguments[i]));
        } catch (const std::runtime_error& error) {
            row.refuse(error.what());
        }
    }
    return checks;
}

class IfEval : public Task {
public:
    IfEval(const std::string& text, const std::string& path) : fingerprint_(fingerprint_of(text)) {
        for (const DataRow& row : parse_json_lines(text, path)) {
            checks_.push_back(parse_checks(row));
            questions_.push_back({.id = std::to_string(questions_.size()), .group = {}, .turns = {{"user", row.text("prompt")}}});
        }
    }

    [[nodiscard]] std::string name() const override { return "ifeval"; }
    [[nodiscard]] std::string title() const override { return "IFEval"; }
    [[nodiscard]] const std::vector<Question>& questions() const override { return questions_; }
    [[nodiscard]] std::string fingerprint() const override { return fingerprint_; }
    [[nodiscard]] std::size_t answer_tokens() const override { return 1024; }
    // Any text leaves out commas, or has less than so many words, now and then.
    [[nodiscard]] Chance chance() const override { return Chance::others; }

    [[nodiscard]] std::vector<std::string> measures() const override {
        return {"prompts, strict", "prompts, loose", "instructions, strict", "instructions, loose"};
    }

    [[nodiscard]] std::vector<Points> judge(std::size_t index, const Answer& answer) const override {
        const std::vector<Check>& checks = checks_[index];
        const std::vector<std::string> readings = loose_readings(answer.text);
        double strict = 0.0;
        double loose = 0.0;
        for (const Check& check : checks) {
            if (follows(check, answer.text)) strict += 1.0;
            if (std::any_of(readings.begin(), readings.end(), [&](const auto& text) { return follows(check, text); }))
                loose += 1.0;
        }
        const auto all = static_cast<double>(checks.size());
        return {{.right = strict == all ? 1.0 : 0.0}, {.right = loose == all ? 1.0 : 0.0}, {strict, all}, {loose, all}};
    }

private:
    std::string fingerprint_;
    std::vector<Question> questions_;
    std::vector<std::vector<Check>> checks_;
};

}  // namespace

std::vector<std::string> loose_readings(const std::string& answer) {
    const std::string_view whole = answer;
    const std::size_t first = whole.find('\n');
    const std::size_t last = whole.rfind('\n');
    const auto piece = [](std::string_view text) { return std::string(stripped(text)); };
    std::vector<std::string> readings{answer, "", "", ""};
    if (first != std::string_view::npos) {
        readings[1] = piece(whole.substr(first + 1));
        readings[2] = piece(whole.substr(0, last));
        if (first < last) readings[3] = piece(whole.substr(first + 1, last - first - 1));
    }
    for (std::size_t i = 0; i < 4; ++i) {
        std::string plain = readings[i];
        std::erase(plain, '*');
        readings.push_back(std::move(plain));
    }
    return readings;
}

std::unique_ptr<Task> load_ifeval(const std::string& folder) {
    const std::string path = (std::filesystem::path(folder) / "ifeval" / "input_data.jsonl").string();
    return std::make_unique<IfEval>(read_data_file(path), path);
}

}  // namespace hlg::eval::capability
