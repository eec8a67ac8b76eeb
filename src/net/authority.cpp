// SPDX-License-Identifier: MIT
#include "net/authority.hpp"

#include <algorithm>
#include <cctype>

#include <boost/asio/ip/address.hpp>

namespace hlg::net {
namespace {

std::string lower(std::string_view text) {
    std::string all(text);
    std::transform(all.begin(), all.end(), all.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return all;
}

/** In lower case, without the port that the scheme means anyway. */
std::string plain(std::string_view host, std::string_view scheme) {
    std::string all = lower(host);
    const std::string_view usual = scheme == "https" ? ":443" : ":80";
    if (all.ends_with(usual)) all.erase(all.size() - usual.size());
    return all;
}

}  // namespace

std::string host_name(std::string_view host) {
    const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
    if (bracket == std::string_view::npos) return lower(host);
    return lower(host.substr(0, host.find(':', bracket)));
}

std::string_view host_of_origin(std::string_view origin) {
    const std::size_t scheme = origin.find("://");
    return scheme == std::string_view::npos ? std::string_view() : origin.substr(scheme + 3);
}

bool is_origin_of(std::string_view origin, std::string_view host) {
    const std::string_view own = host_of_origin(origin);
    const std::string scheme = lower(origin.substr(0, origin.find("://")));
    if (own.empty() || (scheme != "http" && scheme != "https")) return false;
    return plain(own, scheme) == plain(host, scheme);
}

bool is_loopback_name(std::string_view name) {
    if (name == "localhost") return true;
    if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(std::string(name), error);
    return !error && address.is_loopback();
}

}  // namespace hlg::net
