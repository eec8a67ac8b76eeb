// SPDX-License-Identifier: MIT
#include "cli/text_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace hlg::cli {
namespace {

const eval::Column& column_of(const eval::Table& table, const std::string& key) {
    const auto& columns = table.columns();
    return *std::find_if(columns.begin(), columns.end(), [&](const eval::Column& column) { return column.key == key; });
}

/** So many significant digits, without an exponent where a person would write none. */
std::string digits(double value, int count) {
    const double size = std::abs(value);
    if (value != 0 && (size < 1e-4 || size >= 1e6)) return fmt::format("{:.{}g}", value, std::min(count, 2));
    const int whole = size < 1 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
    return fmt::format("{:.{}f}", value, std::clamp(count - whole + (size < 1 ? 1 : 0), 0, 4));
}

std::string cell(const eval::Json& row, const eval::Column& column) {
    const auto found = row.find(column.key);
    if (found == row.end() || found->is_null()) return "-";
    if (found->is_string()) return found->get<std::string>();
    if (found->is_boolean()) return found->get<bool>() ? "yes" : "no";
    return found->is_number_float() ? digits(found->get<double>(), column.digits) : found->dump();
}

/** Characters, of which UTF-8 has one for each byte that continues none. */
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string text_table(const eval::Table& table, const std::vector<std::string>& wanted) {
    std::vector<std::string> keys = wanted;
    if (keys.empty())
        for (const eval::Column& column : table.columns()) keys.push_back(column.key);
    std::vector<std::vector<std::string>> lines(table.rows().size() + 1);
    std::vector<bool> left;
    for (const std::string& key : keys) {
        const eval::Column& column = column_of(table, key);
        lines[0].push_back(column.label);
        bool text = false;
        for (std::size_t row = 0; row < table.rows().size(); ++row) {
            const eval::Json& values = table.rows()[row];
            text = text || (values.contains(key) && values[key].is_string());
            lines[row + 1].push_back(cell(values, column));
        }
        left.push_back(text);
    }
    std::string out;
    for (const std::vector<std::string>& line : lines) {
        std::string text;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            std::size_t width = 0;
            for (const auto& other : lines) width = std::max(width, width_of(other[i]));
            const std::string pad(width - width_of(line[i]), ' ');
            text += (i == 0 ? "" : "  ") + (left[i] ? line[i] + pad : pad + line[i]);
        }
        out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
}

}  // namespace hlg::cli
