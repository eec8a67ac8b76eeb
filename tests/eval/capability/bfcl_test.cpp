// The files of BFCL: made-up ones, and the published ones, whose own answers must be right.
#include "eval/capability/bfcl.hpp"

#include <map>

#include "engine/chat_templates.hpp"
#include "engine/demo_engine.hpp"
#include "engine/grammar_vocabulary.hpp"
#include "eval/capability/bfcl_calls.hpp"
#include "eval/capability/fixture.hpp"

namespace hlg::eval::capability {
namespace {

class Bfcl : public DataFolder {
protected:
    static std::string question(const std::string& id) {
        return R"({"id": ")" + id +
               R"(", "question": [[{"role": "user", "content": "Grind 5 kilos."}]], "function": [{"name": "mill.grind",)"
               R"( "description": "Grinds.", "parameters": {"type": "dict", "properties": {"kilos": {"type": "integer"}}, "required": ["kilos"]}}]})";
    }
    static std::string truth(const std::string& id) {
        return R"({"id": ")" + id + R"(", "ground_truth": [{"mill.grind": {"kilos": [5]}}]})";
    }
    void write_all() const {
        for (const std::string name : {"simple", "multiple", "parallel"}) {
            write("bfcl/BFCL_v3_" + name + ".json", question(name + "_0"));
            write("bfcl/possible_answer/BFCL_v3_" + name + ".json", truth(name + "_0"));
        }
        write("bfcl/BFCL_v3_irrelevance.json", question("irrelevance_0"));
    }
    [[nodiscard]] std::string error() const {
        return error_of([&] { (void)load_bfcl(folder()); });
    }
};

TEST_F(Bfcl, LoadsAndJudges) {
    write_all();
    const std::unique_ptr<Task> task = load_bfcl(folder());
    ASSERT_EQ(task->questions().size(), 4U);
    EXPECT_EQ(task->questions()[0].group, "simple");
    EXPECT_EQ(task->questions()[0].turns[0].text, "Grind 5 kilos.");
    EXPECT_NE(task->questions()[0].tools.find("mill_grind"), std::string::npos);
    const Answer call{.text = "", .calls = {{"mill_grind", R"({"kilos": 5})"}}};
    EXPECT_EQ(task->judge(0, call)[0].right, 1.0);
    EXPECT_EQ(task->judge(0, {"mill.grind(kilos=5)"})[0].right, 0.0);
    EXPECT_EQ(task->questions()[3].group, "irrelevance");
    EXPECT_EQ(task->judge(3, call)[0].right, 0.0);
    EXPECT_EQ(task->judge(3, {"I have no function for that."})[0].right, 1.0);
    EXPECT_EQ(task->chance(), Chance::others);
}

TEST_F(Bfcl, TheHighestVersionIsRead) {
    write_all();
    write("bfcl/BFCL_v4_simple_python.json", question("simple_python_0") + "\n" + question("simple_python_1"));
    write("bfcl/possible_answer/BFCL_v4_simple_python.json", truth("simple_python_0") + "\n" + truth("simple_python_1"));
    write("bfcl/BFCL_v4_simple_java.json", "not read");
    EXPECT_EQ(load_bfcl(folder())->questions().size(), 5U);
}

TEST_F(Bfcl, WrongFilesAreNamed) {
    EXPECT_EQ(error(), "can't read bfcl: No such file or directory");
    write("bfcl/BFCL_v3_simple.json", question("simple_0"));
    EXPECT_EQ(error(), "can't read bfcl/possible_answer/BFCL_v3_simple.json: No such file or directory");
    write("bfcl/possible_answer/BFCL_v3_simple.json", truth("simple_1"));
    EXPECT_EQ(error(), "bfcl/BFCL_v3_simple.json:1: no possible answer for simple_0");
    write("bfcl/possible_answer/BFCL_v3_simple.json", truth("simple_0"));
    EXPECT_EQ(error().substr(0, 13), "bfcl: no BFCL");
    write("bfcl/possible_answer/BFCL_v3_simple.json", R"({"id": "simple_0", "ground_truth": [{"bake": {}}]})");
    EXPECT_EQ(error(), "bfcl/possible_answer/BFCL_v3_simple.json:1: the question has no function called bake");
    write("bfcl/possible_answer/BFCL_v3_simple.json", R"({"id": "simple_0", "ground_truth": ["mill.grind"]})");
    EXPECT_EQ(error(),
              "bfcl/possible_answer/BFCL_v3_simple.json:1: ground_truth must hold objects {FUNCTION: {PARAMETER: [values]}}");
    write("bfcl/possible_answer/BFCL_v3_simple.json", R"({"id": "simple_0", "ground_truth": [{"mill.grind": {"kilos": 5}}]})");
    EXPECT_EQ(error(), "bfcl/possible_answer/BFCL_v3_simple.json:1: no list of values for kilos");
    write("bfcl/BFCL_v3_simple.json", R"({"id": "simple_0", "question": [], "function": [{"description": "?"}]})");
    EXPECT_EQ(error(), "bfcl/BFCL_v3_simple.json:1: a function has no name");
    write("bfcl/BFCL_v3_simple.json", R"({"id": "simple_0", "question": [], "function": [{"name": "f"}]})");
    EXPECT_EQ(error(), "bfcl/BFCL_v3_simple.json:1: a function has no parameters");
    write("bfcl/possible_answer/BFCL_v3_simple.json", R"({"id": "simple_0", "ground_truth": []})");
    write("bfcl/BFCL_v3_simple.json", R"({"id": "simple_0", "question": [[], []], "function": []})");
    EXPECT_EQ(error(), "bfcl/BFCL_v3_simple.json:1: question must be one turn of messages");
    write("bfcl/BFCL_v3_simple.json", R"({"id": "simple_0", "question": [[{"role": "user"}]], "function": []})");
    EXPECT_EQ(error(), "bfcl/BFCL_v3_simple.json:1: a message has no role or no content");
}

/** A value as a model would write it: where a member has several that are right, the last one. */
json rendered(const json& option) {
    if (!option.is_object()) {
        if (!option.is_array()) return option;
        json made = json::array();
        for (const json& one : option) made.push_back(rendered(one));
        return made;
    }
    json made = json::object();
    for (const auto& [key, options] : option.items())
        if (options.is_array() && !options.empty()) made[key] = rendered(options.back());
    return made;
}

/** The calls of a ground truth, with the last value that is right for each parameter that the function has. */
std::vector<Call> rendered_calls(const json& truth, const json& functions) {
    const json nothing = std::string();  // "may be left out"
    std::vector<Call> calls;
    for (const json& one : truth) {
        json arguments = json::object();
        for (const json& function : functions) {
            if (function["name"] != one.begin().key()) continue;
            for (const auto& [key, options] : one.begin().value().items()) {
                if (!function["parameters"]["properties"].contains(key)) continue;
                for (const json& option : options)
                    if (option != nothing) arguments[key] = rendered(option);
            }
        }
        calls.push_back({callable_name(one.begin().key()), arguments.dump()});
    }
    return calls;
}

TEST_F(Bfcl, Published) {
    HLG_SKIP_WITHOUT_PUBLISHED();
    const std::unique_ptr<Task> task = load_bfcl(published());
    std::map<std::string, std::size_t> counts;
    for (const Question& question : task->questions()) ++counts[question.group];
    EXPECT_EQ(counts,
              (std::map<std::string, std::size_t>{
                  {"simple", 400}, {"multiple", 200}, {"parallel", 200}, {"parallel_multiple", 200}, {"irrelevance", 240}}));
    std::size_t at = 0;
    for (const std::string name : {"simple_python", "multiple", "parallel", "parallel_multiple"}) {
        const std::string file = "BFCL_v4_" + name + ".json";
        const auto questions = parse_json_lines(read_data_file(published() + "/bfcl/" + file), file);
        const auto answers = parse_json_lines(read_data_file(published() + "/bfcl/possible_answer/" + file), file);
        for (std::size_t i = 0; i < questions.size(); ++i, ++at) {
            Answer answer{.text = "", .calls = rendered_calls(answers[i].array("ground_truth"), questions[i].array("function"))};
            EXPECT_EQ(task->judge(at, answer)[0].right, 1.0) << task->questions()[at].id << " " << answer.calls[0].arguments;
            std::reverse(answer.calls.begin(), answer.calls.end());
            EXPECT_EQ(task->judge(at, answer)[0].right, 1.0) << task->questions()[at].id;
            EXPECT_EQ(task->judge(at, {""})[0].right, 0.0);
            answer.calls.push_back({"none_such", "{}"});
            EXPECT_EQ(task->judge(at, answer)[0].right, 0.0);
        }
    }
    for (; at < task->questions().size(); ++at) EXPECT_EQ(task->judge(at, {""})[0].right, 1.0);
}

// What is told of functions must be what a chat's template and the grammar of its calls can use.
TEST_F(Bfcl, PublishedFunctionsCanBeCalled) {
    HLG_SKIP_WITHOUT_PUBLISHED();
    const std::unique_ptr<Task> task = load_bfcl(published());
    const auto made = engine::ChatTemplate::make(engine::demo_model(), engine::test::hermes);
    ASSERT_TRUE(made) << made.error().message;
    const engine::GrammarVocabulary vocabulary(engine::demo_model());
    for (const Question& question : task->questions()) {
        const auto rendered = made->render({.messages = R"([{"role": "user", "content": "Go."}])",
                                            .tools = question.tools,
                                            .tool_choice = {.kind = engine::ToolChoice::Kind::required, .function = {}}});
        ASSERT_TRUE(rendered) << question.id << ": " << rendered.error().message;
        ASSERT_TRUE(rendered->grammar) << question.id;
        const auto grammar = engine::Grammar::compile(vocabulary, *rendered->grammar);
        ASSERT_TRUE(grammar) << question.id << ": " << grammar.error().message;
    }
}

}  // namespace
}  // namespace hlg::eval::capability
