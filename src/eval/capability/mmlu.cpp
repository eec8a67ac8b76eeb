// SPDX-License-Identifier: MIT
#include "eval/capability/mmlu.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/core.h>

#include "engine/utf8.hpp"
#include "eval/capability/data_file.hpp"
#include "eval/capability/fingerprint.hpp"

namespace hlg::eval::capability {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t choices = 4;
constexpr std::size_t fields = choices + 2;

struct Exercise {
    std::string question;  ///< with its choices
    char answer = 'A';
};

std::optional<char> answer_letter(const std::string& field) {
    if (field.size() != 1) return std::nullopt;
    if (field[0] >= 'A' && field[0] <= 'D') return field[0];
    if (field[0] >= '0' && field[0] <= '3') return static_cast<char>('A' + (field[0] - '0'));
    return std::nullopt;
}

Exercise parse_exercise(const CsvRecord& record, const std::string& path) {
    const auto refuse = [&](const std::string& what) { throw DataError(fmt::format("{}:{}: {}", path, record.line, what)); };
    if (record.fields.size() != fields) refuse(fmt::format("{} fields instead of {}", record.fields.size(), fields));
    for (const std::string& field : record.fields)
        if (engine::first_invalid_utf8(field)) refuse("not UTF-8");
    const std::optional<char> letter = answer_letter(record.fields.back());
    if (!letter) refuse("the answer must be A to D or 0 to 3, got " + record.fields.back());
    Exercise exercise{.question = record.fields[0], .answer = letter.value_or('A')};
    for (std::size_t i = 0; i < choices; ++i)
        exercise.question += fmt::format("\n{}. {}", static_cast<char>('A' + i), record.fields[i + 1]);
    return exercise;
}

/** The exercises of a file; its text joins `all`. */
std::vector<Exercise> read_exercises(const fs::path& path, std::string& all) {
    const std::string text = read_data_file(path.string());
    all += text;
    std::vector<CsvRecord> records = parse_csv(text, path.string());
    if (!records.empty() && records.front().fields.back() == "answer") records.erase(records.begin());
    if (records.empty()) throw DataError(path.string() + ": holds no question");
    std::vector<Exercise> exercises;
    exercises.reserve(records.size());
    for (const CsvRecord& record : records) exercises.push_back(parse_exercise(record, path.string()));
    return exercises;
}

/** The subjects of a folder of SUBJECT_test.csv, sorted. */
std::vector<std::string> subjects_of(const fs::path& folder) {
    constexpr std::string_view ending = "_test.csv";
    std::vector<std::string> subjects;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.size() > ending.size() && name.ends_with(ending))
            subjects.push_back(name.substr(0, name.size() - ending.size()));
    }
    if (error) throw DataError(fmt::format("can't read {}: {}", folder.string(), error.message()));
    if (subjects.empty()) throw DataError(folder.string() + ": holds no SUBJECT_test.csv");
    std::sort(subjects.begin(), subjects.end());
    return subjects;
}

class Mmlu : public Task {
public:
    Mmlu(const fs::path& folder, std::size_t shots) {
        std::string all;
        for (const std::string& subject : subjects_of(folder / "test")) {
            const std::vector<Turn> opening = examples(folder, subject, shots, all);
            for (const Exercise& exercise : read_exercises(folder / "test" / (subject + "_test.csv"), all)) {
                Question question{.id = fmt::format("{}/{}", subject, questions_.size()), .group = subject, .turns = opening};
                question.turns.push_back({"user", exercise.question});
                questions_.push_back(std::move(question));
                gold_.push_back(exercise.answer);
            }
        }
        fingerprint_ = fingerprint_of(fmt::format("{}\n{}", shots, all));
    }

    [[nodiscard]] std::string name() const override { return "mmlu"; }
    [[nodiscard]] std::string title() const override { return "MMLU"; }
    [[nodiscard]] const std::vector<Question>& questions() const override { return questions_; }
    [[nodiscard]] std::string fingerprint() const override { return fingerprint_; }
    [[nodiscard]] double chance_share() const override { return 1.0 / choices; }

    [[nodiscard]] std::vector<Points> judge(std::size_t index, const Answer& answer) const override {
        return {{.right = mmlu_answer(answer.text) == gold_[index] ? 1.0 : 0.0}};
    }

private:
    /** What comes before each question of a subject. */
    static std::vector<Turn> examples(const fs::path& folder, const std::string& subject, std::size_t shots, std::string& all) {
        std::string words = subject;
        std::replace(words.begin(), words.end(), '_', ' ');
        std::vector<Turn> turns{{"system", fmt::format("You answer questions about {}, each with four choices. Reason as you "
                                                       "need to, and end with a line \"Answer: LETTER\".",
                                                       words)}};
        if (shots == 0) return turns;
        const fs::path path = folder / "dev" / (subject + "_dev.csv");
        const std::vector<Exercise> found = read_exercises(path, all);
        if (found.size() < shots)
            throw DataError(fmt::format("{}: {} examples, {} are wanted", path.string(), found.size(), shots));
        for (std::size_t i = 0; i < shots; ++i) {
            turns.push_back({"user", found[i].question});
            turns.push_back({"assistant", fmt::format("Answer: {}", found[i].answer)});
        }
        return turns;
    }

    std::string fingerprint_;
    std::vector<Question> questions_;
    std::vector<char> gold_;
};

bool word_byte(std::string_view text, std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_' || text[at] == '\'' ||
                                static_cast<unsigned char>(text[at]) >= 0x80);
}

/** Whether a choice's letter stands there as a word of its own. */
bool letter_at(std::string_view text, std::size_t at) {
    return at < text.size() && text[at] >= 'A' && text[at] <= 'D' && !word_byte(text, at + 1) &&
           (at == 0 || !word_byte(text, at - 1));
}

/** Behind ornaments such as ": **(". */
std::size_t skip_ornaments(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of(" \t\r\n:*_(\"'[{`$", at), text.size());
}

/** The letter behind the last "answer", with "is" between them or nothing. */
std::optional<char> behind_answer(std::string_view text) {
    std::string lower(text);
    for (char& byte : lower) byte = static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
    constexpr std::string_view answer = "answer";
    for (std::size_t at = lower.rfind(answer); at != std::string::npos; at = at == 0 ? at : lower.rfind(answer, at - 1)) {
        std::size_t place = skip_ornaments(text, at + answer.size());
        if (lower.compare(place, 3, "is ") == 0 || lower.compare(place, 3, "is:") == 0) place = skip_ornaments(text, place + 2);
        if (letter_at(text, place)) return text[place];
        if (at == 0) break;
    }
    return std::nullopt;
}

/** The last letter in brackets, or alone on its line but for ornaments. */
std::optional<char> last_alone(std::string_view text) {
    for (std::size_t at = text.size(); at-- > 0;) {
        if (!letter_at(text, at)) continue;
        if (at > 0 && text[at - 1] == '(' && at + 1 < text.size() && text[at + 1] == ')') return text[at];
        const std::size_t before = at == 0 ? std::string_view::npos : text.find_last_not_of(" \t*(\"`", at - 1);
        const std::size_t after = text.find_first_not_of(" \t*)\".`\r", at + 1);
        if ((before == std::string_view::npos || text[before] == '\n') &&
            (after == std::string_view::npos || text[after] == '\n'))
            return text[at];
    }
    return std::nullopt;
}

}  // namespace

std::optional<char> mmlu_answer(const std::string& text) {
    if (const std::optional<char> found = behind_answer(text)) return found;
    const std::size_t first = skip_ornaments(text, 0);
    // "A" may be the article of a sentence: only marks, or the text's end, make it a choice.
    if (letter_at(text, first) &&
        (first + 1 == text.size() || std::string_view(".:)]},*\r\n").find(text[first + 1]) != std::string_view::npos))
        return text[first];
    return last_alone(text);
}

std::unique_ptr<Task> load_mmlu(const std::string& folder, std::size_t shots) {
    return std::make_unique<Mmlu>(fs::path(folder) / "mmlu", shots);
}

}  // namespace hlg::eval::capability
