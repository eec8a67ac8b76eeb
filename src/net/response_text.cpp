// SPDX-License-Identifier: MIT
#include "net/response_text.hpp"

#include <chrono>

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <boost/beast/http/status.hpp>

namespace hlg::net {
namespace {

void add_header(std::string& text, std::string_view name, std::string_view value) {
    text += name;
    text += ": ";
    for (const char letter : value) {
        const auto byte = static_cast<unsigned char>(letter);
        text += byte < 0x20 || byte == 0x7F ? ' ' : letter;
    }
    text += "\r\n";
}

}  // namespace

std::string head_text(const api::Reply& reply, const std::vector<api::Header>& more, Framing framing, bool keep_alive) {
    namespace http = boost::beast::http;
    const auto reason = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(reply.status)));
    std::string text = fmt::format("HTTP/1.1 {} {}\r\n", reply.status, std::string_view(reason.data(), reason.size()));
    const bool body = reply.status != 204;
    if (body && !reply.content_type.empty()) add_header(text, "content-type", reply.content_type);
    if (body && framing == Framing::length) add_header(text, "content-length", std::to_string(reply.body.size()));
    if (framing == Framing::chunks) add_header(text, "transfer-encoding", "chunked");
    if (!keep_alive || framing == Framing::close) add_header(text, "connection", "close");
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    add_header(text, "date", fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(now)));
    for (const api::Header& header : reply.headers) add_header(text, header.name, header.value);
    for (const api::Header& header : more) add_header(text, header.name, header.value);
    text += "\r\n";
    return text;
}

std::string chunk_text(std::string_view bytes) { return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes); }

}  // namespace hlg::net
