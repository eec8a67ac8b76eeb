// SPDX-License-Identifier: MIT
//
// report.json (docs/reference/report.md): tables hold all the numbers, figures say which columns to draw. The only writer of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "eval/bootstrap.hpp"
#include "eval/corpus.hpp"

namespace hlg::eval {

using Json = nlohmann::ordered_json;

struct Column {
    std::string key;
    std::string label;
    std::string unit = {};
    int digits = 3;
    std::string note = {};
    bool interval = false;  ///< KEY_low and KEY_high of the row are its ends
};

/** A row's value, to seven digits; NaN and infinities become null, which means not applicable. */
Json number(double value);

class Table {
public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /** Puts an interval's three numbers into a row. */
    static void put(Json& row, const std::string& key, const Interval& interval);

    void add(Json row) { rows_.push_back(std::move(row)); }
    [[nodiscard]] const std::vector<Column>& columns() const noexcept { return columns_; }
    [[nodiscard]] const std::vector<Json>& rows() const noexcept { return rows_; }
    [[nodiscard]] Json json() const;

private:
    std::vector<Column> columns_;
    std::vector<Json> rows_;
};

/** How and where a report was made. */
struct Made {
    std::string hlg;
    std::string engine;  ///< empty = none had a part in it
    std::string command;
    std::string date;
    std::string machine;
    double seconds = 0.0;
};

class Report {
public:
    Report(std::string kind, std::string title) : kind_(std::move(kind)), title_(std::move(title)) {}

    void find(std::string sentence) { findings_.push_back(std::move(sentence)); }
    void set(const std::string& setting, Json value) { settings_[setting] = std::move(value); }
    void seed(const std::string& of, std::uint64_t value) { seeds_[of] = value; }
    void inputs(const Corpus& corpus);

    /** What else was looked at, as report.md has it. */
    void input(Json input) { inputs_.push_back(std::move(input)); }
    void table(const std::string& id, Table table) { tables_.emplace_back(id, std::move(table)); }

    /** A section with its figures, as report.md has them, and the tables that it shows. */
    void section(const std::string& id, const std::string& title, std::vector<std::string> text, std::vector<Json> figures,
                 std::vector<std::string> tables);

    /** A section of texts side by side: passages as report.md has them. */
    void texts(const std::string& id, const std::string& title, Json passages);

    [[nodiscard]] const std::vector<std::string>& findings() const noexcept { return findings_; }
    [[nodiscard]] const Table* table(const std::string& id) const;
    [[nodiscard]] Json json(const Made& made) const;

private:
    std::string kind_;
    std::string title_;
    std::vector<std::string> findings_;
    Json inputs_ = Json::array();
    Json settings_ = Json::object();
    Json seeds_ = Json::object();
    std::vector<std::pair<std::string, Table>> tables_;
    Json sections_ = Json::array();
};

/** "2 x AMD EPYC". */
std::string machine_name();

/** Now, as 2026-01-31T12:00:00Z. */
std::string utc_now();

/** Writes report.json and report.html into the folder, which is made where there is none. Throws std::runtime_error. */
void write_report(const std::string& folder, const Json& report);

}  // namespace hlg::eval
