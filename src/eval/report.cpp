// SPDX-License-Identifier: MIT
#include "eval/report.hpp"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/core.h>

#include "eval/figure_finding.hpp"
#include "web/report_page.hpp"

namespace hlg::eval {
namespace {

namespace fs = std::filesystem;

/** Beside its place first, then renamed into it: whoever looks meets a whole file. */
void write_whole(const fs::path& path, const std::string& text) {
    const fs::path beside = path.string() + ".part";
    std::ofstream out(beside, std::ios::binary);
    out << text;
    out.close();
    std::error_code error;
    if (out) fs::rename(beside, path, error);
    if (!out || error) throw std::runtime_error("can't write " + path.string());
}

Json json_of(const Column& column) {
    Json json{{"key", column.key}, {"label", column.label}};
    if (!column.unit.empty()) json["unit"] = column.unit;
    json["digits"] = column.digits;
    if (column.interval) {
        json["low"] = column.key + "_low";
        json["high"] = column.key + "_high";
    }
    if (!column.note.empty()) json["note"] = column.note;
    return json;
}

}  // namespace

Json number(double value) {
    // Seven digits are far more than any interval has; all seventeen would double the file.
    return std::isfinite(value) ? Json(std::strtod(fmt::format("{:.7g}", value).c_str(), nullptr)) : Json(nullptr);
}

void Table::put(Json& row, const std::string& key, const Interval& interval) {
    row[key] = number(interval.estimate);
    row[key + "_low"] = number(interval.low);
    row[key + "_high"] = number(interval.high);
}

Json Table::json() const {
    Json columns = Json::array();
    for (const Column& column : columns_) columns.push_back(json_of(column));
    return {{"columns", columns}, {"rows", rows_}};
}

void Report::inputs(const Corpus& corpus) {
    for (const Source& source : corpus.sources) {
        inputs_.push_back({{"id", source.id},
                           {"source", source.kind},
                           {"vocabulary", source.vocabulary},
                           {"contexts", source.contexts},
                           {"clusters", source.clusters},
                           {"texts", source.texts},
                           {"sha256", source.sha256},
                           {"remark", source.remark()}});
    }
}

void Report::section(const std::string& id, const std::string& title, std::vector<std::string> text, std::vector<Json> figures,
                     std::vector<std::string> tables) {
    sections_.push_back({{"id", id},
                         {"title", title},
                         {"text", std::move(text)},
                         {"figures", std::move(figures)},
                         {"tables", std::move(tables)}});
}

void Report::texts(const std::string& id, const std::string& title, Json passages) {
    sections_.push_back({{"id", id}, {"title", title}, {"texts", std::move(passages)}});
}

const Table* Report::table(const std::string& id) const {
    for (const auto& [name, table] : tables_)
        if (name == id) return &table;
    return nullptr;
}

Json Report::json(const Made& made) const {
    Json json{{"format", "hlg-report"}, {"version", 1}, {"kind", kind_}, {"title", title_}, {"findings", findings_}};
    json["made"] = {{"hlg", made.hlg},         {"engine", made.engine.empty() ? Json(nullptr) : Json(made.engine)},
                    {"command", made.command}, {"date", made.date},
                    {"machine", made.machine}, {"seconds", made.seconds}};
    json["inputs"] = inputs_;
    json["settings"] = settings_;
    json["seeds"] = seeds_;
    json["tables"] = Json::object();
    for (const auto& [id, table] : tables_) json["tables"][id] = table.json();
    json["sections"] = sections_;
    for (Json& section : json["sections"]) {
        if (!section.contains("figures")) continue;
        for (Json& figure : section["figures"]) {
            const Table* shown = table(figure.value("table", ""));
            const std::string finding = shown != nullptr ? finding_of(figure, *shown) : "";
            if (!finding.empty()) figure["title"] = figure["title"].get<std::string>() + ": " + finding;
        }
    }
    return json;
}

std::string machine_name() {
    std::ifstream info("/proc/cpuinfo");
    std::string model = "CPU";
    for (std::string line; std::getline(info, line);) {
        if (!line.starts_with("model name")) continue;
        model = line.substr(line.find(':') + 2);
        break;
    }
    return fmt::format("{} x {}", std::thread::hardware_concurrency(), model);
}

std::string utc_now() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

void write_report(const std::string& folder, const Json& report) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw std::runtime_error(fmt::format("can't make {}: {}", folder, error.message()));
    const std::string text = report.dump(1, ' ', false, Json::error_handler_t::replace);
    write_whole(fs::path(folder) / "report.json", text + "\n");
    write_whole(fs::path(folder) / "report.html", web::report_page(text));
}

}  // namespace hlg::eval
