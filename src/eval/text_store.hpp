// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <string>
#include <unordered_map>

#include "eval/text_source.hpp"

namespace hlg::eval {

/**
 * A source that keeps its texts in a file, one JSON object a line, and writes none twice: a run that was stopped goes on where it
 * was, and the file is the run's raw result. A text is known again by its job and its source's model, so runs with other
 * settings may share a file.
 *
 *     {"key": "...", "label": "held-out balanced 3 17", "job": {...}, "text": "...", "finish": "length", ...}
 */
class TextStore final : public TextSource {
public:
    /** Makes the file where there is none. Throws std::runtime_error if it can't be written. `source` must outlive it. */
    TextStore(TextSource& source, const std::string& path);
    ~TextStore() override;

    void write(std::span<const TextJob> jobs, const Take& take, const Progress& progress) override;
    [[nodiscard]] const SourceFacts& facts() const override { return source_.facts(); }

    /** How many texts were in the file when it was opened. */
    [[nodiscard]] std::size_t resumed() const noexcept { return resumed_; }

private:
    void read(const std::string& path);
    void keep(const std::string& key, const TextJob& job, const WrittenText& text);
    [[nodiscard]] std::string key_of(const TextJob& job) const;

    TextSource& source_;
    std::unordered_map<std::string, WrittenText> known_;
    std::size_t resumed_ = 0;
    std::FILE* file_ = nullptr;
};

}  // namespace hlg::eval
