// SPDX-License-Identifier: MIT
#include "eval/capability/data_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/core.h>
#include <zlib.h>

#include "engine/utf8.hpp"

namespace hlg::eval::capability {
namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20U;

/** An inflating stream that ends itself. */
class Inflater {
public:
    explicit Inflater(const std::string& packed) {
        constexpr int gzip_only = 16 + MAX_WBITS;
        if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::runtime_error("[unpacked_gzip] zlib has no memory");
        // zlib takes pointers to bytes that it does not write to.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // NOLINT(cppcoreguidelines-pro-type-*)
        stream_.avail_in = static_cast<uInt>(packed.size());
    }
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    /** Adds the next part; Z_OK = there is more. */
    int next(std::string& text) {
        stream_.next_out = reinterpret_cast<Bytef*>(part_.data());
        stream_.avail_out = static_cast<uInt>(part_.size());
        const int status = inflate(&stream_, Z_NO_FLUSH);
        text.append(part_.data(), part_.size() - stream_.avail_out);
        return status;
    }

private:
    z_stream stream_{};
    std::array<char, std::size_t{64} << 10U> part_{};
};

/** Reads records from left to right. */
class CsvReader {
public:
    CsvReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

    std::vector<CsvRecord> records() {
        std::vector<CsvRecord> found;
        while (at_ < text_.size()) found.push_back(record());
        return found;
    }

private:
    CsvRecord record() {
        CsvRecord made{.line = line_, .fields = {}};
        do made.fields.push_back(field());
        while (take(','));
        take('\r');
        if (!take('\n') && at_ < text_.size()) throw DataError(fmt::format("{}:{}: text behind a closing quote", path_, line_));
        ++line_;
        return made;
    }

    std::string field() {
        if (take('"')) return quoted();
        const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
        std::string plain(text_.substr(at_, end - at_));
        at_ = end;
        return plain;
    }

    std::string quoted() {
        const std::size_t opened = line_;
        std::string value;
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] == '"') {
                ++at_;
                if (at_ >= text_.size() || text_[at_] != '"') return value;
            }
            if (text_[at_] == '\n') ++line_;
            value += text_[at_];
        }
        throw DataError(fmt::format("{}:{}: a quote opens here and is never closed", path_, opened));
    }

    bool take(char wanted) {
        if (at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }

    std::string_view text_;
    const std::string& path_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

}  // namespace

void DataRow::refuse(const std::string& what) const { throw DataError(where_ + ": " + what); }

std::string DataRow::text(const std::string& key) const {
    const auto found = object_.find(key);
    if (found == object_.end() || !found->is_string()) refuse("no text called " + key);
    return found->get<std::string>();
}

const json& DataRow::array(const std::string& key) const {
    const auto found = object_.find(key);
    if (found == object_.end() || !found->is_array()) refuse("no array called " + key);
    return *found;
}

std::string read_data_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf())) throw DataError(fmt::format("can't read {}: {}", path, std::strerror(errno)));
    return std::move(text).str();
}

std::string unpacked_gzip(const std::string& packed, const std::string& path) {
    Inflater inflater(packed);
    std::string text;
    int status = Z_OK;
    while (status == Z_OK && text.size() <= most_bytes) status = inflater.next(text);
    if (status == Z_OK) throw DataError(path + ": more than 256 MiB when unpacked");
    if (status != Z_STREAM_END) throw DataError(path + ": not a whole gzip file");
    return text;
}

std::vector<DataRow> parse_json_lines(std::string_view text, const std::string& path) {
    std::vector<DataRow> rows;
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        at = end + 1;
        const std::string where = fmt::format("{}:{}", path, ++number);
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        if (engine::first_invalid_utf8(line)) throw DataError(where + ": not UTF-8");
        json object = json::parse(line, nullptr, false);
        if (!object.is_object()) throw DataError(where + ": not a JSON object");
        rows.emplace_back(where, std::move(object));
    }
    if (rows.empty()) throw DataError(path + ": holds no JSON object");
    return rows;
}

std::vector<CsvRecord> parse_csv(std::string_view text, const std::string& path) { return CsvReader(text, path).records(); }

}  // namespace hlg::eval::capability
