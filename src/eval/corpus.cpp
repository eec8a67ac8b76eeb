// SPDX-License-Identifier: MIT
#include "eval/corpus.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace hlg::eval {

std::string Source::remark() const {
    if (texts.size() == 1) return "1 prompt";
    return std::to_string(texts.size()) + " texts";
}

std::vector<double> weights(const Corpus& corpus, Weighing weighing) {
    std::map<std::pair<std::size_t, std::size_t>, double> alike;
    for (const Context& context : corpus.contexts) alike[{context.source, context.cluster}] += 1.0;
    std::vector<double> weights;
    weights.reserve(corpus.contexts.size());
    std::vector<double> total(corpus.sources.size());
    for (const Context& context : corpus.contexts) {
        weights.push_back(1.0 / alike[{context.source, context.cluster}]);
        total[weighing == Weighing::sources ? context.source : 0] += weights.back();
    }
    const auto present = static_cast<double>(std::count_if(total.begin(), total.end(), [](double sum) { return sum > 0; }));
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] /= total[weighing == Weighing::sources ? corpus.contexts[i].source : 0] * present;
    return weights;
}

Resampling resampling(const Corpus& corpus, std::size_t length) {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> texts;
    for (std::size_t i = 0; i < corpus.contexts.size(); ++i)
        texts[{corpus.contexts[i].source, corpus.contexts[i].text}].push_back(i);
    std::vector<std::vector<std::size_t>> series;
    series.reserve(texts.size());
    for (auto& [text, places] : texts) series.push_back(std::move(places));
    return Resampling::blocks(std::move(series), length);
}

Corpus subset(const Corpus& corpus, const std::vector<std::size_t>& sources) {
    Corpus part;
    for (const std::size_t source : sources) {
        for (const Context& context : corpus.contexts) {
            if (context.source != source) continue;
            part.contexts.push_back(context);
            part.contexts.back().source = part.sources.size();
        }
        part.sources.push_back(corpus.sources[source]);
    }
    return part;
}

void append(Corpus& corpus, Corpus more) {
    for (Context& context : more.contexts) context.source += corpus.sources.size();
    std::move(more.contexts.begin(), more.contexts.end(), std::back_inserter(corpus.contexts));
    std::move(more.sources.begin(), more.sources.end(), std::back_inserter(corpus.sources));
}

}  // namespace hlg::eval
