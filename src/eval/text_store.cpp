// SPDX-License-Identifier: MIT
#include "eval/text_store.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>

#include <fmt/core.h>

#include "eval/sha256.hpp"

namespace hlg::eval {
namespace {

constexpr std::size_t key_digits = 24;  // 96 bits: no two of a million texts share them

}  // namespace

TextStore::TextStore(TextSource& source, const std::string& path) : source_(source) {
    read(path);
    file_ = std::fopen(path.c_str(), "a");
    if (file_ == nullptr) throw std::runtime_error(fmt::format("can't write {}: {}", path, std::strerror(errno)));
    // A run that was killed may have left half a line; what follows must not be read as its end.
    if (std::ftell(file_) > 0) fmt::print(file_, "\n");
}

TextStore::~TextStore() {
    if (file_ != nullptr) std::fclose(file_);
}

void TextStore::read(const std::string& path) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        const Json json = Json::parse(line, nullptr, false);
        if (!json.is_object() || !json.contains("key")) continue;
        try {
            known_.insert_or_assign(json["key"].get<std::string>(), written_text(json));
        } catch (const Json::exception&) {
            continue;  // somebody's line, not ours
        }
    }
    resumed_ = known_.size();
}

std::string TextStore::key_of(const TextJob& job) const {
    const SourceFacts& facts = source_.facts();
    const std::string all = facts.kind + "\n" + (facts.sha256.empty() ? facts.id : facts.sha256) + "\n" + to_json(job).dump();
    Sha256 sha;
    sha.add({reinterpret_cast<const unsigned char*>(all.data()), all.size()});
    return sha.digest().substr(0, key_digits);
}

void TextStore::keep(const std::string& key, const TextJob& job, const WrittenText& text) {
    const Json kept = to_json(text);
    // What the file says, to the digit: a run that goes on must see what the run that was stopped saw.
    known_.insert_or_assign(key, written_text(kept));
    Json line{{"key", key}, {"label", job.label}, {"job", to_json(job)}};
    line.update(kept);
    fmt::print(file_, "{}\n", line.dump(-1, ' ', false, Json::error_handler_t::replace));
    std::fflush(file_);
}

void TextStore::write(std::span<const TextJob> jobs, const Take& take, const Progress& progress) {
    std::vector<std::string> keys;
    std::vector<std::size_t> missing;
    std::vector<TextJob> wanted;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        keys.push_back(key_of(jobs[i]));
        if (known_.count(keys[i]) != 0) continue;
        missing.push_back(i);
        wanted.push_back(jobs[i]);
    }
    std::size_t given = 0;
    // What is known goes out as soon as its turn comes.
    const auto give_known = [&](std::size_t until) {
        for (; given < until; ++given) take(given, known_.at(keys[given]));
    };
    source_.write(
        wanted,
        [&](std::size_t index, WrittenText text) {
            const std::size_t job = missing[index];
            give_known(job);
            ++given;
            if (!text.error.empty()) return take(job, std::move(text));
            keep(keys[job], jobs[job], text);
            take(job, known_.at(keys[job]));
        },
        progress);
    give_known(jobs.size());
}

}  // namespace hlg::eval
