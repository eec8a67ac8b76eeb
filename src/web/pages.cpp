// SPDX-License-Identifier: MIT
//
// The assembler reads the files of web/dist into the program: a hundred thousand bytes as C++ text would take seconds.
#include "web/pages.hpp"

#include <array>
#include <stdexcept>

#include <zlib.h>

#define HLG_WEB_FILE(name, file)                        \
    asm(".pushsection .rodata\n"                        \
        ".global hlg_web_" name "_begin, hlg_web_" name \
        "_end\n"                                        \
        "hlg_web_" name "_begin: .incbin \"" file       \
        "\"\n"                                          \
        "hlg_web_" name                                 \
        "_end:\n"                                       \
        ".popsection\n")

// NOLINTBEGIN(hicpp-no-assembler)
HLG_WEB_FILE("playground", "playground.html.gz");
HLG_WEB_FILE("playground_policy", "playground.csp");
HLG_WEB_FILE("report", "report.html.gz");
HLG_WEB_FILE("report_policy", "report.csp");
// NOLINTEND(hicpp-no-assembler)

extern "C" {
extern const char hlg_web_playground_begin;
extern const char hlg_web_playground_end;
extern const char hlg_web_playground_policy_begin;
extern const char hlg_web_playground_policy_end;
extern const char hlg_web_report_begin;
extern const char hlg_web_report_end;
extern const char hlg_web_report_policy_begin;
extern const char hlg_web_report_policy_end;
}

namespace hlg::web {
namespace {

std::string_view between(const char& begin, const char& end) { return {&begin, static_cast<std::size_t>(&end - &begin)}; }

/** The file ends in a line's end, a header must not. */
std::string_view one_line(std::string_view text) { return text.substr(0, text.find('\n')); }

}  // namespace

Page playground() {
    return {.gzip = between(hlg_web_playground_begin, hlg_web_playground_end),
            .policy = one_line(between(hlg_web_playground_policy_begin, hlg_web_playground_policy_end))};
}

Page report_viewer() {
    return {.gzip = between(hlg_web_report_begin, hlg_web_report_end),
            .policy = one_line(between(hlg_web_report_policy_begin, hlg_web_report_policy_end))};
}

std::string unpacked(const Page& page) {
    z_stream stream{};
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream, gzip_only) != Z_OK) throw std::runtime_error("[web.unpacked] zlib has no memory");
    // zlib takes pointers to bytes that it does not write to.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(page.gzip.data()));  // NOLINT(cppcoreguidelines-pro-type-*)
    stream.avail_in = static_cast<uInt>(page.gzip.size());
    std::string html;
    std::array<char, std::size_t{64} << 10U> part{};
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        status = inflate(&stream, Z_NO_FLUSH);
        html.append(part.data(), part.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END) throw std::runtime_error("[web.unpacked] the page in this program is damaged");
    return html;
}

}  // namespace hlg::web
