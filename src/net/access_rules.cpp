// SPDX-License-Identifier: MIT
#include "net/access_rules.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "net/authority.hpp"

namespace hlg::net {
namespace {

/** The token of "Bearer TOKEN"; the word's case does not matter. */
std::optional<std::string_view> bearer_token(std::string_view value) {
    constexpr std::string_view scheme = "bearer ";
    if (value.size() < scheme.size()) return std::nullopt;
    const auto same = [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); };
    if (!std::equal(scheme.begin(), scheme.end(), value.begin(), same)) return std::nullopt;
    value.remove_prefix(scheme.size());
    const std::size_t start = value.find_first_not_of(' ');
    return start == std::string_view::npos ? std::string_view() : value.substr(start);
}

}  // namespace

std::optional<std::string_view> header_of(const api::HttpRequest& request, std::string_view name) {
    for (const api::Header& header : request.headers)
        if (header.name == name) return header.value;
    return std::nullopt;
}

bool equal_in_constant_time(std::string_view given, std::string_view secret) {
    volatile unsigned different = given.size() == secret.size() ? 0U : 1U;  // volatile: no compiler may stop at the first
    for (std::size_t i = 0; i < given.size(); ++i) {
        const char other = secret.empty() ? '\0' : secret[i % secret.size()];
        different = different | static_cast<unsigned char>(given[i] ^ other);
    }
    return different == 0;
}

AccessRules::AccessRules(std::vector<std::string> keys, std::vector<std::string> origins)
    : keys_(std::move(keys)),
      origins_(std::move(origins)),
      any_origin_(std::find(origins_.begin(), origins_.end(), "*") != origins_.end()) {}

bool AccessRules::is_key(std::string_view given) const {
    bool found = false;
    for (const std::string& key : keys_) found = equal_in_constant_time(given, key) || found;  // all of them, always
    return found;
}

bool AccessRules::admits(const api::HttpRequest& request) const {
    if (keys_.empty()) return true;
    bool found = false;  // some clients send both, one of them made up
    for (const api::Header& header : request.headers) {
        if (header.name == "x-api-key") found = is_key(header.value) || found;
        if (header.name != "authorization") continue;
        if (const std::optional<std::string_view> token = bearer_token(header.value)) found = is_key(*token) || found;
    }
    return found;
}

void AccessRules::only_this_machine(std::string_view name) { own_name_ = host_name(name); }

bool AccessRules::may_call(std::string_view origin) const {
    return any_origin_ || std::find(origins_.begin(), origins_.end(), origin) != origins_.end();
}

bool AccessRules::may_be_called(std::string_view host) const {
    if (host.empty() || !own_name_ || any_origin_) return true;  // browsers always name a host
    const std::string name = host_name(host);
    const auto has_name = [&](const std::string& origin) { return host_name(host_of_origin(origin)) == name; };
    return name == *own_name_ || is_loopback_name(name) || std::any_of(origins_.begin(), origins_.end(), has_name);
}

std::optional<api::Problem> AccessRules::against_pages(const api::HttpRequest& request) const {
    if (!keys_.empty() && admits(request)) return std::nullopt;
    const std::optional<std::string_view> origin = header_of(request, "origin");
    const std::string_view host = header_of(request, "host").value_or("");
    if (origin && !may_call(*origin) && !is_origin_of(*origin, host))
        return api::Problem{.status = 403,
                            .message =
                                "a page of another origin (header Origin) may not call this server. Start it with "
                                "--cors-origin and that origin, or with --api-key and send the key",
                            .code = "origin_not_allowed"};
    if (keys_.empty() && !may_be_called(host))
        return api::Problem{.status = 403,
                            .message =
                                "this server is its machine's alone, and was called by another name (header Host). Start "
                                "it with --api-key, or with --cors-origin and the origin that has this name, such as "
                                "https://llm.example.org",
                            .code = "host_not_allowed"};
    return std::nullopt;
}

std::vector<api::Header> AccessRules::cors(const api::HttpRequest& request) const {
    const std::optional<std::string_view> origin = header_of(request, "origin");
    std::vector<api::Header> headers;
    if (origins_.empty()) return headers;
    if (!any_origin_) headers.push_back({"vary", "origin"});
    if (!origin || !may_call(*origin)) return headers;
    headers.push_back({"access-control-allow-origin", any_origin_ ? "*" : std::string(*origin)});
    headers.push_back(
        {"access-control-expose-headers", "x-request-id, request-id, x-hlg-ignored, x-hlg-schema-ignored, retry-after"});
    return headers;
}

api::Reply AccessRules::options(const api::HttpRequest& request, const std::string& methods) const {
    api::Reply reply{.status = 204, .content_type = {}, .headers = cors(request)};
    if (!methods.empty()) reply.headers.push_back({"allow", methods});
    const auto allows = [](const api::Header& header) { return header.name == "access-control-allow-origin"; };
    if (std::none_of(reply.headers.begin(), reply.headers.end(), allows)) return reply;
    if (!methods.empty()) reply.headers.push_back({"access-control-allow-methods", methods});
    // Client libraries send headers of their own, with every version new ones; none of them gives a page more power here.
    if (const std::optional<std::string_view> wanted = header_of(request, "access-control-request-headers"))
        reply.headers.push_back({"access-control-allow-headers", std::string(*wanted)});
    reply.headers.push_back({"access-control-max-age", "86400"});
    return reply;
}

}  // namespace hlg::net
