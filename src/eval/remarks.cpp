// SPDX-License-Identifier: MIT
#include "eval/remarks.hpp"

#include <set>
#include <utility>

#include <fmt/core.h>

#include "eval/sha256.hpp"

namespace hlg::eval {

std::string what_it_rests_on(const Corpus& corpus) {
    std::string text = "This rests on ";
    for (std::size_t source = 0; source < corpus.sources.size(); ++source) {
        std::array<std::set<std::size_t>, classes.size()> clusters;
        for (const Context& context : corpus.contexts)
            if (context.source == source) clusters[static_cast<std::size_t>(context.kind())].insert(context.cluster);
        text += fmt::format("{}{}: {}, distinct contexts {} confident, {} mid, {} open", source == 0 ? "" : "; ",
                            corpus.sources[source].id, corpus.sources[source].remark(), clusters[0].size(), clusters[1].size(),
                            clusters[2].size());
    }
    return text + ".";
}

std::string fingerprint(const Corpus& corpus) {
    Sha256 sum;
    for (const Context& context : corpus.contexts) {
        const auto add = [&](const auto& numbers) {
            sum.add({reinterpret_cast<const unsigned char*>(numbers.data()), numbers.size() * sizeof(numbers[0])});
        };
        add(context.logit);
        add(context.count);
        add(std::array<std::size_t, 4>{context.source, context.text, context.cluster,
                                       context.next ? context.next->group : ~std::size_t{0}});
    }
    return sum.digest().substr(0, 16);
}

}  // namespace hlg::eval
