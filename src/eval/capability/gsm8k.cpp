// SPDX-License-Identifier: MIT
#include "eval/capability/gsm8k.hpp"

#include <filesystem>

#include <fmt/core.h>

#include "eval/capability/data_file.hpp"
#include "eval/capability/fingerprint.hpp"
#include "eval/capability/numbers.hpp"

namespace hlg::eval::capability {
namespace {

constexpr std::string_view mark = "####";
constexpr const char* instruction =
    "Work the following out step by step. Then give the result alone on the last line, as \"#### NUMBER\".\n\n";

class Gsm8k : public Task {
public:
    Gsm8k(const std::string& text, const std::string& path) : fingerprint_(fingerprint_of(text)) {
        for (const DataRow& row : parse_json_lines(text, path)) {
            const std::string answer = row.text("answer");
            const std::optional<std::string> number = gsm8k_answer(answer);
            if (answer.find(mark) == std::string::npos || !number) row.refuse("answer has no number behind ####");
            gold_.push_back(*number);
            questions_.push_back({.id = fmt::format("{}", questions_.size()),
                                  .group = {},
                                  .turns = {{"user", instruction + row.text("question")}}});
        }
    }

    [[nodiscard]] std::string name() const override { return "gsm8k"; }
    [[nodiscard]] std::string title() const override { return "GSM8K"; }
    [[nodiscard]] const std::vector<Question>& questions() const override { return questions_; }
    [[nodiscard]] std::string fingerprint() const override { return fingerprint_; }

    [[nodiscard]] std::vector<Points> judge(std::size_t index, const Answer& answer) const override {
        return {{.right = gsm8k_answer(answer.text) == gold_[index] ? 1.0 : 0.0}};
    }

private:
    std::string fingerprint_;
    std::vector<Question> questions_;
    std::vector<std::string> gold_;
};

}  // namespace

std::optional<std::string> gsm8k_answer(const std::string& text) {
    const std::size_t marked = text.rfind(mark);
    if (marked == std::string::npos) return last_number(text);
    return first_number(std::string_view(text).substr(marked + mark.size()));
}

std::unique_ptr<Task> load_gsm8k(const std::string& folder) {
    const std::string path = (std::filesystem::path(folder) / "gsm8k" / "test.jsonl").string();
    return std::make_unique<Gsm8k>(read_data_file(path), path);
}

}  // namespace hlg::eval::capability
