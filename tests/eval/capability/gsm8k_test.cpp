// Numbers in answers, the loader, and that the published answers are right by the judge.
#include "eval/capability/gsm8k.hpp"

#include "eval/capability/fixture.hpp"
#include "eval/capability/numbers.hpp"

namespace hlg::eval::capability {
namespace {

class Gsm8k : public DataFolder {};

TEST(Numbers, PlainForm) {
    EXPECT_EQ(last_number("so $1,450.00."), "1450");
    EXPECT_EQ(last_number("1,2"), "2");
    EXPECT_EQ(last_number("12,345,678 in all"), "12345678");
    EXPECT_EQ(last_number("1,2345"), "2345");
    EXPECT_EQ(last_number("0.50 m"), "0.5");
    EXPECT_EQ(last_number("007"), "7");
    EXPECT_EQ(last_number("-0"), "0");
    EXPECT_EQ(last_number("16-3"), "3");
    EXPECT_EQ(last_number("(x)-3"), "3");
    EXPECT_EQ(last_number("it falls to -3 degrees"), "-3");
    EXPECT_EQ(last_number("= -$10"), "-10");
    EXPECT_EQ(first_number("7 of 9"), "7");
    EXPECT_EQ(last_number("none at all"), std::nullopt);
    EXPECT_EQ(first_number(""), std::nullopt);
}

TEST(Gsm8kAnswer, BehindTheMarkElseTheLast) {
    EXPECT_EQ(gsm8k_answer("4 + 4 = 8\n#### 8 apples, not 9"), "8");
    EXPECT_EQ(gsm8k_answer("#### 1\nNo: #### 2"), "2");
    EXPECT_EQ(gsm8k_answer("She has 3, and then 5."), "5");
    EXPECT_EQ(gsm8k_answer("3 #### none"), std::nullopt);
}

TEST_F(Gsm8k, LoadsAndJudges) {
    write("gsm8k/test.jsonl", R"({"question": "Two hens lay 500 eggs each. How many?", "answer": "2 * 500\n#### 1,000"})");
    const std::unique_ptr<Task> task = load_gsm8k(folder());
    ASSERT_EQ(task->questions().size(), 1U);
    EXPECT_NE(task->questions()[0].turns.back().text.find("Two hens"), std::string::npos);
    EXPECT_EQ(task->judge(0, {"2 * 500 = 1000\n#### 1000"})[0].right, 1.0);
    EXPECT_EQ(task->judge(0, {"That makes 1,000.00 eggs."})[0].right, 1.0);
    EXPECT_EQ(task->judge(0, {"#### 100"})[0].right, 0.0);
    EXPECT_EQ(task->judge(0, {""})[0].right, 0.0);
    EXPECT_EQ(task->fingerprint().size(), 64U);
}

TEST_F(Gsm8k, WrongFilesAreNamed) {
    EXPECT_EQ(error_of([&] { (void)load_gsm8k(folder()); }), "can't read gsm8k/test.jsonl: No such file or directory");
    write("gsm8k/test.jsonl", R"({"question": "q", "answer": "8"})");
    EXPECT_EQ(error_of([&] { (void)load_gsm8k(folder()); }), "gsm8k/test.jsonl:1: answer has no number behind ####");
    write("gsm8k/test.jsonl", "{\"question\": \"q\", \"answer\": \"#### 8\"}\n{\"answer\": \"#### 8\"}");
    EXPECT_EQ(error_of([&] { (void)load_gsm8k(folder()); }), "gsm8k/test.jsonl:2: no text called question");
}

TEST_F(Gsm8k, Published) {
    HLG_SKIP_WITHOUT_PUBLISHED();
    const std::unique_ptr<Task> task = load_gsm8k(published());
    EXPECT_EQ(task->questions().size(), 1319U);
    std::vector<DataRow> rows = parse_json_lines(read_data_file(published() + "/gsm8k/test.jsonl"), "test.jsonl");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string gold = rows[i].text("answer");
        EXPECT_EQ(task->judge(i, {gold})[0].right, 1.0) << gold;
        // As people write it: no mark, a currency, and a full stop.
        EXPECT_EQ(task->judge(i, {"In all $" + gold.substr(gold.rfind(' ') + 1) + "."})[0].right, 1.0) << gold;
    }
}

}  // namespace
}  // namespace hlg::eval::capability
