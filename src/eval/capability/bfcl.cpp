// SPDX-License-Identifier: MIT
#include "eval/capability/bfcl.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>

#include "eval/capability/bfcl_calls.hpp"
#include "eval/capability/data_file.hpp"
#include "eval/capability/fingerprint.hpp"

namespace hlg::eval::capability {
namespace {

namespace fs = std::filesystem;

struct Category {
    std::string name;
    std::vector<std::string> spellings;  ///< of its file
    bool calls = true;
    bool optional = false;
};

const std::array<Category, 5>& categories() {
    static const std::array<Category, 5> all{{{"simple", {"simple_python", "simple"}},
                                              {"multiple", {"multiple"}},
                                              {"parallel", {"parallel"}},
                                              {"parallel_multiple", {"parallel_multiple"}, true, true},
                                              {"irrelevance", {"irrelevance"}, false}}};
    return all;
}

/** "BFCL_v4_simple_python.json" -> "simple_python". */
std::optional<std::string> category_in(const std::string& file) {
    constexpr std::string_view start = "BFCL_v";
    constexpr std::string_view end = ".json";
    if (!file.starts_with(start) || !file.ends_with(end)) return std::nullopt;
    const std::size_t digits = std::min(file.find_first_not_of("0123456789", start.size()), file.size());
    if (digits == start.size() || file[digits] != '_') return std::nullopt;
    return file.substr(digits + 1, file.size() - digits - 1 - end.size());
}

/** The file of a category: the highest version, if there are several. */
std::optional<fs::path> file_of(const fs::path& folder, const Category& category) {
    std::optional<fs::path> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::optional<std::string> name = category_in(entry.path().filename().string());
        const auto& spellings = category.spellings;
        if (!name || std::find(spellings.begin(), spellings.end(), *name) == spellings.end()) continue;
        if (!found || found->filename() < entry.path().filename()) found = entry.path();
    }
    if (error) throw DataError("can't read " + folder.string() + ": " + error.message());
    return found;
}

void check_functions(const DataRow& row) {
    for (const json& function : row.array("function")) {
        if (!function.is_object() || !function.contains("name") || !function["name"].is_string())
            row.refuse("a function has no name");
        if (!function.contains("parameters") || !function["parameters"].is_object()) row.refuse("a function has no parameters");
    }
}

/** Ground truth must be calls of the functions that the question has, with lists of values. */
void check_truth(const DataRow& row, const json& functions) {
    for (const json& call : row.array("ground_truth")) {
        if (!call.is_object() || call.size() != 1 || !call.begin().value().is_object())
            row.refuse("ground_truth must hold objects {FUNCTION: {PARAMETER: [values]}}");
        const std::string& name = call.begin().key();
        if (std::none_of(functions.begin(), functions.end(), [&](const json& one) { return one["name"] == name; }))
            row.refuse("the question has no function called " + name);
        for (const auto& [key, values] : call.begin().value().items())
            if (!values.is_array()) row.refuse("no list of values for " + key);
    }
}

/** The first turn: "question" is an array of turns, each an array of messages. */
std::vector<Turn> parse_turns(const DataRow& row) {
    const json& turns = row.array("question");
    if (turns.size() != 1 || !turns[0].is_array() || turns[0].empty()) row.refuse("question must be one turn of messages");
    std::vector<Turn> made;
    for (const json& message : turns[0]) {
        if (!message.is_object() || !message.value("role", json()).is_string() || !message.value("content", json()).is_string())
            row.refuse("a message has no role or no content");
        made.push_back({message["role"].get<std::string>(), message["content"].get<std::string>()});
    }
    return made;
}

class Bfcl : public Task {
public:
    explicit Bfcl(const fs::path& folder) {
        std::string all;
        for (const Category& category : categories()) {
            const std::optional<fs::path> file = file_of(folder, category);
            if (file) {
                read(category, *file, all);
            } else if (!category.optional) {
                throw DataError(folder.string() + ": no BFCL_vN_" + category.spellings.front() + ".json");
            }
        }
        fingerprint_ = fingerprint_of(all);
    }

    [[nodiscard]] std::string name() const override { return "bfcl"; }
    [[nodiscard]] std::string title() const override { return "BFCL"; }
    [[nodiscard]] const std::vector<Question>& questions() const override { return questions_; }
    [[nodiscard]] std::string fingerprint() const override { return fingerprint_; }
    // Who never calls anything is right wherever no call is wanted.
    [[nodiscard]] Chance chance() const override { return Chance::others; }

    [[nodiscard]] std::vector<Points> judge(std::size_t index, const Answer& answer) const override {
        const Truth& truth = truths_[index];
        return {{.right = calls_match(answer.calls, truth.functions, truth.calls) ? 1.0 : 0.0}};
    }

private:
    struct Truth {
        json functions;
        json calls = json::array();
    };

    void read(const Category& category, const fs::path& file, std::string& all) {
        const std::string text = read_data_file(file.string());
        all += text;
        const std::vector<DataRow> rows = parse_json_lines(text, file.string());
        std::map<std::string, DataRow> answers;
        if (category.calls) answers = read_answers(file, all);
        for (const DataRow& row : rows) {
            check_functions(row);
            const std::string id = row.text("id");
            Truth truth{.functions = row.array("function")};
            if (category.calls) {
                const auto found = answers.find(id);
                if (found == answers.end()) row.refuse("no possible answer for " + id);
                check_truth(found->second, truth.functions);
                truth.calls = found->second.array("ground_truth");
            }
            questions_.push_back(
                {.id = id, .group = category.name, .turns = parse_turns(row), .tools = tools_of(truth.functions)});
            truths_.push_back(std::move(truth));
        }
    }

    /** By the question's id. */
    static std::map<std::string, DataRow> read_answers(const fs::path& file, std::string& all) {
        const std::string path = (file.parent_path() / "possible_answer" / file.filename()).string();
        const std::string text = read_data_file(path);
        all += text;
        std::map<std::string, DataRow> answers;
        for (const DataRow& row : parse_json_lines(text, path)) answers.insert_or_assign(row.text("id"), row);
        return answers;
    }

    std::string fingerprint_;
    std::vector<Question> questions_;
    std::vector<Truth> truths_;
};

}  // namespace

std::unique_ptr<Task> load_bfcl(const std::string& folder) { return std::make_unique<Bfcl>(fs::path(folder) / "bfcl"); }

}  // namespace hlg::eval::capability
