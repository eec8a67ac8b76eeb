// What the grammar tests share: the demo model's vocabulary, and texts fed to a grammar.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "engine/grammar.hpp"

namespace hlg::engine::test {

/** The demo model, loaded once; its GrammarVocabulary. */
class WithVocabulary : public testing::Test {
protected:
    static void SetUpTestSuite() {
        auto model = Model::load(std::getenv("HLG_TEST_MODEL"));
        ASSERT_TRUE(model) << model.error().message;
        model_ = new Model(std::move(*model));
        vocabulary_ = new GrammarVocabulary(*model_);
    }
    static void TearDownTestSuite() {
        delete vocabulary_;
        delete model_;
        vocabulary_ = nullptr;
        model_ = nullptr;
    }

    static Grammar gbnf(std::string_view text) {
        auto grammar = Grammar::from_gbnf(*vocabulary_, text);
        EXPECT_TRUE(grammar) << grammar.error().message;
        return std::move(*grammar);
    }

    static Grammar schema(std::string_view text) {
        auto grammar = Grammar::from_schema(*vocabulary_, text);
        EXPECT_TRUE(grammar) << grammar.error().message;
        return std::move(*grammar);
    }

    /** The token with the longest text that the given text begins with. */
    static Token first_token(std::string_view text) {
        Token best = -1;
        for (const auto& each : vocabulary_->sorted()) {
            const std::string_view piece = vocabulary_->text(each.token);
            if (text.starts_with(piece) && (best < 0 || piece.size() > vocabulary_->text(best).size())) best = each.token;
        }
        return best;
    }

    /** Feeds a text token by token; whether all of it was allowed. allows and accept must agree. */
    static bool feed(Grammar& grammar, std::string_view text) {
        while (!text.empty()) {
            const Token token = first_token(text);
            const bool allowed = grammar.allows(token);
            EXPECT_EQ(!grammar.accept(token), allowed) << text;
            if (!allowed) return false;
            text.remove_prefix(vocabulary_->text(token).size());
        }
        return true;
    }

    /** Whether the grammar matches exactly this text. */
    static bool matches(Grammar grammar, std::string_view text) { return feed(grammar, text) && grammar.may_end(); }

    static inline Model* model_ = nullptr;
    static inline GrammarVocabulary* vocabulary_ = nullptr;
};

}  // namespace hlg::engine::test
