// SPDX-License-Identifier: MIT
//
// The pages that web/ is built into, each one file that needs nothing beside it.
#pragma once

#include <string>
#include <string_view>

namespace hlg::web {

/** A page: its HTML, gzip-compressed, and the Content-Security-Policy under which a server must send it. */
struct Page {
    std::string_view gzip;
    std::string_view policy;
};

/** The playground of hlg serve. */
Page playground();

/** The report viewer, without a report. */
Page report_viewer();

/** The HTML of a page. */
std::string unpacked(const Page& page);

}  // namespace hlg::web
