// SPDX-License-Identifier: MIT
#include "engine/grammar_schema.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/json_limits.hpp"
#include "engine/json_pattern.hpp"

namespace hlg::engine {
namespace {

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

using Json = nlohmann::json;

// Far above every limit, and far below where sums and products of a few of them overflow.
constexpr std::size_t plenty = 1'000'000'000;

std::size_t bounded(std::size_t value) { return std::min(value, plenty); }

const Json* member(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

/** What a local $ref points at, spelled as llama-common reads it: parts between slashes, taken literally. "#" is all of it. */
const Json* resolve(const Json& root, const std::string& reference) {
    const Json* at = &root;
    std::size_t start = 2;  // behind "#/"
    while (start <= reference.size()) {
        const std::size_t end = std::min(reference.find('/', start), reference.size());
        const std::string part = reference.substr(start, end - start);
        start = end + 1;
        if (at->is_object() && at->contains(part)) {
            at = &at->at(part);
        } else if (at->is_array() && !part.empty() && part.size() < 6 &&
                   part.find_first_not_of("0123456789") == std::string::npos && std::stoul(part) < at->size()) {
            at = &at->at(std::stoul(part));
        } else {
            return nullptr;
        }
    }
    return at;
}

/** Reads a schema once and remembers what conversion will cost. Recursion is no deeper than max_json_depth. */
class Survey {
public:
    Survey(const Json& root, std::string_view name) : root_(root), name_(name) {}

    Failure run(std::size_t& work) {
        if (Failure failure = walk(root_)) return failure;
        if (Failure failure = follow_references()) return failure;
        // A reference is converted once, but what lies below it counts again where it is reached from above.
        work = bounded(work + work_of(root_));
        std::size_t descent = height_of(root_);
        for (const auto& [reference, target] : references_) {
            work = bounded(work + work_of(*target));
            descent += height_of(*target);
        }
        if (work > max_schema_work) return over_limit(name_, "takes work to convert, in subschemas, of", work, max_schema_work);
        if (descent > max_schema_descent)
            return over_limit(name_, "has a depth through its $refs of", descent, max_schema_descent);
        const std::size_t copies = bounded((references_.size() + patterns_) * nodes_);
        if (copies > max_schema_copies)
            return over_limit(name_, "has $refs and patterns times nodes of", copies, max_schema_copies);
        return check_all_of(root_);
    }

private:
    [[nodiscard]] Error bad(const std::string& what) const { return {ErrorCode::bad_request, std::string(name_) + what}; }

    /** Counts, and checks what can be checked node by node. */
    Failure walk(const Json& node) {
        ++nodes_;
        if (node.is_array() && node.size() > max_schema_alternatives)
            return over_limit(name_, "has an array with a number of elements of", node.size(), max_schema_alternatives);
        if (node.is_object()) {
            if (Failure failure = check_object(node)) return failure;
        }
        for (const Json& child : node) {
            if (!child.is_structured()) {
                ++nodes_;
            } else if (Failure failure = walk(child)) {
                return failure;
            }
        }
        return std::nullopt;
    }

    Failure check_object(const Json& node) {
        for (const auto& [key, value] : node.items()) {
            if (key.size() > max_schema_name)
                return over_limit(name_, "has a name with a number of bytes of", key.size(), max_schema_name);
        }
        if (const Json* properties = member(node, "properties");
            properties != nullptr && properties->size() > max_schema_properties)
            return over_limit(name_, "has an object with a number of properties of", properties->size(), max_schema_properties);
        if (const Json* pattern = member(node, "pattern"); pattern != nullptr && pattern->is_string()) {
            ++patterns_;
            if (Failure failure = check_pattern(pattern->get_ref<const std::string&>())) return failure;
        }
        const Json* reference = member(node, "$ref");
        return reference != nullptr && reference->is_string() ? note(reference->get<std::string>()) : std::nullopt;
    }

    /** Refusals quote it, as one line. */
    [[nodiscard]] Failure check_pattern(const std::string& pattern) const {
        if (has_control(pattern)) return bad(" has a pattern with a control character; write it as an escape, such as \\n");
        const auto translated = json_pattern(pattern);
        if (translated) return std::nullopt;
        return bad(" has a pattern that can't be read, " + one_line(pattern) + ": " + translated.error().message);
    }

    Failure note(const std::string& reference) {
        if (reference.size() > max_schema_name)
            return over_limit(name_, "has a $ref with a number of bytes of", reference.size(), max_schema_name);
        if (reference != "#" && !reference.starts_with("#/"))
            return bad(" has a $ref that is not local (#/...): " + one_line(reference));
        const Json* target = resolve(root_, reference);
        if (target == nullptr) return bad(" has a $ref that leads nowhere: " + one_line(reference));
        references_[reference] = target;
        return std::nullopt;
    }

    /** A chain of $refs that never reaches a schema is followed for ever. */
    Failure follow_references() {
        for (const auto& [reference, target] : references_) {
            const Json* at = target;
            for (std::size_t steps = 0; (at = next(*at)) != nullptr; ++steps) {
                if (steps > references_.size()) return bad(" has a $ref that leads back to itself: " + one_line(reference));
            }
        }
        return std::nullopt;
    }

    /** What a node that is a $ref points at. */
    [[nodiscard]] const Json* next(const Json& node) const {
        const Json* reference = member(node, "$ref");
        if (reference == nullptr || !reference->is_string()) return nullptr;
        const auto found = references_.find(reference->get_ref<const std::string&>());
        return found == references_.end() ? nullptr : found->second;
    }

    static std::size_t work_of(const Json& node) {
        const Json* properties = member(node, "properties");
        const std::size_t count = properties == nullptr ? 0 : properties->size();  // at most max_schema_properties
        std::size_t sum = 1 + count * count * count / 4096;
        for (const Json& child : node) sum = bounded(sum + (child.is_structured() ? work_of(child) : 0));
        const Json* type = member(node, "type");
        return bounded(sum * (type != nullptr && type->is_array() ? std::max<std::size_t>(type->size(), 1) : 1));
    }

    static std::size_t height_of(const Json& node) {
        std::size_t highest = 0;
        for (const Json& child : node) {
            if (child.is_structured()) highest = std::max(highest, height_of(child));
        }
        return highest + 1;
    }

    /** allOf gathers the properties of its parts, of those that are $refs too, into one object. */
    Failure check_all_of(const Json& node) {
        if (const Json* parts = member(node, "allOf"); parts != nullptr && parts->is_array()) {
            std::size_t properties = 0;
            for (const Json& part : *parts) {
                properties += properties_of(part);
                if (const Json* choices = member(part, "anyOf")) {
                    for (const Json& choice : *choices) properties += properties_of(choice);
                }
            }
            if (properties > max_schema_properties)
                return over_limit(name_, "has an allOf with a number of properties of", properties, max_schema_properties);
        }
        for (const Json& child : node) {
            if (!child.is_structured()) continue;
            if (Failure failure = check_all_of(child)) return failure;
        }
        return std::nullopt;
    }

    std::size_t properties_of(const Json& part) {
        const Json* at = &part;
        while (const Json* target = next(*at)) at = target;
        const Json* properties = member(*at, "properties");
        return properties == nullptr ? 0 : properties->size();
    }

    const Json& root_;
    std::string_view name_;
    std::size_t nodes_ = 0;
    std::size_t patterns_ = 0;
    std::map<std::string, const Json*> references_;
};

}  // namespace

Failure check_schema(std::string_view text, std::string_view name, std::size_t& work) {
    if (Failure failure = check_json(text, name)) return failure;
    const Json schema = Json::parse(text, nullptr, false);
    if (schema.is_discarded()) return Error{ErrorCode::bad_request, std::string(name) + " is not JSON"};
    if (!schema.is_object()) return Error{ErrorCode::bad_request, std::string(name) + " is not a JSON object"};
    return Survey(schema, name).run(work);
}

Failure check_schema(std::string_view text, std::string_view name) {
    std::size_t work = 0;
    return check_schema(text, name, work);
}

}  // namespace hlg::engine
