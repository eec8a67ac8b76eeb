#include "engine/json_pattern.hpp"

#include <regex>

#include <nlohmann/json.hpp>

#include "engine/grammar_support.hpp"

namespace hlg::engine {
namespace {

using nlohmann::json;

std::string translated(std::string_view pattern) {
    const auto read = json_pattern(pattern);
    if (!read) return "refused: " + read.error().message;
    return read->value_or("beyond");
}

TEST(JsonPattern, WhatNeedsNoEscapeStays) {
    for (const char* pattern :
         {"^$", "^abc$", "^a|b$", "^(?:a|)b{2,3}c*d+e?$", "^a\\.b\\$\\^$", "^[a-z]$", "^ä—🦊$", "^-/:,;%&~=@!'#$"})
        EXPECT_EQ(translated(pattern), pattern);
}

TEST(JsonPattern, WhatNeedsOneIsEscaped) {
    EXPECT_EQ(translated(R"(^"$)"), R"(^(?:\\[\x22])$)");
    EXPECT_EQ(translated(R"(^\\+$)"), R"(^(?:\\[\x5C])+$)");
    EXPECT_EQ(translated(R"(^\n\u0022\x5c$)"), R"(^(?:\\[n])(?:\\[\x22])(?:\\[\x5C])$)");
    EXPECT_EQ(translated(R"(^\v\cA\0$)"), R"(^(?:\\u000B)(?:\\u0001)(?:\\u0000)$)");
    EXPECT_EQ(translated(R"(^["a]$)"), R"(^(?:[a]|\\[\x22])$)");
    EXPECT_EQ(translated(R"(^[\n]$)"), R"(^(?:\\[n])$)");
    EXPECT_EQ(translated(R"(^[!-#]$)"), R"(^(?:[\x21\x23]|\\[\x22])$)");
    EXPECT_EQ(translated(R"(^[^a]$)"), R"(^(?:[^\x01-\x1F\x22\x5Ca]|\\[\x22\x5Cbfnrt])$)");
    EXPECT_EQ(translated("^.$"), "^(?:[^\\x01-\\x1F\\x22\\x5C\u2028-\u2029]|\\\\[\\x22\\x5Cbft])$");
}

TEST(JsonPattern, ShortFormsAreWrittenOut) {
    EXPECT_EQ(translated(R"(^\d\w$)"), R"(^[0-9][0-9A-Z\x5Fa-z]$)");
    EXPECT_EQ(translated(R"(^[\w.-]$)"), R"(^[\x2D-\x2E0-9A-Z\x5Fa-z]$)");
    EXPECT_EQ(translated(R"(^a+?b{2}?c??$)"), "^a+b{2}c?$");
    EXPECT_EQ(translated("^(?<year>[0-9])(a)$"), "^(?:[0-9])(?:a)$");
    EXPECT_EQ(translated(R"(^\u0041\u{42}\x43\/\-$)"), "^ABC/-$");
    EXPECT_EQ(translated("^a$|^b$"), "^a|b$");
    EXPECT_EQ(translated("^a{b}]$"), R"(^a\{b\}\]$)");
}

TEST(JsonPattern, BeyondAGrammar) {
    for (const char* pattern : {"",
                                "a",
                                "^a",
                                "a$",
                                "^a\\$",
                                "^(?=a)b$",
                                "^(?!a)b$",
                                "^(?<=a)b$",
                                "^(?<!a)b$",
                                R"(^\ba$)",
                                R"(^(a)\1$)",
                                R"(^\p{L}$)",
                                R"(^[\p{L}]$)",
                                "^a$b$",
                                "^a^b$",
                                "^(^a)$",
                                "^(a$)$",
                                "^[]$",
                                R"(^\ud83d\ude00$)",
                                "a|^b$",
                                R"(^\k<x>$)"})
        EXPECT_EQ(translated(pattern), "beyond") << pattern;
    EXPECT_EQ(translated("^" + std::string(1000, '(') + "a" + std::string(1000, ')') + "$"), "beyond");
    std::string dots;
    for (int i = 0; i < 10'000; ++i) dots += "a.";
    EXPECT_EQ(translated("^" + dots + "$"), "beyond");
}

TEST(JsonPattern, NoPatterns) {
    const std::pair<const char*, const char*> cases[] = {{"^(a$", "unbalanced parentheses"},
                                                         {"(a", "unbalanced parentheses"},
                                                         {"^a)$", "unbalanced parentheses"},
                                                         {"[a", "an unterminated character class"},
                                                         {"^[a$", "an unterminated character class"},
                                                         {"^*$", "nothing to repeat"},
                                                         {"^a**$", "nothing to repeat"},
                                                         {"^{2}$", "nothing to repeat"},
                                                         {"^(|+)$", "nothing to repeat"},
                                                         {"^a{2,1}$", "a repetition's minimum is above its maximum"},
                                                         {"^[z-a]$", "a range out of order"},
                                                         {"^a\\", "an escape that is cut off"},
                                                         {"^(?a)$", "an unknown kind of group"},
                                                         {"^\\u{110000}$", "an escape of no character"},
                                                         {"(?=[)b", "an unterminated character class"}};
    for (const auto& [pattern, why] : cases) EXPECT_EQ(translated(pattern), std::string("refused: ") + why) << pattern;
}

class JsonPatterns : public test::WithVocabulary {};

// The judge of strings is std::regex, of texts the JSON library.
TEST_F(JsonPatterns, MatchWhatTheExpressionMatches) {
    const char* patterns[] = {
        "^.$",        "^..$",    "^[^a]$",           "^[^a]*$",   R"(^["]$)",       R"(^\\$)",
        R"(^[\\]$)",  R"(^\n$)", R"(^[\n\t]+$)",     "^[!-~]$",   R"(^\d+$)",       R"(^[\w.+-]+@\w+\.\w{2,}$)",
        R"(^\S+$)",   R"(^\s$)", R"(^\D\W$)",        "^(a|b|)c$", "^a{2}$",         "^a{2,}$",
        R"(^a+?"b$)", "^$",      R"(^(?:"a"|\\b)$)", "^[^]$",     R"(^[^\d"]{2}$)", R"(^\$\^\.\*\+\?\(\)\[\]\{\}\|\/$)",
        "^[\\]\\-a]$"};
    const std::string strings[] = {"",
                                   "a",
                                   "b",
                                   "\"",
                                   "\\",
                                   "\n",
                                   "\t",
                                   "\b",
                                   "\x01",
                                   std::string(1, '\0'),
                                   "aa",
                                   "aaa",
                                   "ab",
                                   "c",
                                   "ac",
                                   "bc",
                                   "\"\"",
                                   "\\\\",
                                   "\"a\"",
                                   "\\b",
                                   "a\"b",
                                   "aa\"b",
                                   "\n\t",
                                   "12",
                                   "1a",
                                   "me@here.org",
                                   "a.b+c@d.ee",
                                   " ",
                                   "!",
                                   "~",
                                   "#",
                                   "?!",
                                   "$^.*+?()[]{}|/",
                                   "]",
                                   "-",
                                   "\"1",
                                   "a "};
    for (const char* pattern : patterns) {
        const Grammar grammar = schema(json{{"type", "string"}, {"pattern", pattern}}.dump());
        const std::regex judge(pattern);
        for (const std::string& text : strings) {
            const bool fits = std::regex_match(text, judge);
            const bool control = text == "\x01" || text == std::string(1, '\0');  // of which some escapes are left out
            if (!control || !fits) {
                EXPECT_EQ(matches(grammar, json(text).dump()), fits) << pattern << " " << json(text);
            }
            const std::string raw = '"' + text + '"';
            if (!json::accept(raw)) {
                EXPECT_FALSE(matches(grammar, raw)) << pattern << " " << json(text);
            }
        }
    }
}

}  // namespace
}  // namespace hlg::engine
