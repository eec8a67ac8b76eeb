// SPDX-License-Identifier: MIT
#include "eval/folds.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace hlg::eval {
namespace {

/** Every source stays, with its number, though it may have no contexts here. */
Corpus part_of(const Corpus& corpus, const std::vector<std::size_t>& places) {
    Corpus part{corpus.sources, {}};
    part.contexts.reserve(places.size());
    for (const std::size_t place : places) part.contexts.push_back(corpus.contexts[place]);
    return part;
}

Fold fold_of(const Corpus& corpus, std::string name, const std::function<bool(const Context&)>& out) {
    std::vector<std::size_t> inside;
    std::vector<std::size_t> outside;
    for (std::size_t i = 0; i < corpus.contexts.size(); ++i) (out(corpus.contexts[i]) ? outside : inside).push_back(i);
    if (inside.empty() || outside.empty()) throw std::invalid_argument("nothing is left to tune on, or to report on");
    Fold fold{std::move(name), part_of(corpus, inside), part_of(corpus, outside), {}};
    fold.places = std::move(outside);
    return fold;
}

std::size_t texts_of(const Corpus& corpus) {
    std::size_t most = 0;
    for (const Context& context : corpus.contexts) most = std::max(most, context.text);
    return most + 1;
}

std::size_t source_of(const Corpus& corpus, const std::string& name) {
    for (std::size_t i = 0; i < corpus.sources.size(); ++i)
        if (corpus.sources[i].id == name) return i;
    std::vector<std::string> known;
    known.reserve(corpus.sources.size());
    for (const Source& source : corpus.sources) known.push_back(source.id);
    throw std::invalid_argument(fmt::format("no source is called {}; there are {}", name, fmt::join(known, ", ")));
}

}  // namespace

std::vector<Fold> make_folds(const Corpus& corpus, const std::vector<std::string>& held_out) {
    std::vector<Fold> folds;
    if (!held_out.empty()) {
        std::vector<std::size_t> out;
        out.reserve(held_out.size());
        for (const std::string& name : held_out) out.push_back(source_of(corpus, name));
        folds.push_back(fold_of(corpus, fmt::format("{}", fmt::join(held_out, ", ")), [&](const Context& context) {
            return std::find(out.begin(), out.end(), context.source) != out.end();
        }));
    } else if (corpus.sources.size() > 1) {
        for (std::size_t source = 0; source < corpus.sources.size(); ++source)
            folds.push_back(
                fold_of(corpus, corpus.sources[source].id, [&](const Context& context) { return context.source == source; }));
    } else if (const std::size_t texts = texts_of(corpus); texts > 1) {
        for (std::size_t text = 0; text < texts; ++text)
            folds.push_back(
                fold_of(corpus, corpus.sources[0].texts.at(text), [&](const Context& context) { return context.text == text; }));
    } else {
        const std::size_t middle = corpus.contexts[corpus.contexts.size() / 2].place;
        folds.push_back(fold_of(corpus, "first half", [&](const Context& context) { return context.place < middle; }));
        folds.push_back(fold_of(corpus, "second half", [&](const Context& context) { return context.place >= middle; }));
    }
    return folds;
}

std::string how_folded(const Corpus& corpus, const std::vector<std::string>& held_out) {
    if (!held_out.empty()) return fmt::format("held out: {}; tuned on the others", fmt::join(held_out, ", "));
    if (corpus.sources.size() > 1) return "each model is held out once while the knobs are tuned on the others";
    if (texts_of(corpus) > 1) return "each text is held out once while the knobs are tuned on the others, of the same model";
    return "each half of the one text is held out once while the knobs are tuned on the other half";
}

}  // namespace hlg::eval
