// SPDX-License-Identifier: MIT
#include "eval/capability/language.hpp"

#include <algorithm>
#include <cstdio>  // IWYU pragma: keep (CLD2's header names FILE and leaves this out)

#include <cld2/public/compact_lang_det.h>

#include "eval/capability/unicode.hpp"

namespace hlg::eval::capability {

std::optional<std::string> language_of(const std::string& text) {
    const std::u32string all = characters(text);
    if (std::none_of(all.begin(), all.end(), is_letter)) return std::nullopt;
    const std::string whole = utf8(all);
    CLD2::CLDHints hints{nullptr, nullptr, 0, CLD2::UNKNOWN_LANGUAGE};
    CLD2::Language three[3];  // NOLINT(modernize-avoid-c-arrays)
    int percent[3];           // NOLINT(modernize-avoid-c-arrays)
    double scores[3];         // NOLINT(modernize-avoid-c-arrays)
    int bytes = 0;
    int valid = 0;
    bool reliable = false;
    const CLD2::Language found = CLD2::ExtDetectLanguageSummaryCheckUTF8(whole.data(), static_cast<int>(whole.size()), true,
                                                                         &hints, CLD2::kCLDFlagBestEffort, three, percent, scores,
                                                                         nullptr, &bytes, &reliable, &valid);
    const std::string code = CLD2::LanguageCode(found);
    return code == "iw" ? "he" : code;  // CLD2 has Hebrew's former code
}

}  // namespace hlg::eval::capability
