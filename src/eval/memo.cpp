// SPDX-License-Identifier: MIT
#include "eval/memo.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/core.h>

namespace hlg::eval {
namespace {

/** "NAME\tNUMBER NUMBER ..." in hexadecimal floats, which say every bit; nothing for a line that was cut off. */
std::optional<std::pair<std::string, std::vector<double>>> parse(const std::string& line) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || line.back() != ';') return std::nullopt;
    std::pair<std::string, std::vector<double>> entry{line.substr(0, tab), {}};
    std::istringstream words(line.substr(tab + 1, line.size() - tab - 2));
    for (std::string word; words >> word;) entry.second.push_back(std::strtod(word.c_str(), nullptr));
    return entry;
}

}  // namespace

Memo::Memo(const std::string& path, const std::string& inputs) : path_(path) {
    if (path.empty()) return;
    read(inputs);
    file_ = std::fopen(path.c_str(), known_.empty() ? "w" : "a");
    if (file_ == nullptr) throw std::runtime_error(fmt::format("can't write {}: {}", path, std::strerror(errno)));
    // A run that was killed may have left half a line; what follows must not be read as its end.
    fmt::print(file_, "{}\n", known_.empty() ? inputs : std::string());
}

Memo::~Memo() {
    if (file_ != nullptr) std::fclose(file_);
}

void Memo::read(const std::string& inputs) {
    std::ifstream in(path_);
    std::string line;
    if (!std::getline(in, line) || line != inputs) return;
    while (std::getline(in, line))
        if (auto entry = parse(line)) known_.insert_or_assign(std::move(entry->first), std::move(entry->second));
    resumed_ = known_.size();
}

std::optional<std::vector<double>> Memo::find(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(name);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void Memo::put(const std::string& name, const std::vector<double>& numbers) {
    const std::lock_guard lock(mutex_);
    known_.insert_or_assign(name, numbers);
    if (file_ == nullptr) return;
    std::string line = name + "\t";
    for (const double number : numbers) line += fmt::format("{:a} ", number);
    fmt::print(file_, "{};\n", line);
    std::fflush(file_);
}

void Memo::remove() {
    const std::lock_guard lock(mutex_);
    known_.clear();
    if (file_ == nullptr) return;
    std::fclose(file_);
    file_ = nullptr;
    std::remove(path_.c_str());
}

}  // namespace hlg::eval
