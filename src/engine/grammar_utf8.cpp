// SPDX-License-Identifier: MIT
#include "engine/grammar_utf8.hpp"

#include <algorithm>
#include <array>

namespace hlg::engine {
namespace {

constexpr char32_t last_code = 0x10FFFF;

/** Adds the sequences for codes whose encodings are equally long. */
void add_equal_length(char32_t low, char32_t high, std::vector<ByteSequence>& out) {
    while (low <= high) {
        // The longest run from here in which the last k bytes take all their values, so that one sequence covers it.
        char32_t end = low;
        for (unsigned bits = 6; bits <= 18; bits += 6) {
            const char32_t tail = (char32_t{1} << bits) - 1;
            if ((low & tail) != 0 || (low | tail) > high || low < 0x80) break;
            end = low | tail;
            // Whole blocks beside it differ in the byte in front only, as long as that stays within its own block.
            const char32_t block = (low | ((char32_t{1} << (bits + 6)) - 1));
            const char32_t blocks_end = std::min(block, high);
            if (blocks_end > end) end = ((blocks_end + 1) & ~tail) - 1;
        }
        if (end == low) end = low < 0x80 ? high : std::min<char32_t>(high, low | 0x3FU);
        std::string first;
        std::string last;
        append_utf8(low, first);
        append_utf8(end, last);
        ByteSequence sequence;
        for (std::size_t i = 0; i < first.size(); ++i)
            sequence.push_back({static_cast<std::uint8_t>(first[i]), static_cast<std::uint8_t>(last[i])});
        out.push_back(std::move(sequence));
        low = end + 1;
    }
}

}  // namespace

void append_utf8(char32_t code, std::string& bytes) {
    const auto put = [&bytes](char32_t value) { bytes += static_cast<char>(static_cast<unsigned char>(value)); };
    const auto rest = [&put, code](unsigned shift) { put(0x80U | ((code >> shift) & 0x3FU)); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
        put(0xC0U | (code >> 6U));
    } else if (code < 0x10000) {
        put(0xE0U | (code >> 12U));
        rest(6);
    } else {
        put(0xF0U | (code >> 18U));
        rest(12);
        rest(6);
    }
    rest(0);
}

std::vector<GrammarRange> normalised(std::span<const GrammarRange> ranges, bool negated) {
    std::vector<GrammarRange> sorted;
    for (const GrammarRange& range : ranges) {
        const GrammarRange within{std::max<char32_t>(range.low, 1), std::min(range.high, last_code)};
        if (within.low <= within.high) sorted.push_back(within);
    }
    std::sort(sorted.begin(), sorted.end(), [](const GrammarRange& a, const GrammarRange& b) { return a.low < b.low; });
    std::vector<GrammarRange> merged;
    for (const GrammarRange& range : sorted) {
        if (merged.empty() || range.low > merged.back().high + 1) {
            merged.push_back(range);
        } else {
            merged.back().high = std::max(merged.back().high, range.high);
        }
    }
    if (!negated) return merged;
    std::vector<GrammarRange> others;
    char32_t next = 1;
    for (const GrammarRange& range : merged) {
        if (range.low > next) others.push_back({next, range.low - 1});
        next = range.high + 1;
    }
    if (next <= last_code) others.push_back({next, last_code});
    return others;
}

std::vector<ByteSequence> byte_sequences(GrammarRange range) {
    std::vector<ByteSequence> sequences;
    constexpr std::array<char32_t, 4> longest = {0x7F, 0x7FF, 0xFFFF, last_code};  // of 1, 2, 3 and 4 bytes
    char32_t low = range.low;
    for (const char32_t end : longest) {
        if (low > range.high) break;
        if (low > end) continue;
        add_equal_length(low, std::min(range.high, end), sequences);
        low = end + 1;
    }
    return sequences;
}

}  // namespace hlg::engine
