// SPDX-License-Identifier: MIT
//
// Files of published datasets, read so that whoever has a wrong one learns which line of which file is wrong.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace hlg::eval::capability {

using nlohmann::json;

/** A dataset's file is missing, or not what its format says: "gsm8k/test.jsonl:12: no text called question". */
class DataError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/** A JSON object of a line of a file. */
class DataRow {
public:
    DataRow(std::string where, json object) : where_(std::move(where)), object_(std::move(object)) {}

    /** "FILE:LINE". */
    [[nodiscard]] const std::string& where() const noexcept { return where_; }

    /** A member of that kind. Throws DataError where there is none. */
    [[nodiscard]] std::string text(const std::string& key) const;
    [[nodiscard]] const json& array(const std::string& key) const;

    /** Throws DataError: what is wrong with this line. */
    [[noreturn]] void refuse(const std::string& what) const;

private:
    std::string where_;
    json object_;
};

/** A whole file, as it stands. Throws DataError. */
std::string read_data_file(const std::string& path);

/** What gzip (RFC 1952) packed, 256 MiB at most; `path` names it in the DataError for damage. */
std::string unpacked_gzip(const std::string& packed, const std::string& path);

/** JSON objects, one a line; empty lines are skipped. Throws DataError, also where there is no object at all. */
std::vector<DataRow> parse_json_lines(std::string_view text, const std::string& path);

/** A record of comma-separated values and the line that it begins on. */
struct CsvRecord {
    std::size_t line = 1;
    std::vector<std::string> fields;
};

/** Comma-separated values (RFC 4180: quoted fields may hold commas, line ends and doubled quotes). Throws DataError for a quote
    that no other closes, and for text behind a closing one. */
std::vector<CsvRecord> parse_csv(std::string_view text, const std::string& path);

}  // namespace hlg::eval::capability
