// SPDX-License-Identifier: MIT
#include "web/report_page.hpp"

#include <stdexcept>

#include "web/pages.hpp"

namespace hlg::web {
namespace {

/** JSON that can't end its <script> or open a comment in it: in JSON a '<' stands in strings alone, where an escape means the
 * same. */
std::string for_html(std::string_view json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char letter : json) {
        if (letter == '<') {
            safe += "\\u003c";
        } else {
            safe += letter;
        }
    }
    return safe;
}

}  // namespace

std::string report_page(std::string_view report_json) {
    constexpr std::string_view place = R"(<script type="application/json" id="report">)";
    std::string page = unpacked(report_viewer());
    const std::size_t at = page.find(place);
    if (at == std::string::npos) throw std::logic_error("[web.report_page] the viewer has no place for a report");
    return page.insert(at + place.size(), for_html(report_json));
}

}  // namespace hlg::web
