// SPDX-License-Identifier: MIT
//
// Our walk through a grammar against llama.cpp's, which defines what GBNF means: the same tokens allowed at every step of many
// random texts. Only grammars that llama.cpp can walk in reasonable time.
#include <cmath>
#include <memory>
#include <random>

#include <llama.h>

#include "engine/grammar_support.hpp"
#include "engine/utf8.hpp"

namespace hlg::engine {
namespace {

using SamplerPointer = std::unique_ptr<llama_sampler, decltype(&llama_sampler_free)>;

class Differential : public test::WithVocabulary {
protected:
    static std::vector<bool> theirs(llama_sampler* sampler) {
        std::vector<llama_token_data> candidates;
        for (std::size_t i = 0; i < vocabulary_->size(); ++i) candidates.push_back({static_cast<Token>(i), 0.0F, 0.0F});
        llama_token_data_array array{candidates.data(), candidates.size(), -1, false};
        llama_sampler_apply(sampler, &array);
        std::vector<bool> allowed(vocabulary_->size());
        for (const llama_token_data& each : candidates) allowed[static_cast<std::size_t>(each.id)] = each.logit == 0.0F;
        return allowed;
    }

    static std::vector<bool> ours(const Grammar& grammar) {
        std::vector<std::uint32_t> bits((vocabulary_->size() + 31) / 32);
        EXPECT_FALSE(grammar.mask(bits));
        std::vector<bool> allowed;
        for (std::size_t i = 0; i < vocabulary_->size(); ++i) allowed.push_back(((bits[i / 32] >> (i % 32)) & 1U) != 0);
        return allowed;
    }

    /** llama.cpp lets bytes pass that are in no UTF-8 text, such as C0 and FF; here a grammar of characters never does. */
    static void compare(const std::vector<bool>& ours, const std::vector<bool>& theirs, const std::string& so_far,
                        const std::string& grammar) {
        for (std::size_t i = 0; i < ours.size(); ++i) {
            if (ours[i] == theirs[i]) continue;
            const std::string_view piece = vocabulary_->text(static_cast<Token>(i));
            const bool broken = Utf8Assembler().push(so_far + std::string(piece)).find("\uFFFD") != std::string::npos;
            ASSERT_TRUE(broken && !ours[i]) << grammar << "\nbehind: " << so_far << "\ntoken " << i << ": " << piece;
        }
    }

    /** A random text that the grammar allows, token by token. */
    static void walk(const std::string& text, unsigned seed) {
        Grammar grammar = gbnf(text);
        const SamplerPointer sampler(llama_sampler_init_grammar(llama_model_get_vocab(model_->handle()), text.c_str(), "root"),
                                     llama_sampler_free);
        ASSERT_TRUE(sampler) << text;
        std::mt19937 random(seed);
        std::string so_far;
        for (int step = 0; step < 25; ++step) {
            const std::vector<bool> allowed = ours(grammar);
            compare(allowed, theirs(sampler.get()), so_far, text);
            if (HasFatalFailure()) return;
            std::vector<Token> choices;
            for (std::size_t i = 0; i < allowed.size(); ++i) {
                if (allowed[i] && !vocabulary_->is_end(static_cast<Token>(i))) choices.push_back(static_cast<Token>(i));
            }
            if (choices.empty()) return;
            const Token token = choices[random() % choices.size()];
            ASSERT_FALSE(grammar.accept(token));
            llama_sampler_accept(sampler.get(), token);
            so_far += vocabulary_->text(token);
        }
    }

    static void walk_often(const std::string& text) {
        for (unsigned seed = 1; seed <= 6; ++seed) walk(text, seed);
    }
};

TEST_F(Differential, Gbnf) {
    for (const char* text : {
             R"(root ::= "yes" | "no" | "the king" | "they")",
             R"(root ::= [a-z ]+ ("." | "!")? "\n")",
             R"(root ::= ("a" | "an" | "and" | [aeiou]{2,4}) root?)",
             "root ::= (word \" \")* word\nword ::= [A-Za-z]{1,6}",
             "root ::= \"(\" root* \")\" | [0-9]+ ([+*] root)?",
             R"(root ::= . . [^a-z] "x"{0,3} .{2})",
             "root ::= [\u00e0-\u00ff\u2014]+ \"!\"",
             "root ::= [^ -~]* \"z\"",
             R"(root ::= "" | "a" "" "b" | ("c" | "")  "d")",
             R"(root ::= ("x"{2} | "y"){0,5} "z"{3,})",
             "root ::= a b\na ::= \"t\" | \"th\" | \"the\"\nb ::= \"he\" | \"e\" | \" \" b | \"\"",
         })
        walk_often(text);
}

TEST_F(Differential, Schemas) {
    for (
        const char* schema : {
            R"({})",
            R"({"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name"]})",
            R"({"type": "array", "items": {"enum": ["red", "green", "grey", 1, null, {"a": true}]}, "minItems": 1, "maxItems": 4})",
            R"({"anyOf": [{"type": "number"}, {"type": "string", "maxLength": 5}, {"type": "boolean"}]})",
            R"({"type": "string", "pattern": "^[a-c]{2,5}(x|yz)?\\.\\d?$"})",
            R"({"type": "string", "pattern": "^(\\([0-9]{3}\\))?[0-9]{3}-[0-9]{4}$"})",
            R"({"type": "string", "format": "date-time"})",
            R"({"type": "integer", "minimum": -17, "maximum": 4096})",
            R"({"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#/$defs/n"}, {"type": "null"}]}}, "required": ["v", "next"]}}})",
            R"({"type": "object", "properties": {"ab": {}, "ac": {}}, "additionalProperties": {"type": "boolean"}})",
            R"({"allOf": [{"properties": {"a": {"type": "null"}}}, {"properties": {"b": {"const": "x"}}}]})",
        }) {
        const auto text = schema_to_gbnf(schema);
        ASSERT_TRUE(text) << text.error().message;
        walk_often(*text);
    }
}

}  // namespace
}  // namespace hlg::engine
