// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hlg::web {

/**
 * report.html: the report viewer with a report.json (docs/reference/report.md) inside it, one file to mail and to open anywhere.
 * Takes JSON as it is, in UTF-8; what is no report, the page says when it is opened.
 */
std::string report_page(std::string_view report_json);

}  // namespace hlg::web
