// SPDX-License-Identifier: MIT
#include "eval/capability/ifeval_check.hpp"

#include <stdexcept>

namespace hlg::eval::capability {
namespace {

const CheckFamily& all_checks() {
    static const CheckFamily made = [] {
        CheckFamily all;
        for (CheckFamily family : {keyword_checks(), length_checks(), content_checks(), format_checks(), wording_checks()})
            all.merge(family);
        return all;
    }();
    return made;
}

}  // namespace

std::string Arguments::text(const std::string& key) const {
    const auto found = object_.find(key);
    if (found == object_.end() || !found->is_string() || found->get<std::string>().empty())
        throw std::runtime_error("no text called " + key);
    return found->get<std::string>();
}

std::vector<std::string> Arguments::texts(const std::string& key) const {
    const auto found = object_.find(key);
    if (found == object_.end() || !found->is_array() || found->empty()) throw std::runtime_error("no texts called " + key);
    std::vector<std::string> all;
    for (const nlohmann::json& one : *found) {
        if (!one.is_string() || one.get<std::string>().empty())
            throw std::runtime_error(key + " holds something else than texts");
        all.push_back(one.get<std::string>());
    }
    return all;
}

std::size_t Arguments::number(const std::string& key) const {
    const auto found = object_.find(key);
    if (found == object_.end() || !found->is_number() || found->get<double>() < 0)
        throw std::runtime_error("no number called " + key);
    return static_cast<std::size_t>(found->get<double>());  // some copies of the data have 3.0 for 3
}

Bound Arguments::bound(const std::string& relation, const std::string& number_key) const {
    const std::string words = text(relation);
    if (words != "at least" && words != "less than")
        throw std::runtime_error(relation + " must be \"at least\" or \"less than\", got " + words);
    return {.at_least = words == "at least", .times = number(number_key)};
}

Check make_check(const std::string& id, const nlohmann::json& arguments) {
    const auto found = all_checks().find(id);
    if (found == all_checks().end()) throw std::runtime_error("no instruction is called " + id);
    try {
        return found->second(Arguments(arguments));
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(id + ": " + error.what());
    }
}

std::vector<std::string> known_checks() {
    std::vector<std::string> ids;
    for (const auto& [id, maker] : all_checks()) ids.push_back(id);
    return ids;
}

}  // namespace hlg::eval::capability
