// SPDX-License-Identifier: MIT
#include "net/own_pages.hpp"

#include <utility>

#include <fmt/core.h>

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

/** For a page: a model's name is what someone called a file. */
std::string escaped(const std::string& text) {
    std::string safe;
    for (const char letter : text) {
        switch (letter) {
            case '<': safe += "&lt;"; break;
            case '>': safe += "&gt;"; break;
            case '&': safe += "&amp;"; break;
            default: safe += letter;
        }
    }
    return safe;
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

api::Reply front_page(const std::string& model, Health health) {
    constexpr const char* page = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>hlg serve</title>
<h1>hlg serve</h1>
<p>Status: {}. Model: {}.</p>
<p>Clients of OpenAI find <code>/v1/chat/completions</code>, <code>/v1/completions</code>, <code>/v1/responses</code> and
<code>/v1/models</code> here, those of Anthropic <code>/v1/messages</code>. There are <a href="/health">/health</a> and
<a href="/metrics">/metrics</a>, too.</p>
</html>
)";
    return {.content_type = "text/html; charset=utf-8", .body = fmt::format(page, word_of(health), escaped(model))};
}

}  // namespace hlg::net
