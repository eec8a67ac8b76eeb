// SPDX-License-Identifier: MIT
//
// The one error enum of libhlg, and the exception that a setting out of its range throws.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "hlg/hlg.h"

namespace hlg {

/** What a sampling call answers; the values are those of hlg_status in hlg.h, which says what each means. */
enum class Status : int {
    ok = HLG_OK,
    parameter = HLG_ERROR_PARAMETER,
    argument = HLG_ERROR_ARGUMENT,
    empty = HLG_ERROR_EMPTY,
    too_large = HLG_ERROR_TOO_LARGE,
    nan = HLG_ERROR_NAN,
    infinite = HLG_ERROR_INFINITE,
    no_token = HLG_ERROR_NO_TOKEN,
    edit = HLG_ERROR_EDIT,
    memory = HLG_ERROR_MEMORY,
    internal = HLG_ERROR_INTERNAL,
};

/** One English sentence for a status. */
std::string_view to_string(Status status) noexcept;

/** A setting out of its range. what() reads "[hlg.width] must be >= 0 or off, got -1". */
class ParameterError : public std::invalid_argument {
public:
    ParameterError(std::string field, const std::string& rule, const std::string& got);

    /** The setting, as requests spell it: "temperature", "hlg.width". */
    [[nodiscard]] const std::string& field() const noexcept { return field_; }

    /** The allowed range in words: "must be >= 0 or off". */
    [[nodiscard]] const std::string& rule() const noexcept { return rule_; }

private:
    std::string field_;
    std::string rule_;
};

}  // namespace hlg
