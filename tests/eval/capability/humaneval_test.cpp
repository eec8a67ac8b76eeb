// From an answer to the program that tests it, the loader, and the published solutions, which must pass.
#include "eval/capability/humaneval.hpp"

#include <algorithm>
#include <atomic>

#include "eval/capability/fixture.hpp"
#include "eval/capability/sandbox_fixture.hpp"
#include "eval/parallel.hpp"

namespace hlg::eval::capability {
namespace {

class HumanEval : public DataFolder {
protected:
    MaybeSandbox made_{{}};
};

const Problem problem{.prompt = "import math\n\n\ndef root(x):\n    \"\"\" Its root, rounded.\n    \"\"\"\n",
                      .entry = "root",
                      .test = "def check(candidate):\n    assert candidate(9) == 3\n"};

TEST(TestProgram, ContinuesTheBody) {
    EXPECT_EQ(test_program(problem, "    return round(math.sqrt(x))\n\nprint(root(4))"),
              problem.prompt + "    return round(math.sqrt(x))\n\n\n" + problem.test + "\ncheck(root)\n");
    // A first line that lost its indentation, and a body that never had one.
    EXPECT_NE(
        test_program(problem, "y = math.sqrt(x)\n    return round(y)").find("\"\"\"\n    y = math.sqrt(x)\n    return round(y)"),
        std::string::npos);
    EXPECT_NE(
        test_program(problem, "```\nif x:\n    x = 1\nreturn x\n```").find("\"\"\"\n    if x:\n        x = 1\n    return x\n"),
        std::string::npos);
}

TEST(TestProgram, WholeFunctionsStandForThemselves) {
    const std::string function = "def root(x):\n    return 3\n";
    const std::string expected = problem.prompt + "\n    pass\n\n" + function + "\n" + problem.test + "\ncheck(root)\n";
    EXPECT_EQ(test_program(problem, "Here:\n```python\n" + function + "```\nIt is right."), expected);
    EXPECT_EQ(test_program(problem, "```python\nimport math\n```\nand\n```python\ndef root(x):\n    return 3"), expected);
    EXPECT_EQ(test_program(problem, function), expected);
}

TEST_F(HumanEval, LoadsAndJudges) {
    HLG_SKIP_WITHOUT_SANDBOX(made_);
    write("humaneval/HumanEval.jsonl",
          R"({"task_id": "Own/0", "prompt": "def twice(x):\n    \"\"\" Twice as much. \"\"\"\n", "entry_point": "twice",)"
          R"( "test": "def check(candidate):\n    assert candidate(4) == 8\n    assert candidate('a') == 'aa'\n"})");
    const std::unique_ptr<Task> task = load_humaneval(folder(), *made_.sandbox);
    ASSERT_EQ(task->questions().size(), 1U);
    EXPECT_EQ(task->questions()[0].id, "Own/0");
    EXPECT_EQ(task->judge(0, {"    return 2 * x"})[0].right, 1.0);
    EXPECT_EQ(task->judge(0, {"Sure!\n```python\ndef twice(x):\n    return x + x\n```"})[0].right, 1.0);
    EXPECT_EQ(task->judge(0, {"    return x ** 2"})[0].right, 0.0);
    EXPECT_EQ(task->judge(0, {"    return 8"})[0].right, 0.0);
    EXPECT_EQ(task->judge(0, {"    import os; os._exit(0)"})[0].right, 0.0);
    EXPECT_EQ(task->judge(0, {""})[0].right, 0.0);
}

TEST_F(HumanEval, WrongFilesAreNamed) {
    HLG_SKIP_WITHOUT_SANDBOX(made_);
    const auto error = [&] { return error_of([&] { (void)load_humaneval(folder(), *made_.sandbox); }); };
    EXPECT_EQ(error(), "can't read humaneval/HumanEval.jsonl.gz: No such file or directory");
    write("humaneval/HumanEval.jsonl", R"({"task_id": "Own/0", "prompt": "p", "test": "t"})");
    EXPECT_EQ(error(), "humaneval/HumanEval.jsonl:1: no text called entry_point");
    write("humaneval/HumanEval.jsonl.gz", "{}");
    EXPECT_EQ(error(), "humaneval/HumanEval.jsonl.gz: not a whole gzip file");
}

TEST_F(HumanEval, Published) {
    HLG_SKIP_WITHOUT_PUBLISHED();
    HLG_SKIP_WITHOUT_SANDBOX(made_);
    const std::unique_ptr<Task> task = load_humaneval(published(), *made_.sandbox);
    ASSERT_EQ(task->questions().size(), 164U);
    const std::string path = published() + "/humaneval/HumanEval.jsonl.gz";
    const std::vector<DataRow> rows = parse_json_lines(unpacked_gzip(read_data_file(path), path), path);
    std::vector<std::atomic<int>> right(rows.size());
    // Solutions as they go on behind the prompt, and as whole functions in a block; and none at all, which passes nowhere.
    parallel_for(rows.size(), [&](std::size_t i) {
        const std::string solution = rows[i].text("canonical_solution");
        const std::string answer = i % 2 == 0 ? solution : "```python\n" + rows[i].text("prompt") + solution + "```";
        if (task->judge(i, {answer})[0].right == 1.0) ++right[i];
        if (i % 8 == 0 && task->judge(i, {"    pass"})[0].right == 1.0) right[i] = -1;
    });
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(right[i], 1) << task->questions()[i].id;
}

}  // namespace
}  // namespace hlg::eval::capability
