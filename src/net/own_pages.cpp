// SPDX-License-Identifier: MIT
#include "net/own_pages.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/core.h>

#include "web/pages.hpp"

namespace hlg::net {
namespace {

const char* word_of(Health health) {
    switch (health) {
        case Health::loading: return "loading";
        case Health::ok: return "ok";
        case Health::draining: return "draining";
    }
    return "ok";
}

/** Whether one coding of the header is gzip, or any, and not refused by a weight of 0. */
bool takes_gzip(std::string_view coding) {
    const auto begins = [&](std::string_view name) {
        return coding.starts_with(name) && (coding.size() == name.size() || coding[name.size()] == ';');
    };
    if (!begins("gzip") && !begins("*")) return false;
    const std::size_t weight = coding.find("q=");
    return weight == std::string_view::npos || coding.find_first_of("123456789", weight) != std::string_view::npos;
}

bool accepts_gzip(std::string_view header) {
    std::string plain;
    for (const char letter : header)
        if (letter != ' ' && letter != '\t') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    for (std::size_t at = 0; at <= plain.size();) {
        const std::size_t end = std::min(plain.find(',', at), plain.size());
        if (takes_gzip(std::string_view(plain).substr(at, end - at))) return true;
        at = end + 1;
    }
    return false;
}

}  // namespace

api::Reply health_page(Health health) {
    api::Reply reply{.body = fmt::format("{{\"status\":\"{}\"}}\n", word_of(health))};
    reply.headers.push_back({"cache-control", "no-store"});
    if (health == Health::ok) return reply;
    reply.status = 503;
    reply.headers.push_back({"retry-after", "1"});
    return reply;
}

api::Reply metrics_page(std::string text) {
    return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = std::move(text)};
}

bool has_page(std::string_view path) { return path == "/" || path == "/report"; }

bool is_own(std::string_view path) { return path == "/health" || path == "/metrics" || has_page(path); }

api::Reply page(std::string_view path, std::optional<std::string_view> accept_encoding) {
    const web::Page page = path == "/" ? web::playground() : web::report_viewer();
    api::Reply reply{.content_type = "text/html; charset=utf-8"};
    reply.headers = {{"content-security-policy", std::string(page.policy)},
                     {"x-content-type-options", "nosniff"},
                     {"referrer-policy", "no-referrer"},
                     {"cache-control", "no-cache"},
                     {"vary", "accept-encoding"}};
    if (accept_encoding && accepts_gzip(*accept_encoding)) {
        reply.headers.push_back({"content-encoding", "gzip"});
        reply.body = page.gzip;
    } else {
        reply.body = web::unpacked(page);
    }
    return reply;
}

}  // namespace hlg::net
