// SPDX-License-Identifier: MIT
#include "net/allowed_methods.hpp"

#include <algorithm>

namespace hlg::net {
namespace {

constexpr int method_not_allowed = 405;

bool is_allow(const api::Header& header) { return header.name == "allow"; }

}  // namespace

std::string methods_with(std::string_view method) {
    if (method.empty()) return "OPTIONS";
    return std::string(method) + (method == "GET" ? ", HEAD, OPTIONS" : ", OPTIONS");
}

std::string methods_by(const api::Reply& refusal) {
    const auto allow = std::find_if(refusal.headers.begin(), refusal.headers.end(), is_allow);
    return methods_with(allow == refusal.headers.end() ? std::string_view() : allow->value);
}

void complete_allow(api::Reply& reply) {
    if (reply.status != method_not_allowed) return;
    const std::string methods = methods_by(reply);
    std::erase_if(reply.headers, is_allow);
    reply.headers.push_back({"allow", methods});
}

}  // namespace hlg::net
