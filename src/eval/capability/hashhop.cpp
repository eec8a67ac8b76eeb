// SPDX-License-Identifier: MIT
#include "eval/capability/hashhop.hpp"

#include <cctype>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "eval/capability/fingerprint.hpp"
#include "eval/random.hpp"

namespace hlg::eval::capability {
namespace {

std::string new_hash(Random& random, std::size_t letters, std::set<std::string>& taken) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    while (true) {
        std::string hash;
        for (std::size_t i = 0; i < letters; ++i) hash += alphabet[random.below(alphabet.size())];
        if (taken.insert(hash).second) return hash;
    }
}

struct Puzzle {
    std::string text;
    std::string end;
    std::set<std::string> hashes;
};

Puzzle make_puzzle(const HashHopOptions& options, std::size_t steps, Random& random) {
    Puzzle puzzle;
    std::vector<std::vector<std::string>> chains(options.chains);
    std::vector<std::string> pairs;
    for (std::vector<std::string>& chain : chains) {
        for (std::size_t i = 0; i <= options.hops; ++i) chain.push_back(new_hash(random, options.letters, puzzle.hashes));
        for (std::size_t i = 0; i < options.hops; ++i) pairs.push_back(chain[i] + " -> " + chain[i + 1]);
    }
    for (std::size_t i = pairs.size(); i > 1; --i) std::swap(pairs[i - 1], pairs[random.below(i)]);
    const std::vector<std::string>& asked = chains[random.below(chains.size())];
    const std::size_t start = random.below(options.hops - steps + 1);
    puzzle.end = asked[start + steps];
    puzzle.text = "Each line leads from one word to another:\n\n";
    for (const std::string& pair : pairs) puzzle.text += pair + "\n";
    puzzle.text +=
        fmt::format("\nBegin at {} and follow the lines {} time{}. Answer with the word that you arrive at, and nothing else.",
                    asked[start], steps, steps == 1 ? "" : "s");
    return puzzle;
}

class HashHop : public Task {
public:
    explicit HashHop(const HashHopOptions& options) {
        Random random(options.seed);
        std::string all;
        for (std::size_t i = 0; i < options.questions; ++i) {
            const std::size_t steps = 1 + i % options.hops;
            Puzzle puzzle = make_puzzle(options, steps, random);
            all += puzzle.text;
            questions_.push_back({.id = fmt::format("{}", i),
                                  .group = fmt::format("{} hop{}", steps, steps == 1 ? "" : "s"),
                                  .turns = {{"user", puzzle.text}}});
            puzzle.text.clear();
            puzzles_.push_back(std::move(puzzle));
        }
        fingerprint_ = fingerprint_of(all);
    }

    [[nodiscard]] std::string name() const override { return "hashhop"; }
    [[nodiscard]] std::string title() const override { return "HashHop"; }
    [[nodiscard]] const std::vector<Question>& questions() const override { return questions_; }
    [[nodiscard]] std::string fingerprint() const override { return fingerprint_; }
    [[nodiscard]] std::size_t answer_tokens() const override { return 128; }

    [[nodiscard]] std::vector<Points> judge(std::size_t index, const Answer& answer) const override {
        return {{.right = hashhop_answer(answer.text, puzzles_[index].hashes) == puzzles_[index].end ? 1.0 : 0.0}};
    }

private:
    std::string fingerprint_;
    std::vector<Question> questions_;
    std::vector<Puzzle> puzzles_;  ///< without their texts, which the questions have
};

bool letter(char byte) { return std::isalpha(static_cast<unsigned char>(byte)) != 0; }

}  // namespace

std::optional<std::string> hashhop_answer(const std::string& text, const std::set<std::string>& hashes) {
    for (std::size_t end = text.size(); end > 0;) {
        std::size_t start = end;
        while (start > 0 && letter(text[start - 1])) --start;
        std::string word = text.substr(start, end - start);
        if (hashes.contains(word)) return word;
        end = start == 0 ? 0 : start - 1;
    }
    return std::nullopt;
}

std::unique_ptr<Task> make_hashhop(const HashHopOptions& options) {
    // Four letters are 7 million hashes: enough for any question that fits a context, and never an English word of the same
    // length.
    if (options.letters < 4 || options.hops < 1 || options.chains < 1 || options.chains * (options.hops + 1) > 1'000'000)
        throw std::invalid_argument("[hashhop] needs 4 letters, a hop and a chain at least, and 1,000,000 hashes at most");
    return std::make_unique<HashHop>(options);
}

}  // namespace hlg::eval::capability
