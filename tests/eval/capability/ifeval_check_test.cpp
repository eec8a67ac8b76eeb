// Every instruction, followed and not, with its edges. Texts are made up.
#include "eval/capability/ifeval_check.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace hlg::eval::capability {
namespace {

using nlohmann::json;

bool follows(const std::string& id, const json& arguments, const std::string& text) { return make_check(id, arguments)(text); }

std::string error_of(const std::string& id, const json& arguments) {
    try {
        make_check(id, arguments);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "none";
}

TEST(IfEvalCheck, AllPublishedInstructionsAreKnown) {
    EXPECT_EQ(known_checks(), (std::vector<std::string>{"change_case:capital_word_frequency",
                                                        "change_case:english_capital",
                                                        "change_case:english_lowercase",
                                                        "combination:repeat_prompt",
                                                        "combination:two_responses",
                                                        "detectable_content:number_placeholders",
                                                        "detectable_content:postscript",
                                                        "detectable_format:constrained_response",
                                                        "detectable_format:json_format",
                                                        "detectable_format:multiple_sections",
                                                        "detectable_format:number_bullet_lists",
                                                        "detectable_format:number_highlighted_sections",
                                                        "detectable_format:title",
                                                        "keywords:existence",
                                                        "keywords:forbidden_words",
                                                        "keywords:frequency",
                                                        "keywords:letter_frequency",
                                                        "language:response_language",
                                                        "length_constraints:nth_paragraph_first_word",
                                                        "length_constraints:number_paragraphs",
                                                        "length_constraints:number_sentences",
                                                        "length_constraints:number_words",
                                                        "punctuation:no_comma",
                                                        "startend:end_checker",
                                                        "startend:quotation"}));
}

TEST(IfEvalCheck, WrongArgumentsAreNamed) {
    EXPECT_EQ(error_of("keywords:rhyme", {}), "no instruction is called keywords:rhyme");
    EXPECT_EQ(error_of("keywords:existence", json::object()), "keywords:existence: no texts called keywords");
    EXPECT_EQ(error_of("keywords:existence", {{"keywords", {"a", 1}}}),
              "keywords:existence: keywords holds something else than texts");
    EXPECT_EQ(error_of("length_constraints:number_words", {{"relation", "at most"}, {"num_words", 3}}),
              "length_constraints:number_words: relation must be \"at least\" or \"less than\", got at most");
    EXPECT_EQ(error_of("length_constraints:number_words", {{"relation", "at least"}, {"num_words", nullptr}}),
              "length_constraints:number_words: no number called num_words");
    EXPECT_EQ(error_of("length_constraints:number_paragraphs", {{"num_paragraphs", -1}}),
              "length_constraints:number_paragraphs: no number called num_paragraphs");
    EXPECT_EQ(error_of("keywords:letter_frequency", {{"letter", "ab"}, {"let_relation", "at least"}, {"let_frequency", 1}}),
              "keywords:letter_frequency: letter must be one character, got ab");
    EXPECT_EQ(error_of("startend:end_checker", {{"end_phrase", ""}}), "startend:end_checker: no text called end_phrase");
}

TEST(IfEvalCheck, Keywords) {
    const json keywords{{"keywords", {"Mill", "cat"}}};
    EXPECT_TRUE(follows("keywords:existence", keywords, "The MILLER and his cats"));
    EXPECT_FALSE(follows("keywords:existence", keywords, "The miller and his dog"));
    const json forbidden{{"forbidden_words", {"mill", "año"}}};
    EXPECT_TRUE(follows("keywords:forbidden_words", forbidden, "The miller mills; años"));
    EXPECT_FALSE(follows("keywords:forbidden_words", forbidden, "a Mill."));
    EXPECT_FALSE(follows("keywords:forbidden_words", forbidden, "el AÑO"));
    EXPECT_TRUE(follows("keywords:forbidden_words", forbidden, "emill mill_ millé ñaño"));
    EXPECT_FALSE(follows("keywords:forbidden_words", {{"forbidden_words", {"an"}}}, "banana an"));
    const json often{{"keyword", "ab"}, {"relation", "at least"}, {"frequency", 2}};
    EXPECT_TRUE(follows("keywords:frequency", often, "cab ABbey"));
    EXPECT_FALSE(follows("keywords:frequency", often, "cab"));
    const json seldom{{"keyword", "ab"}, {"relation", "less than"}, {"frequency", 2}};
    EXPECT_TRUE(follows("keywords:frequency", seldom, "cab"));
    EXPECT_FALSE(follows("keywords:frequency", seldom, "cab abbey"));
    const json letters{{"letter", "É"}, {"let_relation", "at least"}, {"let_frequency", 2}};
    EXPECT_TRUE(follows("keywords:letter_frequency", letters, "été"));
    EXPECT_FALSE(follows("keywords:letter_frequency", letters, "ete é"));
    const json marks{{"letter", "!"}, {"let_relation", "less than"}, {"let_frequency", 1}};
    EXPECT_TRUE(follows("keywords:letter_frequency", marks, "calm"));
    EXPECT_FALSE(follows("keywords:letter_frequency", marks, "oh!"));
}

TEST(IfEvalCheck, Lengths) {
    const json three{{"relation", "at least"}, {"num_words", 3}, {"num_sentences", 3}};
    EXPECT_TRUE(follows("length_constraints:number_words", three, "don't go"));  // don, t, go
    EXPECT_FALSE(follows("length_constraints:number_words", three, "well — gone"));
    EXPECT_TRUE(follows("length_constraints:number_sentences", three, "Go. Now! Please?"));
    EXPECT_FALSE(follows("length_constraints:number_sentences", three, "Go. Now!"));
    const json two{{"num_paragraphs", 2}};
    EXPECT_TRUE(follows("length_constraints:number_paragraphs", two, "one\n***\ntwo"));
    EXPECT_TRUE(follows("length_constraints:number_paragraphs", two, "***\none *** two\n***\n"));
    EXPECT_FALSE(follows("length_constraints:number_paragraphs", two, "one\n\ntwo"));
    EXPECT_FALSE(follows("length_constraints:number_paragraphs", two, "one\n***\n\n***\ntwo"));
    const json second{{"num_paragraphs", 2}, {"nth_paragraph", 2}, {"first_word", "Weekend"}};
    const std::string id = "length_constraints:nth_paragraph_first_word";
    EXPECT_TRUE(follows(id, second, "A start.\n\n\"weekend\" comes."));
    EXPECT_TRUE(follows(id, second, "A start.\n\nWeekend, at last\n\n"));
    EXPECT_FALSE(follows(id, second, "A start.\n\nWeekends come."));
    EXPECT_FALSE(follows(id, second, "A start.\n\nWeekend.\n\nAn end."));
    EXPECT_FALSE(follows(id, second, "Weekend"));
    EXPECT_FALSE(follows(id, second, "A start.\n\n  \n\nWeekend"));
}

TEST(IfEvalCheck, Contents) {
    const json two{{"num_placeholders", 2}};
    EXPECT_TRUE(follows("detectable_content:number_placeholders", two, "Dear [name], at [place]"));
    EXPECT_FALSE(follows("detectable_content:number_placeholders", two, "Dear [name\n], at [place]"));
    EXPECT_FALSE(follows("detectable_content:number_placeholders", two, "[[name]]"));
    const json ps{{"postscript_marker", "P.S."}};
    EXPECT_TRUE(follows("detectable_content:postscript", ps, "Bye.\nP. S. I forgot"));
    EXPECT_FALSE(follows("detectable_content:postscript", ps, "Bye.\nPS: I forgot"));
    EXPECT_FALSE(follows("detectable_content:postscript", ps, "P.S: I forgot"));
    const json pps{{"postscript_marker", "P.P.S"}};
    EXPECT_TRUE(follows("detectable_content:postscript", pps, "P.P.S I forgot"));
    EXPECT_TRUE(follows("detectable_content:postscript", pps, "P.P.P. S"));
    EXPECT_FALSE(follows("detectable_content:postscript", pps, "P.S. I forgot"));
    EXPECT_TRUE(follows("detectable_content:postscript", {{"postscript_marker", "NB:"}}, "nb: I forgot"));
    EXPECT_TRUE(follows("combination:two_responses", {}, "yes\n******\nno"));
    EXPECT_TRUE(follows("combination:two_responses", {}, "******yes******no"));
    EXPECT_FALSE(follows("combination:two_responses", {}, "yes ****** yes "));
    EXPECT_FALSE(follows("combination:two_responses", {}, "yes ****** ****** no"));
    EXPECT_FALSE(follows("combination:two_responses", {}, "yes ****** no ****** maybe"));
    const json prompt{{"prompt_to_repeat", " Sing a Song. "}};
    EXPECT_TRUE(follows("combination:repeat_prompt", prompt, "\nsing a song. La"));
    EXPECT_FALSE(follows("combination:repeat_prompt", prompt, "Sure: Sing a song. La"));
}

TEST(IfEvalCheck, Formats) {
    const json two{{"num_bullets", 2}, {"num_highlights", 2}, {"num_sections", 2}, {"section_spliter", "Part"}};
    EXPECT_TRUE(follows("detectable_format:number_bullet_lists", two, "* one\n  - two\n**not**"));
    EXPECT_FALSE(follows("detectable_format:number_bullet_lists", two, "* one\n- two\n- three"));
    EXPECT_TRUE(follows("detectable_format:number_highlighted_sections", two, "*one* and **two**"));
    EXPECT_TRUE(follows("detectable_format:number_highlighted_sections", two, "*one*two*three*"));
    EXPECT_FALSE(follows("detectable_format:number_highlighted_sections", two, "*one* and * * and *thr\nee*"));
    EXPECT_TRUE(follows("detectable_format:multiple_sections", two, "Part 1\na\nPart2\nb"));
    EXPECT_FALSE(follows("detectable_format:multiple_sections", two, "part 1\na\nPart II\nPart 2"));
    EXPECT_TRUE(follows("detectable_format:constrained_response", {}, "Well. My answer is maybe."));
    EXPECT_FALSE(follows("detectable_format:constrained_response", {}, "My answer is: yes."));
    EXPECT_TRUE(follows("detectable_format:json_format", {}, "```json\n{\"a\": [1]}\n```"));
    EXPECT_TRUE(follows("detectable_format:json_format", {}, " [1, 2] "));
    EXPECT_FALSE(follows("detectable_format:json_format", {}, "Here: {\"a\": 1}"));
    EXPECT_FALSE(follows("detectable_format:json_format", {}, "{'a': 1}"));
    EXPECT_TRUE(follows("detectable_format:title", {}, "intro\n<<a poem>>\ntext"));
    EXPECT_FALSE(follows("detectable_format:title", {}, "<< >> and <<a\nb>>"));
    EXPECT_FALSE(follows("detectable_format:title", {}, "<a poem>"));
}

TEST(IfEvalCheck, CasesAndLanguages) {
    EXPECT_TRUE(follows("change_case:english_capital", {}, "THE WEATHER IS NICE TODAY, 20 DEGREES!"));
    EXPECT_FALSE(follows("change_case:english_capital", {}, "THE WEATHER IS NICe TODAY"));
    EXPECT_FALSE(follows("change_case:english_capital", {}, "DAS WETTER IST HEUTE WIRKLICH SEHR SCHÖN"));
    EXPECT_FALSE(follows("change_case:english_capital", {}, "123"));
    EXPECT_TRUE(follows("change_case:english_lowercase", {}, "the weather is nice today"));
    EXPECT_FALSE(follows("change_case:english_lowercase", {}, "the weather is nice, Mary"));
    const json two{{"capital_relation", "at least"}, {"capital_frequency", 2}};
    EXPECT_TRUE(follows("change_case:capital_word_frequency", two, "(NASA), and I went"));
    EXPECT_TRUE(follows("change_case:capital_word_frequency", two, "no, DON'T"));  // do, n't
    EXPECT_TRUE(follows("change_case:capital_word_frequency", two, "WE-ARE one\nU.S. "));
    EXPECT_FALSE(follows("change_case:capital_word_frequency", two, "The USA is Big 42"));
    const json seldom{{"capital_relation", "less than"}, {"capital_frequency", 1}};
    EXPECT_TRUE(follows("change_case:capital_word_frequency", seldom, "Only The First letters"));
    EXPECT_FALSE(follows("change_case:capital_word_frequency", seldom, "and I do"));
    EXPECT_TRUE(follows("language:response_language", {{"language", "de"}}, "Der Müller hatte drei Söhne und eine alte Katze."));
    EXPECT_FALSE(follows("language:response_language", {{"language", "de"}}, "The miller had three sons and an old cat."));
    EXPECT_TRUE(follows("language:response_language", {{"language", "he"}}, "לטוחן היו שלושה בנים וחתול זקן אחד"));
    EXPECT_TRUE(follows("language:response_language", {{"language", "hi"}}, "42!"));
}

TEST(IfEvalCheck, MarksBeginningsAndEnds) {
    EXPECT_TRUE(follows("punctuation:no_comma", {}, "one; two"));
    EXPECT_FALSE(follows("punctuation:no_comma", {}, "one, two"));
    EXPECT_TRUE(follows("startend:quotation", {}, " \"all of it\"\n"));
    EXPECT_FALSE(follows("startend:quotation", {}, "\"half of it"));
    EXPECT_FALSE(follows("startend:quotation", {}, "\""));
    const json phrase{{"end_phrase", "So be it. "}};
    EXPECT_TRUE(follows("startend:end_checker", phrase, "\"Well: SO BE IT.\"\n"));
    EXPECT_FALSE(follows("startend:end_checker", phrase, "So be it. Bye"));
}

}  // namespace
}  // namespace hlg::eval::capability
