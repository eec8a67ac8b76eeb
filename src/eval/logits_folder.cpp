// SPDX-License-Identifier: MIT
#include "eval/logits_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "engine/dtype.hpp"
#include "eval/duplicates.hpp"
#include "eval/sha256.hpp"

namespace hlg::eval {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Entry {
    std::string file;
    std::string model;
    std::size_t vocab = 0;
    engine::Dtype dtype = engine::Dtype::f32;
    std::size_t row = 0;
    std::string text;
    std::optional<std::size_t> next;
    std::string sha256;
};

Entry parse_entry(const json& object) {
    Entry entry;
    entry.file = object.at("file").get<std::string>();
    entry.model = object.at("model").get<std::string>();
    entry.vocab = object.at("vocab").get<std::size_t>();
    const auto dtype = object.at("dtype").get<std::string>();
    const std::optional<engine::Dtype> known = engine::dtype_from(dtype);
    if (!known) throw std::runtime_error("dtype must be f32, f16 or bf16, got " + dtype);
    if (entry.vocab == 0) throw std::runtime_error("vocab must be at least 1");
    entry.dtype = *known;
    entry.row = object.value("row", std::size_t{0});
    entry.text = object.value("text", std::string());
    if (object.contains("next_token") && !object["next_token"].is_null()) entry.next = object["next_token"].get<std::size_t>();
    entry.sha256 = object.value("sha256", std::string());
    return entry;
}

std::vector<Entry> read_index(const fs::path& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("can't read " + path.string());
    std::vector<Entry> entries;
    const json index = json::parse(in, nullptr, false);
    if (!index.is_array() || index.empty())
        throw std::runtime_error(path.string() + " must be a JSON array of steps, and not empty");
    for (const json& object : index) {
        try {
            entries.push_back(parse_entry(object));
        } catch (const std::exception& error) {
            throw std::runtime_error(fmt::format("{}, entry {}: {}", path.string(), entries.size(), error.what()));
        }
    }
    return entries;
}

std::vector<unsigned char> read_bytes(const fs::path& path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) throw std::runtime_error("can't read " + path.string());
    std::vector<unsigned char> bytes(static_cast<std::size_t>(in.tellg()));
    in.seekg(0);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!in) throw std::runtime_error("can't read " + path.string());
    return bytes;
}

/** The file that was read last: steps that are rows of one file come one after the other. */
class Files {
public:
    explicit Files(fs::path folder) : folder_(std::move(folder)) {}

    std::span<const unsigned char> row(const Entry& entry, Sha256& sum) {
        const fs::path path = folder_ / entry.file;
        if (entry.file != name_) {
            bytes_ = read_bytes(path);
            name_ = entry.file;
            sum.add(bytes_);
            Sha256 own;
            own.add(bytes_);
            if (!entry.sha256.empty() && own.digest() != entry.sha256)
                throw std::runtime_error(path.string() + " is not the file that index.json lists: its SHA-256 differs");
        }
        const std::size_t size = entry.vocab * bytes_of(entry.dtype);
        if (bytes_.size() % size != 0 || (entry.row + 1) * size > bytes_.size())
            throw std::runtime_error(
                fmt::format("{} has {} bytes; row {} of {} {} logits needs a multiple of {}, and at least {}", path.string(),
                            bytes_.size(), entry.row, entry.vocab, to_string(entry.dtype), size, (entry.row + 1) * size));
        return std::span<const unsigned char>(bytes_).subspan(entry.row * size, size);
    }

private:
    fs::path folder_;
    std::string name_;
    std::vector<unsigned char> bytes_;
};

/** One model's steps while they are read. */
struct Reading {
    Source source;
    std::map<std::string, std::size_t> texts;
    std::vector<std::size_t> steps;  ///< of each text
    DuplicateFinder duplicates;
    Sha256 sum;
    std::vector<Context> contexts;
};

void take(Reading& reading, const Entry& entry, std::span<const float> logits, const std::string& where) {
    Source& source = reading.source;
    if (source.vocabulary != 0 && source.vocabulary != entry.vocab)
        throw std::runtime_error(where + ": a model has one vocabulary, but steps of " + entry.model + " have several");
    source = {.id = entry.model, .kind = "logits", .vocabulary = entry.vocab, .texts = std::move(source.texts), .sha256 = {}};
    const auto [text, fresh] = reading.texts.try_emplace(entry.text, reading.texts.size());
    if (fresh) {
        source.texts.push_back(entry.text.empty() ? "one text, which index.json does not name" : entry.text);
        reading.steps.push_back(0);
    }
    try {
        Context context = make_context(logits, {}, entry.next);
        context.text = text->second;
        context.place = reading.steps[context.text]++;
        context.cluster = reading.duplicates.cluster_of(logits);
        reading.contexts.push_back(std::move(context));
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(where + ": " + error.what());
    }
}

Corpus gathered(std::vector<Reading> readings) {
    Corpus corpus;
    for (Reading& reading : readings) {
        Corpus one;
        // Several texts may have come in turns.
        std::stable_sort(reading.contexts.begin(), reading.contexts.end(),
                         [](const Context& a, const Context& b) { return a.text < b.text; });
        one.contexts = std::move(reading.contexts);
        reading.source.sha256 = reading.sum.digest();
        reading.source.contexts = one.contexts.size();
        reading.source.clusters = reading.duplicates.clusters();
        one.sources.push_back(std::move(reading.source));
        append(corpus, std::move(one));
    }
    return corpus;
}

}  // namespace

Corpus read_logits_folder(const std::string& folder, const Progress& progress) {
    const std::vector<Entry> entries = read_index(fs::path(folder) / "index.json");
    Files files(folder);
    std::vector<Reading> readings;
    std::map<std::string, std::size_t> models;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (progress && !progress(static_cast<double>(i) / static_cast<double>(entries.size()))) throw Stopped();
        const Entry& entry = entries[i];
        const auto [model, fresh] = models.try_emplace(entry.model, readings.size());
        if (fresh) readings.emplace_back();
        Reading& reading = readings[model->second];
        take(reading, entry, numbers_of(files.row(entry, reading.sum), entry.dtype), (fs::path(folder) / entry.file).string());
    }
    return gathered(std::move(readings));
}

}  // namespace hlg::eval
