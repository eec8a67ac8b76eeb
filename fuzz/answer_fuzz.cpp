// What a model answered, of any bytes, before every judge of hlg eval capability, and the same bytes as a dataset's file. A judge
// takes what comes; an answer that it reads out of a text is of the form that it promises; files are read or refused by a
// DataError.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/utf8.hpp"
#include "eval/capability/bfcl_calls.hpp"
#include "eval/capability/data_file.hpp"
#include "eval/capability/gsm8k.hpp"
#include "eval/capability/hashhop.hpp"
#include "eval/capability/humaneval.hpp"
#include "eval/capability/ifeval.hpp"
#include "eval/capability/ifeval_check.hpp"
#include "eval/capability/mmlu.hpp"
#include "eval/capability/numbers.hpp"
#include "eval/capability/sentences.hpp"
#include "eval/capability/unicode.hpp"
#include "require.hpp"

namespace {

using namespace hlg::eval::capability;
using hlg::fuzz::require;
using nlohmann::json;

void check_short_answers(const std::string& answer) {
    if (const auto number = gsm8k_answer(answer)) {
        require(number->find_first_not_of("-.0123456789") == std::string::npos, "a number in plain form", *number);
        require(last_number(*number) == number, "whose plain form is itself", *number);
    }
    const auto letter = mmlu_answer(answer);
    require(!letter || (*letter >= 'A' && *letter <= 'D'), "one of four letters");
    const auto hash = hashhop_answer(answer, {"AbCd", "q"});
    require(!hash || *hash == "AbCd" || *hash == "q", "one of the hashes");
}

void check_program(const std::string& answer) {
    const Problem problem{.prompt = "def f(x):\n    \"\"\"x\"\"\"\n", .entry = "f", .test = "def check(candidate):\n    pass\n"};
    const std::string program = test_program(problem, answer);
    require(program.starts_with(problem.prompt), "a program begins with the prompt");
    require(program.ends_with(problem.test + "\ncheck(f)\n"), "and ends with the test");
}

/** Arguments that fit every instruction. */
const std::vector<Check>& every_check() {
    static const std::vector<Check> all = [] {
        const json arguments =
            json::parse(R"({"keywords": ["a", "é"], "forbidden_words": ["mill", "é"], "keyword": "a", "relation": "at least",
            "frequency": 2, "letter": "q", "let_relation": "less than", "let_frequency": 3, "language": "en", "num_words": 3, "num_sentences": 2,
            "num_paragraphs": 2, "nth_paragraph": 1, "first_word": "a", "num_placeholders": 1, "postscript_marker": "P.P.S", "num_bullets": 1,
            "num_highlights": 1, "section_spliter": "Part", "num_sections": 1, "prompt_to_repeat": "say a", "end_phrase": "a.",
            "capital_relation": "at least", "capital_frequency": 1})");
        std::vector<Check> made;
        for (const std::string& id : known_checks()) made.push_back(make_check(id, arguments));
        return made;
    }();
    return all;
}

void check_instructions(const std::string& answer) {
    for (const Check& check : every_check()) (void)check(answer);
    require(loose_readings(answer).size() == 8, "eight readings");
    require(!(all_capitals(answer) && no_capitals(answer)), "capitals or none");
    require(count_sentences(answer) <= answer.size(), "no more sentences than bytes");
    require(!hlg::engine::first_invalid_utf8(utf8(characters(answer))), "characters are UTF-8 again");
    require(word_runs(answer).size() <= answer.size(), "no more words than bytes");
}

void check_calls(const std::string& answer) {
    static const json functions =
        json::parse(R"([{"name": "a.b", "parameters": {"type": "dict", "properties": {"x": {"type": "integer"},
        "y": {"type": "array", "items": {"type": "dict"}}, "z": {"type": "string"}}, "required": ["x"]}}])");
    static const json truth = json::parse(R"([{"a.b": {"x": [1, ""], "y": [[{"k": [1, ""]}], ""], "z": ["Q q", ""]}}])");
    const bool right = calls_match({{"a_b", answer}}, functions, truth);
    require(!right || json::parse(answer).at("x") == 1, "what is right has what was asked for", answer);
}

/** Records that were read, written with every field quoted, are read as the same. */
void check_file(const std::string& text) {
    try {
        const std::vector<CsvRecord> records = parse_csv(text, "f");
        std::string written;
        for (const CsvRecord& record : records) {
            for (const std::string& field : record.fields) {
                written += &field == record.fields.data() ? "\"" : ",\"";
                for (const char byte : field) written += byte == '"' ? std::string("\"\"") : std::string(1, byte);
                written += '"';
            }
            written += '\n';
        }
        const std::vector<CsvRecord> again = parse_csv(written, "f");
        require(records.size() == again.size(), "as many records", written);
        for (std::size_t i = 0; i < records.size(); ++i)
            require(records[i].fields == again[i].fields, "the same fields", written);
    } catch (const DataError&) {
        // which is how a file is refused
    }
    try {
        (void)parse_json_lines(text, "f");
        (void)unpacked_gzip(text, "f");
    } catch (const DataError&) {
        // likewise
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    check_short_answers(text);
    check_program(text);
    check_instructions(text);
    check_calls(text);
    check_file(text);
    return 0;
}
