// Lines of JSON, comma-separated values and gzip, and what is said of those that are broken.
#include "eval/capability/data_file.hpp"

#include <zlib.h>

#include "eval/capability/fixture.hpp"

namespace hlg::eval::capability {
namespace {

class DataFile : public DataFolder {};

std::string gzip(const std::string& text) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    std::string from = text;
    stream.next_in = reinterpret_cast<Bytef*>(from.data());
    stream.avail_in = static_cast<uInt>(from.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

TEST_F(DataFile, LinesOfJson) {
    const std::vector<DataRow> rows = parse_json_lines("{\"a\": \"x\"}\n\n  \r\n{\"b\": [1]}", "f.jsonl");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].text("a"), "x");
    EXPECT_EQ(rows[1].where(), "f.jsonl:4");
    EXPECT_EQ(rows[1].array("b").size(), 1U);
    EXPECT_EQ(error_of([&] { (void)rows[1].text("a"); }), "f.jsonl:4: no text called a");
    EXPECT_EQ(error_of([&] { (void)rows[0].array("a"); }), "f.jsonl:1: no array called a");
}

TEST_F(DataFile, BrokenLinesAreNamed) {
    EXPECT_EQ(error_of([] { (void)parse_json_lines("{}\n{\"a\": ", "f"); }), "f:2: not a JSON object");
    EXPECT_EQ(error_of([] { (void)parse_json_lines("[1]", "f"); }), "f:1: not a JSON object");
    EXPECT_EQ(error_of([] { (void)parse_json_lines("{\"a\": \"\xff\"}", "f"); }), "f:1: not UTF-8");
    EXPECT_EQ(error_of([] { (void)parse_json_lines("\n\n", "f"); }), "f: holds no JSON object");
    EXPECT_EQ(error_of([&] { (void)read_data_file((folder_ / "none").string()); }), "can't read none: No such file or directory");
}

TEST_F(DataFile, CommaSeparatedValues) {
    const std::vector<CsvRecord> records = parse_csv("a,\"b, \"\"c\"\"\nd\",\r\n\"\",2", "f.csv");
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].fields, (std::vector<std::string>{"a", "b, \"c\"\nd", ""}));
    EXPECT_EQ(records[1].fields, (std::vector<std::string>{"", "2"}));
    EXPECT_EQ(records[1].line, 3U);
    EXPECT_EQ(error_of([] { (void)parse_csv("a\nb,\"c\n\n", "f.csv"); }), "f.csv:2: a quote opens here and is never closed");
    EXPECT_EQ(error_of([] { (void)parse_csv("a\n\"b\"c\n", "f.csv"); }), "f.csv:2: text behind a closing quote");
}

TEST_F(DataFile, Gzip) {
    const std::string text(200'000, 'x');
    EXPECT_EQ(unpacked_gzip(gzip(text), "f.gz"), text);
    const std::string packed = gzip("some words");
    EXPECT_EQ(error_of([&] { (void)unpacked_gzip(packed.substr(0, packed.size() - 4), "f.gz"); }), "f.gz: not a whole gzip file");
    EXPECT_EQ(error_of([] { (void)unpacked_gzip("plain", "f.gz"); }), "f.gz: not a whole gzip file");
}

}  // namespace
}  // namespace hlg::eval::capability
