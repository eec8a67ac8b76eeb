// SPDX-License-Identifier: MIT
//
// What a request's Host and Origin say: the name and port under which a browser knows a server or a page.
#pragma once

#include <string>
#include <string_view>

namespace hlg::net {

/** The name of a Host, "name", "name:port" or "[address]:port": in lower case, without the port, an IPv6 address in brackets. */
std::string host_name(std::string_view host);

/** The host, and port if there is one, of an origin such as "https://name:port"; empty if it has none, as "null" and "*". */
std::string_view host_of_origin(std::string_view origin);

/** Whether a page of this origin was served under this Host. A proxy may have taken TLS off on the way. */
bool is_origin_of(std::string_view origin, std::string_view host);

/** Whether no name server is asked for this name, for it can only mean this machine: localhost, 127.0.0.0/8 and [::1]. */
bool is_loopback_name(std::string_view name);

}  // namespace hlg::net
