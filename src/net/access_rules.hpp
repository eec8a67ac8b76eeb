// SPDX-License-Identifier: MIT
//
// Who may ask: keys, and pages of other origins.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/exchange.hpp"
#include "api/problem.hpp"

namespace hlg::net {

/** The value of the header with this name, in lower case; nothing if there is none, the first if there are several. */
std::optional<std::string_view> header_of(const api::HttpRequest& request, std::string_view name);

/** Whether both are the same. How long it takes tells nothing but the length of `given`. */
bool equal_in_constant_time(std::string_view given, std::string_view secret);

class AccessRules {
public:
    AccessRules(std::vector<std::string> keys, std::vector<std::string> origins);

    /** Whether a Bearer token or an x-api-key of the request is one of the keys; true without keys. */
    [[nodiscard]] bool admits(const api::HttpRequest& request) const;

    /**
     * Why a browser's page may not send this request: it is of another origin, or of one whose name only pretends to be this
     * machine's, see only_this_machine(). Nothing if it may, or brings a key. Requests that no page sent are not concerned.
     */
    [[nodiscard]] std::optional<api::Problem> against_pages(const api::HttpRequest& request) const;

    /**
     * The server can be reached from this machine alone, and from there by this name beside those that every machine has for
     * itself. Without keys, requests to other names are refused from now on, unless a page's origin with that name may call: a
     * name server that belongs to an attacker may let its name mean this machine, and then its pages are of the same origin.
     */
    void only_this_machine(std::string_view name);

    /**
     * The answer to an OPTIONS request, a browser's question before the real one as a rule. `methods` are those that the path
     * knows, as Allow lists them; empty = that is not known yet. Browsers ask with GET, HEAD and POST even so.
     */
    [[nodiscard]] api::Reply options(const api::HttpRequest& request, const std::string& methods) const;

    /** Headers that let a page of the request's origin read the answer; none where it may not. */
    [[nodiscard]] std::vector<api::Header> cors(const api::HttpRequest& request) const;

private:
    [[nodiscard]] bool may_call(std::string_view origin) const;
    [[nodiscard]] bool may_be_called(std::string_view host) const;
    [[nodiscard]] bool is_key(std::string_view given) const;

    std::vector<std::string> keys_;
    std::vector<std::string> origins_;
    bool any_origin_ = false;
    std::optional<std::string> own_name_;  ///< set: the server is this machine's alone
};

}  // namespace hlg::net
