// SPDX-License-Identifier: MIT
#include "eval/figure_finding.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/core.h>

namespace hlg::eval {
namespace {

Json value_of(const Json& row, const std::string& key) { return row.contains(key) ? row.at(key) : Json(); }

std::string word_of(const Json& value) {
    if (value.is_string()) return value;
    return value.is_number() ? fmt::format("{:.4g}", value.get<double>()) : value.dump();
}

bool chosen(const Json& row, const Json& where) {
    return std::all_of(where.items().begin(), where.items().end(), [&](const auto& wanted) {
        const Json value = value_of(row, wanted.key());
        if (!wanted.value().is_array()) return value == wanted.value();
        return std::find(wanted.value().begin(), wanted.value().end(), value) != wanted.value().end();
    });
}

std::string label_of(const Json& axis, const Table& table) {
    if (axis.contains("label")) return axis["label"];
    for (const Column& column : table.columns())
        if (column.key == axis["key"]) return column.label;
    return axis["key"];
}

/** The rows that the figure draws a mark for, with numbers on both axes that have them. */
std::vector<Json> drawn(const Json& figure, const Table& table) {
    std::vector<Json> rows;
    for (const Json& row : table.rows()) {
        if (!chosen(row, figure.value("where", Json::object()))) continue;
        const auto placed = [&](const char* side) {
            const Json& axis = figure[side];
            return axis.value("scale", "") == "category" || value_of(row, axis["key"]).is_number();
        };
        if (placed("x") && placed("y")) rows.push_back(row);
    }
    return rows;
}

/** Of each line the row furthest to the right, of those that reach as far as any. */
std::vector<Json> right_ends(const std::vector<Json>& rows, const std::string& x) {
    double end = -std::numeric_limits<double>::infinity();
    for (const Json& row : rows) end = std::max(end, row[x].get<double>());
    std::vector<Json> ends;
    for (const Json& row : rows)
        if (row[x].get<double>() == end) ends.push_back(row);
    return ends;
}

/** What tells a row from the others: its series, facet and category, where rows differ in them. */
std::string name_of(const Json& row, const std::vector<std::string>& keys, const std::vector<Json>& rows) {
    std::string name;
    for (const std::string& key : keys) {
        const Json value = value_of(row, key);
        if (std::all_of(rows.begin(), rows.end(), [&](const Json& other) { return value_of(other, key) == value; })) continue;
        name += (name.empty() ? "" : ", ") + word_of(value);
    }
    return name;
}

}  // namespace

std::string finding_of(const Json& figure, const Table& table) {
    const std::string mark = figure.value("mark", "");
    const bool along_x = mark == "interval" || (mark == "bar" && figure["y"].value("scale", "") == "category");
    const Json& axis = figure[along_x ? "x" : "y"];
    const Json& other = figure[along_x ? "y" : "x"];
    if (mark == "heat" || axis.value("scale", "") == "category") return {};
    std::vector<Json> rows = drawn(figure, table);
    if (rows.size() < 2) return {};
    if (mark == "line") rows = right_ends(rows, other["key"]);
    std::vector<std::string> keys;
    for (const char* part : {"series", "facet"})
        if (figure.contains(part)) keys.push_back(figure[part]);
    if (mark != "line" && other.value("scale", "") == "category") keys.push_back(other["key"]);
    const std::string key = axis["key"];
    const auto [least, most] = std::minmax_element(
        rows.begin(), rows.end(), [&](const Json& a, const Json& b) { return a[key].get<double>() < b[key].get<double>(); });
    const std::string end =
        mark == "line" ? fmt::format(" at {} {}", label_of(other, table), word_of(rows.front()[other["key"].get<std::string>()]))
                       : "";
    const auto told = [&](const Json& row) {
        const std::string name = name_of(row, keys, rows);
        return fmt::format("{:.3g}{}", row[key].get<double>(), name.empty() ? "" : " (" + name + ")");
    };
    if (least == most || rows.size() == 1) return fmt::format("{} {}{}", label_of(axis, table), told(rows.front()), end);
    return fmt::format("{} from {} to {}{}", label_of(axis, table), told(*least), told(*most), end);
}

}  // namespace hlg::eval
