// SPDX-License-Identifier: MIT
#include "net/request_reader.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/core.h>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/string_body.hpp>

#include "engine/utf8.hpp"

namespace hlg::net {

namespace beast = boost::beast;
namespace http = boost::beast::http;

struct RequestReader::Parser {
    http::request_parser<http::string_body> http;
    std::size_t max_head;
    std::size_t max_body;
    std::size_t head = 0;  ///< bytes of the line and headers so far
    beast::error_code error = {};
};

RequestReader::RequestReader(std::size_t max_head, std::size_t max_body) : parser_(std::make_unique<Parser>()) {
    parser_->max_head = max_head;
    parser_->max_body = max_body;
    parser_->http.header_limit(static_cast<std::uint32_t>(max_head));
    parser_->http.body_limit(
        boost::none);  // until the headers are known: who is refused for its body's length is told as who it is
}

RequestReader::~RequestReader() = default;
RequestReader::RequestReader(RequestReader&&) noexcept = default;
RequestReader& RequestReader::operator=(RequestReader&&) noexcept = default;

void RequestReader::refuse(int status, std::string message) {
    state_ = State::bad;
    problem_ = {.status = status, .message = std::move(message)};
}

void RequestReader::refuse_body() { refuse(413, fmt::format("the request's body is longer than {} bytes", parser_->max_body)); }

// The parser takes one thing at a time: the line, the headers, a line between chunks, what there is of the body. So the headers
// are read before a trailer's fields come among them, and lines can be measured: Beast's own limit holds for the line and for the
// headers each, if they come together, and for no line between chunks.
std::size_t RequestReader::step(std::string_view bytes) {
    auto& [parser, max_head, max_body, head, error] = *parser_;
    const std::size_t body = parser.get().body().size();
    const std::size_t count = parser.put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
    if (state_ == State::body) {
        const std::size_t line = count - (parser.get().body().size() - body);
        if (line > max_head) error = http::error::header_limit;
        return count;
    }
    head += count;
    if (head > max_head)
        error = http::error::header_limit;
    else if (parser.is_header_done())
        read_head();
    return count;
}

std::size_t RequestReader::take(std::string_view bytes) {
    auto& parser = parser_->http;
    beast::error_code& error = parser_->error;
    error = {};
    std::size_t used = 0;
    while (used < bytes.size() && !error && !parser.is_done()) {
        used += step(bytes.substr(used));
        if (state_ == State::bad) return used;
    }
    // What waits in a body is the beginning of a line between chunks. Where the line itself was refused, its chunk waits behind
    // it.
    const bool waits = state_ == State::body && error == http::error::need_more;
    if (waits && bytes.size() - used > parser_->max_head) error = http::error::header_limit;
    if (error && error != http::error::need_more) {
        if (error == http::error::header_limit)
            refuse(431, fmt::format("the request's {} longer than {} bytes",
                                    state_ == State::head ? "headers are" : "line between two chunks is", parser_->max_head));
        else if (error == http::error::body_limit)
            refuse_body();
        else
            refuse(400, "this is no HTTP request: " + error.message());
    } else if (parser.is_done()) {
        request_.http.body = std::move(parser.get().body());
        state_ = State::complete;
    }
    return used;
}

bool RequestReader::expects_continue() const {
    return state_ == State::body && request_.chunks && beast::iequals(parser_->http.get()[http::field::expect], "100-continue");
}

void RequestReader::read_head() {
    state_ = State::body;
    const auto& message = parser_->http.get();
    api::HttpRequest& request = request_.http;
    const auto method = message.method_string();
    request.method.assign(method.data(), method.size());
    request_.head_only = request.method == "HEAD";
    if (request_.head_only) request.method = "GET";
    request_.chunks = message.version() >= 11;
    request_.keep_alive = request_.chunks && message.keep_alive();  // older ones would have to be told
    for (const auto& field : message) {
        api::Header header{{field.name_string().data(), field.name_string().size()},
                           {field.value().data(), field.value().size()}};
        std::transform(header.name.begin(), header.name.end(), header.name.begin(),
                       [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
        request.headers.push_back(std::move(header));
    }
    const auto target = message.target();
    if (!decode_path({target.data(), target.size()}, request.path)) return refuse(400, "the request's path can't be read");
    if (request_.chunks && message.count(http::field::host) != 1) return refuse(400, "a request has one Host header");
    // A length that another server would find elsewhere lets a client hide a request in a request.
    const std::size_t codings = message.count(http::field::transfer_encoding);
    if (codings > 1 || (codings == 1 && !beast::iequals(message[http::field::transfer_encoding], "chunked")))
        return refuse(501, "of all transfer codings only chunked can be read");
    const auto expect = message[http::field::expect];
    if (!expect.empty() && !beast::iequals(expect, "100-continue"))
        return refuse(417, "of all expectations only 100-continue can be met");
    if (parser_->http.content_length().value_or(0) > parser_->max_body) return refuse_body();
    parser_->http.body_limit(parser_->max_body);  // of chunks
}

namespace {

std::optional<char> decode_hex(std::string_view digits) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) return std::nullopt;
    return static_cast<char>(value);
}

}  // namespace

bool decode_path(std::string_view target, std::string& path) {
    path.clear();
    if (const std::size_t scheme = target.find("://"); scheme != std::string_view::npos && !target.starts_with('/')) {
        target.remove_prefix(scheme + 3);  // as proxies are asked
        const std::size_t slash = target.find('/');
        target = slash == std::string_view::npos ? "/" : target.substr(slash);
    }
    target = target.substr(0, target.find_first_of("?#"));
    if (target != "*" && !target.starts_with('/')) return false;
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] != '%') {
            path += target[i];
            continue;
        }
        const std::optional<char> decoded = decode_hex(target.substr(i + 1, 2));
        if (!decoded) return false;
        path += *decoded;
        i += 2;
    }
    const auto control = [](unsigned char byte) { return byte < 0x20 || byte == 0x7F; };
    return std::none_of(path.begin(), path.end(), control) && !engine::first_invalid_utf8(path);
}

}  // namespace hlg::net
