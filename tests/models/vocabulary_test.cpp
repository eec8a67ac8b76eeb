// SPDX-License-Identifier: MIT
//
// Every model's tokens: how many, and that any text becomes tokens and comes back.
#include <string>
#include <string_view>
#include <utility>

#include "random_model.hpp"

namespace hlg::test {
namespace {

using engine::Model;
using engine::Token;
using Vocabulary = testing::TestWithParam<TestModel>;

std::string there_and_back(const Model& model, const std::string& text) {
    std::string back;
    for (const Token token : model.tokenize(text)) back += model.piece(token);
    return back;
}

/** Every byte below 0x20 and 0x7F, between letters; NUL last, as C strings end there. */
std::string control_bytes() {
    std::string text;
    for (char byte = 1; byte < 0x20; ++byte) text += std::string("a") + byte + "b ";
    return text + "\x7F" + '\0' + "c";
}

TEST_P(Vocabulary, IsTheArchitecturesOwn) {
    const Model model = load(GetParam());
    EXPECT_EQ(model.vocabulary_size(), GetParam().vocabulary);
    EXPECT_EQ(model.metadata("general.architecture"), GetParam().architecture);
    EXPECT_FALSE(model.end_tokens().empty());
    EXPECT_TRUE(!GetParam().random || model.metadata("tokenizer.chat_template"));
}

TEST_P(Vocabulary, AnyTextComesBack) {
    const Model model = load(GetParam());
    const std::pair<const char*, std::string> texts[] = {
        {"ASCII", "The quick brown fox: {\"jumps\": [1, 22, 333, 4444]} -> over_the(lazy) DOG's back!"},
        {"white space", "one  two   three\n\nfour\t\tfive\r\n    six \n \n"},
        {"UTF-8",
         "na\u00EFve caf\u00E9, \u0141\u00F3d\u017A, \u0440\u0435\u043A\u0430, \u05E9\u05DC\u05D5\u05DD, \u6C34\u3068\u706B, "
         "\u0E19\u0E49\u0E33"},
        {"emoji", "\U0001F600\U0001F680 \U0001F469\u200D\U0001F4BB \U0001F1E9\U0001F1EA \u2764\uFE0F"},
        {"rare characters", "\u0378 \U00010348 \U0002A6D6 \uFFFD \uFEFF \U0010FFFF"},
        {"control bytes", control_bytes()},
        {"one byte", "a"},
        {"nothing", ""},
    };
    for (const auto& [name, text] : texts) EXPECT_EQ(there_and_back(model, text), text) << name;
}

INSTANTIATE_TEST_SUITE_P(Models, Vocabulary, testing::ValuesIn(test_models()), test_name);

}  // namespace
}  // namespace hlg::test
