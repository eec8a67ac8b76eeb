// Prompts with their instructions: the loader, strict and loose, and the published file.
#include "eval/capability/ifeval.hpp"

#include "eval/capability/fixture.hpp"
#include "eval/capability/sentences.hpp"

namespace hlg::eval::capability {
namespace {

class IfEval : public DataFolder {
protected:
    void line(const std::string& text) { write("ifeval/input_data.jsonl", text); }
    [[nodiscard]] std::string error() const {
        return error_of([&] { (void)load_ifeval(folder()); });
    }
};

TEST(Sentences, MarksShortFormsAndLists) {
    EXPECT_EQ(count_sentences("One. Two! Three?"), 3U);
    EXPECT_EQ(count_sentences("One\ntwo"), 1U);
    EXPECT_EQ(count_sentences("Mr. Fox met Dr. Hare, e.g. at 3.5 km. They spoke."), 2U);
    EXPECT_EQ(count_sentences("J. R. Smith wrote it. So did I. Really."), 3U);
    EXPECT_EQ(count_sentences("He said \"Stop.\" Then he left."), 2U);
    EXPECT_EQ(count_sentences("Wait... what? No!!"), 2U);
    EXPECT_EQ(count_sentences("1. Buy milk\n2. Buy bread."), 1U);
    EXPECT_EQ(count_sentences("It was 1999. Then it was not."), 2U);
    EXPECT_EQ(count_sentences("No end"), 1U);
    EXPECT_EQ(count_sentences("他来了。她走了！"), 2U);
    EXPECT_EQ(count_sentences("Bring apples, pears, etc."), 1U);
    EXPECT_EQ(count_sentences("... !"), 0U);
    EXPECT_EQ(count_sentences(""), 0U);
}

TEST(LooseReadings, EightOfThem) {
    EXPECT_EQ(loose_readings("a*\nb\nc"),
              (std::vector<std::string>{"a*\nb\nc", "b\nc", "a*\nb", "b", "a\nb\nc", "b\nc", "a\nb", "b"}));
    EXPECT_EQ(loose_readings("*a*"), (std::vector<std::string>{"*a*", "", "", "", "a", "", "", ""}));
    EXPECT_EQ(loose_readings("a\nb"), (std::vector<std::string>{"a\nb", "b", "a", "", "a\nb", "b", "a", ""}));
}

TEST_F(IfEval, StrictAndLoose) {
    line(
        R"({"key": 7, "prompt": "Sing without commas, and end with la.", "instruction_id_list": ["punctuation:no_comma", "startend:end_checker"],)"
        R"( "kwargs": [{}, {"end_phrase": "la."}]})");
    const std::unique_ptr<Task> task = load_ifeval(folder());
    ASSERT_EQ(task->questions().size(), 1U);
    EXPECT_EQ(task->chance(), Chance::others);
    const auto points = [&](const std::string& text) {
        std::vector<double> right;
        for (const Points& one : task->judge(0, {text})) right.push_back(one.right);
        return right;
    };
    EXPECT_EQ(points("Tra la."), (std::vector<double>{1, 1, 2, 2}));
    EXPECT_EQ(points("Sure, here it is:\nTra la."), (std::vector<double>{0, 1, 1, 2}));
    EXPECT_EQ(points("Tra *la.*"), (std::vector<double>{0, 1, 1, 2}));
    EXPECT_EQ(points("Tra, *la.*"), (std::vector<double>{0, 0, 0, 1}));
    EXPECT_EQ(points(" \n "), (std::vector<double>{0, 0, 0, 0}));
    EXPECT_EQ(task->judge(0, {"x"})[2].of, 2.0);
}

TEST_F(IfEval, WrongFilesAreNamed) {
    EXPECT_EQ(error(), "can't read ifeval/input_data.jsonl: No such file or directory");
    line(R"({"prompt": "p", "instruction_id_list": ["punctuation:no_comma"], "kwargs": []})");
    EXPECT_EQ(error(), "ifeval/input_data.jsonl:1: instruction_id_list and kwargs must be as long as each other, and not empty");
    line(R"({"prompt": "p", "instruction_id_list": ["punctuation:no_dot"], "kwargs": [{}]})");
    EXPECT_EQ(error(), "ifeval/input_data.jsonl:1: no instruction is called punctuation:no_dot");
    line(R"({"prompt": "p", "instruction_id_list": ["startend:end_checker"], "kwargs": [{}]})");
    EXPECT_EQ(error(), "ifeval/input_data.jsonl:1: startend:end_checker: no text called end_phrase");
    line(R"({"prompt": "p", "instruction_id_list": [3], "kwargs": [{}]})");
    EXPECT_EQ(error(), "ifeval/input_data.jsonl:1: instruction ids must be texts and kwargs objects");
    line(R"({"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]})");
    EXPECT_EQ(error(), "ifeval/input_data.jsonl:1: no text called prompt");
}

TEST_F(IfEval, Published) {
    HLG_SKIP_WITHOUT_PUBLISHED();
    const std::unique_ptr<Task> task = load_ifeval(published());
    EXPECT_EQ(task->questions().size(), 541U);
    double instructions = 0.0;
    for (std::size_t i = 0; i < 541; ++i) {
        const std::vector<Points> points = task->judge(i, {"Some words, in no form that was asked for."});
        instructions += points[2].of;
        // Loose is never stricter, and a prompt is followed when all its instructions are.
        EXPECT_LE(points[2].right, points[3].right);
        EXPECT_EQ(points[0].right == 1.0, points[2].right == points[2].of);
    }
    EXPECT_EQ(instructions, 834.0);
}

}  // namespace
}  // namespace hlg::eval::capability
