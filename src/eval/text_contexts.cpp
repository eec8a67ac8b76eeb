// SPDX-License-Identifier: MIT
#include "eval/text_contexts.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "engine/teacher.hpp"
#include "eval/duplicates.hpp"
#include "eval/sha256.hpp"
#include "eval/token_kinds.hpp"

namespace hlg::eval {
namespace {

/** Adds the contexts of one text while it is read. */
class TextReader {
public:
    TextReader(Corpus& corpus, DuplicateFinder& duplicates, const TextOptions& options, std::span<const engine::Token> tokens,
               std::vector<std::uint8_t> kinds)
        : corpus_(corpus),
          duplicates_(duplicates),
          options_(options),
          tokens_(tokens),
          kinds_(std::move(kinds)),
          text_(corpus.sources.front().texts.size()) {}

    void take(std::size_t place, std::span<const float> logits) {
        if (place < options_.skip || (place - options_.skip) % options_.every != 0 || place + 1 >= tokens_.size()) return;
        Context context = make_context(logits, kinds_, static_cast<std::size_t>(tokens_[place + 1]));
        context.text = text_;
        context.place = place;
        context.cluster = duplicates_.cluster_of(logits);
        corpus_.contexts.push_back(std::move(context));
    }

private:
    Corpus& corpus_;
    DuplicateFinder& duplicates_;
    const TextOptions& options_;
    std::span<const engine::Token> tokens_;
    std::vector<std::uint8_t> kinds_;
    std::size_t text_;
};

}  // namespace

Corpus read_texts(const engine::Model& model, const std::vector<NamedText>& texts, const TextOptions& options,
                  const std::atomic<bool>& abort, const Progress& progress) {
    Corpus corpus;
    corpus.sources.push_back(
        {.id = options.id, .kind = "model", .vocabulary = model.vocabulary_size(), .texts = {}, .sha256 = {}});
    Source& source = corpus.sources.front();
    DuplicateFinder duplicates;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::vector<engine::Token> tokens = model.tokenize(texts[i].text, {.begin = true, .marks = false});
        tokens.resize(std::min(tokens.size(), options.tokens));
        TextReader reader(corpus, duplicates, options, tokens, token_kinds_of(model, scripts_of(texts[i].text)));
        const auto visit = [&](std::size_t place, std::span<const float> logits) {
            reader.take(place, logits);
            const double within = static_cast<double>(place) / static_cast<double>(tokens.size());
            if (progress && !progress((static_cast<double>(i) + within) / static_cast<double>(texts.size()))) throw Stopped();
        };
        engine::Failure failure = engine::read_text(model, options.engine, tokens, visit, abort);
        if (failure && failure->code == engine::ErrorCode::interrupted) throw Stopped();
        if (failure) throw std::runtime_error(texts[i].name + ": " + failure->message);
        source.texts.push_back(texts[i].name);
    }
    source.contexts = corpus.contexts.size();
    source.clusters = duplicates.clusters();
    source.sha256 = sha256_of_file(model.path());
    return corpus;
}

}  // namespace hlg::eval
