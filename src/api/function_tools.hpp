// SPDX-License-Identifier: MIT
//
// The functions that a request offers, where a vendor describes each in one flat object.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "api/json_reader.hpp"

namespace hlg::api {

class FunctionTools {
public:
    /** `parameters` is what the vendor calls the member that holds the schema. Throws. */
    void add(const Node& function, std::string_view parameters);

    /** As the engine takes them; "" if there are none. */
    [[nodiscard]] std::string text() const;

    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

    /** Keywords of the schemas that are not enforced. */
    [[nodiscard]] std::set<std::string>& lost() noexcept { return lost_; }

private:
    Json tools_ = Json::array();
    std::vector<std::string> names_;
    std::set<std::string> lost_;
};

}  // namespace hlg::api
