// Letters in answers, both published forms of the files, and the published files themselves.
#include "eval/capability/mmlu.hpp"

#include <set>

#include "eval/capability/fixture.hpp"

namespace hlg::eval::capability {
namespace {

class Mmlu : public DataFolder {};

TEST(MmluAnswer, BehindAnswer) {
    EXPECT_EQ(mmlu_answer("Answer: B"), 'B');
    EXPECT_EQ(mmlu_answer("B is tempting. The answer is (C)."), 'C');
    EXPECT_EQ(mmlu_answer("**Answer:** D"), 'D');
    EXPECT_EQ(mmlu_answer("The correct answer is: **A**"), 'A');
    EXPECT_EQ(mmlu_answer("Answer: A\nNo, wait. Answer: B"), 'B');
    EXPECT_EQ(mmlu_answer("Answer: B. That answer needs no proof."), 'B');
    EXPECT_EQ(mmlu_answer("The answer is unclear."), std::nullopt);
    EXPECT_EQ(mmlu_answer("Answer: Because"), std::nullopt);
}

TEST(MmluAnswer, FirstOrAlone) {
    EXPECT_EQ(mmlu_answer("C"), 'C');
    EXPECT_EQ(mmlu_answer(" (B) the second"), 'B');
    EXPECT_EQ(mmlu_answer("D. Rome"), 'D');
    EXPECT_EQ(mmlu_answer("A horse has four legs"), std::nullopt);
    EXPECT_EQ(mmlu_answer("It must be the second (B)."), 'B');
    EXPECT_EQ(mmlu_answer("Let me see.\n**C**\n"), 'C');
    EXPECT_EQ(mmlu_answer("Plan B fails"), std::nullopt);
    EXPECT_EQ(mmlu_answer("E"), std::nullopt);
    EXPECT_EQ(mmlu_answer(""), std::nullopt);
}

TEST_F(Mmlu, BothForms) {
    write("mmlu/test/bird_lore_test.csv", "Who quacks?,a crow,\"a duck, mostly\",a wren,an owl,B\n");
    write("mmlu/test/arts_test.csv",
          "question,choice0,choice1,choice2,choice3,answer\nWhich is blue?,sky,grass,\"a \"\"red\"\" hat\",coal,0\n");
    write("mmlu/dev/bird_lore_dev.csv", "Who hoots?,a crow,a duck,a wren,an owl,D\nWho caws?,a crow,a duck,a wren,an owl,A\n");
    write("mmlu/dev/arts_dev.csv", "question,choice0,choice1,choice2,choice3,answer\nWhich is red?,sky,blood,snow,coal,1\n");
    const std::unique_ptr<Task> task = load_mmlu(folder(), 1);
    ASSERT_EQ(task->questions().size(), 2U);
    EXPECT_EQ(task->chance_share(), 0.25);
    const Question& art = task->questions()[0];
    EXPECT_EQ(art.group, "arts");
    ASSERT_EQ(art.turns.size(), 4U);
    EXPECT_EQ(art.turns[1].text, "Which is red?\nA. sky\nB. blood\nC. snow\nD. coal");
    EXPECT_EQ(art.turns[2].text, "Answer: B");
    EXPECT_EQ(art.turns[3].text, "Which is blue?\nA. sky\nB. grass\nC. a \"red\" hat\nD. coal");
    EXPECT_NE(task->questions()[1].turns[0].text.find("bird lore"), std::string::npos);
    EXPECT_EQ(task->judge(0, {"Answer: A"})[0].right, 1.0);
    EXPECT_EQ(task->judge(1, {"Answer: A"})[0].right, 0.0);
    EXPECT_EQ(task->judge(1, {"Answer: B"})[0].right, 1.0);
    EXPECT_EQ(task->judge(1, {"I can't tell"})[0].right, 0.0);
    EXPECT_NE(task->fingerprint(), load_mmlu(folder(), 0)->fingerprint());
    EXPECT_EQ(load_mmlu(folder(), 0)->questions()[0].turns.size(), 2U);
    EXPECT_EQ(error_of([&] { (void)load_mmlu(folder(), 2); }), "mmlu/dev/arts_dev.csv: 1 examples, 2 are wanted");
}

TEST_F(Mmlu, WrongFilesAreNamed) {
    EXPECT_EQ(error_of([&] { (void)load_mmlu(folder(), 0); }), "can't read mmlu/test: No such file or directory");
    write("mmlu/test/readme.txt", "");
    EXPECT_EQ(error_of([&] { (void)load_mmlu(folder(), 0); }), "mmlu/test: holds no SUBJECT_test.csv");
    write("mmlu/test/a_test.csv", "q,1,2,3,4,A\nq,1,2,3,A\n");
    EXPECT_EQ(error_of([&] { (void)load_mmlu(folder(), 0); }), "mmlu/test/a_test.csv:2: 5 fields instead of 6");
    write("mmlu/test/a_test.csv", "q,1,2,3,4,E\n");
    EXPECT_EQ(error_of([&] { (void)load_mmlu(folder(), 0); }),
              "mmlu/test/a_test.csv:1: the answer must be A to D or 0 to 3, got E");
    write("mmlu/test/a_test.csv", "q\xff,1,2,3,4,A\n");
    EXPECT_EQ(error_of([&] { (void)load_mmlu(folder(), 0); }), "mmlu/test/a_test.csv:1: not UTF-8");
    write("mmlu/test/a_test.csv", "question,choice0,choice1,choice2,choice3,answer\n");
    EXPECT_EQ(error_of([&] { (void)load_mmlu(folder(), 0); }), "mmlu/test/a_test.csv: holds no question");
    write("mmlu/test/a_test.csv", "q,1,2,3,4,A\n");
    EXPECT_EQ(error_of([&] { (void)load_mmlu(folder(), 1); }), "can't read mmlu/dev/a_dev.csv: No such file or directory");
}

TEST_F(Mmlu, Published) {
    HLG_SKIP_WITHOUT_PUBLISHED();
    const std::unique_ptr<Task> task = load_mmlu(published(), 5);
    EXPECT_EQ(task->questions().size(), 14042U);
    std::set<std::string> subjects;
    for (std::size_t i = 0; i < task->questions().size(); ++i) {
        subjects.insert(task->questions()[i].group);
        ASSERT_EQ(task->questions()[i].turns.size(), 12U);  // 57 subjects, 285 examples: five each, and all of them
        double right = 0.0;
        for (const char* answer : {"Answer: A", "Answer: B", "Answer: C", "Answer: D"})
            right += task->judge(i, {answer})[0].right;
        ASSERT_EQ(right, 1.0);
    }
    EXPECT_EQ(subjects.size(), 57U);
    EXPECT_THROW((void)load_mmlu(published(), 6), DataError);
    // The first question of the first subject is given with the answer 1.
    EXPECT_EQ(task->judge(0, {"Answer: B"})[0].right, 1.0);
}

}  // namespace
}  // namespace hlg::eval::capability
