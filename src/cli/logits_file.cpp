// SPDX-License-Identifier: MIT
#include "cli/logits_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>

#include <fmt/core.h>

#include "cli/command.hpp"

namespace hlg::cli {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<unsigned char>;

// Sixty times the largest vocabulary in use. More without --vocab is many rows, or an endless pipe.
constexpr std::size_t max_row_bytes = std::size_t{64} << 20U;

struct Closer {
    void operator()(std::FILE* file) const noexcept {
        if (file != stdin) std::fclose(file);
    }
};
using File = std::unique_ptr<std::FILE, Closer>;

std::string spoken(const LogitsRow& wanted) { return wanted.path == "-" ? "stdin" : wanted.path; }

std::size_t row_bytes(const LogitsRow& wanted) { return static_cast<std::size_t>(*wanted.vocab) * bytes_of(wanted.dtype); }

File open(const LogitsRow& wanted) {
    if (wanted.path == "-") return File(stdin);
    std::error_code ignored;
    if (!fs::exists(wanted.path, ignored)) throw UsageError("no such file: " + wanted.path);
    if (fs::is_directory(wanted.path, ignored)) throw UsageError("a folder, not a file of logits: " + wanted.path);
    File file(std::fopen(wanted.path.c_str(), "rb"));
    if (!file) throw UsageError(fmt::format("can't read {}: {}", wanted.path, std::strerror(errno)));
    return file;
}

/** Throws unless a file of `size` bytes holds the wanted row, and whole rows only. */
void check_size(const LogitsRow& wanted, std::uintmax_t size) {
    const std::string name = spoken(wanted);
    const std::size_t unit = bytes_of(wanted.dtype);
    if (size == 0) throw UsageError(name + " is empty");
    if (!wanted.vocab) {
        if (size % unit != 0) {
            throw UsageError(fmt::format("{} has {} bytes, which is not a whole number of {} logits of {} bytes", name, size,
                                         to_string(wanted.dtype), unit));
        }
        if (wanted.row != 0)
            throw UsageError(fmt::format("--row must be 0 without --vocab: {} then holds one row, got {}", name, wanted.row));
        return;
    }
    const std::size_t row = row_bytes(wanted);
    const std::string need = fmt::format("a row of {} {} logits takes {} bytes", *wanted.vocab, to_string(wanted.dtype), row);
    if (size < row) throw UsageError(fmt::format("{} is too short: {}, it has {}", name, need, size));
    if (size % row != 0) throw UsageError(fmt::format("{} has {} bytes, not a multiple of a row: {}", name, size, need));
    const std::uintmax_t rows = size / row;
    if (static_cast<std::uintmax_t>(wanted.row) >= rows) {
        const std::string range = rows == 1 ? "0" : fmt::format("from 0 to {}", rows - 1);
        throw UsageError(fmt::format("--row must be {}: {} holds {} row{} of {} tokens, got {}", range, name, rows,
                                     rows == 1 ? "" : "s", *wanted.vocab, wanted.row));
    }
}

[[noreturn]] void refuse_endless(const LogitsRow& wanted) {
    throw UsageError(fmt::format("{} has more than {} bytes, too many for one row; say how many tokens a row has with --vocab",
                                 spoken(wanted), max_row_bytes));
}

/** Its header would pass for logits, and nothing after it would be where it seems. */
void refuse_numpy(const LogitsRow& wanted, std::span<const unsigned char> start) {
    static constexpr std::array<unsigned char, 6> magic{0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (start.size() >= magic.size() && std::equal(magic.begin(), magic.end(), start.begin()))
        throw UsageError(spoken(wanted) + " is a NumPy .npy file; raw numbers are needed, as array.tofile() writes them");
}

void check_read(const LogitsRow& wanted, std::FILE* file) {
    if (std::ferror(file) != 0) throw std::runtime_error(fmt::format("can't read {}: {}", spoken(wanted), std::strerror(errno)));
}

/** From a file whose size is known: the row alone is read. */
Bytes read_at(const LogitsRow& wanted, std::FILE* file, std::uintmax_t size) {
    std::array<unsigned char, 6> start{};
    refuse_numpy(wanted, {start.data(), std::fread(start.data(), 1, start.size(), file)});
    check_size(wanted, size);
    if (!wanted.vocab && size > max_row_bytes) refuse_endless(wanted);
    Bytes bytes(wanted.vocab ? row_bytes(wanted) : static_cast<std::size_t>(size));
    if (fseeko(file, static_cast<off_t>(static_cast<std::size_t>(wanted.row) * bytes.size()), SEEK_SET) != 0)
        throw std::runtime_error(fmt::format("can't seek in {}: {}", spoken(wanted), std::strerror(errno)));
    const std::size_t got = std::fread(bytes.data(), 1, bytes.size(), file);
    check_read(wanted, file);
    if (got != bytes.size()) throw UsageError(fmt::format("{} shrank while it was read", spoken(wanted)));
    return bytes;
}

/** From a pipe: everything is read, since only its end tells its size; the row alone is kept. */
Bytes read_through(const LogitsRow& wanted, std::FILE* file) {
    const std::uintmax_t first = wanted.vocab ? static_cast<std::uintmax_t>(wanted.row) * row_bytes(wanted) : 0;
    const std::uintmax_t last = wanted.vocab ? first + row_bytes(wanted) : std::numeric_limits<std::uintmax_t>::max();
    Bytes kept;
    std::uintmax_t size = 0;
    std::vector<unsigned char> buffer(std::size_t{1} << 16U);
    for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), file)) > 0; size += got) {
        if (size == 0) refuse_numpy(wanted, {buffer.data(), got});
        const std::uintmax_t from = std::clamp(first, size, size + got) - size;
        const std::uintmax_t to = std::clamp(last, size, size + got) - size;
        kept.insert(kept.end(), buffer.begin() + static_cast<std::ptrdiff_t>(from),
                    buffer.begin() + static_cast<std::ptrdiff_t>(to));
        if (!wanted.vocab && kept.size() > max_row_bytes) refuse_endless(wanted);
    }
    check_read(wanted, file);
    check_size(wanted, size);
    return kept;
}

}  // namespace

std::vector<float> read_logits(const LogitsRow& wanted) {
    const File file = open(wanted);
    std::error_code unknown;
    const bool regular = wanted.path != "-" && fs::is_regular_file(wanted.path, unknown);
    const Bytes bytes = regular ? read_at(wanted, file.get(), fs::file_size(wanted.path)) : read_through(wanted, file.get());
    return engine::numbers_of(bytes, wanted.dtype);
}

}  // namespace hlg::cli
