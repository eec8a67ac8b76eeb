// SPDX-License-Identifier: MIT
#include "engine/text_stream.hpp"

#include <algorithm>

namespace hlg::engine {
namespace {

/** The length of the longest end of `text` with which `stop` begins, short of all of it. */
std::size_t begun(std::string_view text, std::string_view stop) {
    if (stop.empty()) return 0;
    for (std::size_t length = std::min(text.size(), stop.size() - 1); length > 0; --length)
        if (text.ends_with(stop.substr(0, length))) return length;
    return 0;
}

}  // namespace

std::string TextStream::push(std::string_view bytes) {
    if (stopped_) return {};
    held_ += characters_.push(bytes);
    std::size_t end = std::string::npos;
    for (const std::string& stop : stops_) {
        const std::size_t at = stop.empty() ? std::string::npos : held_.find(stop);
        if (at >= end) continue;
        end = at;
        stopped_ = stop;
    }
    if (stopped_) {
        std::string shown = held_.substr(0, end);
        held_.clear();
        return shown;
    }
    std::size_t hold = 0;
    for (const std::string& stop : stops_) hold = std::max(hold, begun(held_, stop));
    std::string shown = held_.substr(0, held_.size() - hold);
    held_.erase(0, shown.size());
    return shown;
}

std::string TextStream::finish() {
    std::string rest = std::move(held_);
    held_.clear();
    return rest;
}

}  // namespace hlg::engine
