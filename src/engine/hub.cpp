// SPDX-License-Identifier: MIT
#include "engine/hub.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <stdexcept>

#include <common.h>
#include <download.h>

namespace hlg::engine {
namespace {

constexpr std::size_t longest_quant = 64;        // a regex is made of it, and std::regex recurses
constexpr std::size_t longest_repository = 256;  // as llama-common has it
constexpr long longest_answer = long{4} << 20U;  // of a list of branches, bytes
constexpr int unauthorized = 401, forbidden = 403, not_found = 404, too_many = 429;

bool letter_or_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

/** Letters, digits and underscores, with single dots and hyphens between them. */
bool plain_word(std::string_view word) {
    bool between = true;  // at the beginning, and behind a dot or hyphen
    for (const char c : word) {
        const bool mark = c == '.' || c == '-';
        if (!mark && !letter_or_digit(c)) return false;
        if (mark && between) return false;
        between = mark;
    }
    return !between;
}

/** GGUF files that are no models of their own: projectors, importance matrices, drafts. */
bool is_model(const std::string& path) {
    constexpr std::array others = {"mmproj", "imatrix", "mtp-", "eagle3-", "dflash-", "dspark-"};
    const std::string name = path.substr(path.rfind('/') + 1);
    return name.ends_with(".gguf") &&
           std::none_of(others.begin(), others.end(), [&](const char* word) { return name.find(word) != std::string::npos; });
}

/** "models/tiny-Q4_0-00001-of-00002.gguf" -> "Q4_0": what to write behind the colon for this file. */
std::string quant_of(const std::string& path) {
    constexpr std::string_view part = "-00001-of-00002", of = "-of-00002", suffix = ".gguf";
    std::string name = path.substr(path.rfind('/') + 1);
    name.resize(name.size() - suffix.size());
    if (name.size() > part.size() && name.compare(name.size() - of.size(), 4, "-of-") == 0)
        name.resize(name.size() - part.size());
    return name.substr(name.find_last_of("-.") + 1);
}

std::vector<std::pair<std::string, std::string>> headers(const std::string& token) {
    if (token.empty()) return {};
    return {{"Authorization", "Bearer " + token}};
}

DownloadError no_access(const ModelName& name, bool token) {
    const std::string page = hub_address() + name.repository;
    if (token)
        return {DownloadFailure::no_access,
                "the token in HF_TOKEN gives no access to " + name.repository + "; its page says who has it: " + page};
    return {DownloadFailure::no_access, name.repository + " is gated or private, or not there; with access to it (see " + page +
                                            "), set HF_TOKEN to your token"};
}

/** What the hub's answer about the repository itself says; nothing if the answer is a good one. */
std::optional<DownloadError> refused_repository(const ModelName& name, long status, bool token) {
    if (status == unauthorized || status == forbidden) return no_access(name, token);
    if (status == not_found)
        return DownloadError{DownloadFailure::no_such_repository,
                             "there is no repository " + name.repository + " on " + hub_address()};
    if (status == too_many)
        return DownloadError{DownloadFailure::bad_answer,
                             hub_address() + " has had too many requests from here; try again later"};
    if (status < 200 || status >= 300)
        return DownloadError{DownloadFailure::bad_answer,
                             hub_address() + " answers with HTTP status " + std::to_string(status) + ", try again later"};
    return std::nullopt;
}

DownloadError no_connection(const ModelName& name, const std::string& reason) {
    if (reason.find("HTTPS") != std::string::npos)
        return {DownloadFailure::no_https, "this engine was built without HTTPS and can't download " + name.text() +
                                               "; install libssl-dev and build with HLG_ENGINE=source, or load a file with -m"};
    const bool silent = reason.find("cannot make GET request") != std::string::npos;
    const std::string trust = hub_address().starts_with("https") ? " (the network, or no ca-certificates to trust it by)" : "";
    return {DownloadFailure::unreachable, "no answer from " + hub_address() + trust + ", so " + name.text() +
                                              " can't be downloaded" +
                                              (silent ? "" : ": " + reason.substr(0, reason.find('\n')))};
}

/** The repository can be listed, and yet there was no such model in it. */
DownloadError nothing_fits(const ModelName& name, const std::vector<hf_cache::hf_file>& files) {
    std::set<std::string> quants;
    for (const hf_cache::hf_file& file : files)
        if (is_model(file.path)) quants.insert(quant_of(file.path));
    std::string known;
    for (const std::string& quant : quants) known += (known.empty() ? "" : ", ") + quant;
    if (files.empty())
        return {DownloadFailure::bad_answer, hub_address() + " knows " + name.repository +
                                                 ", but its files can't be listed; can the cache be written (see HF_HOME)?"};
    if (quants.empty()) return {DownloadFailure::no_model, "there is no GGUF model in " + name.repository};
    return {DownloadFailure::no_such_quant, "there is no " + name.quant + " in " + name.repository + ", only " + known};
}

/** Why the hub had nothing. */
DownloadError reason_for_nothing(const ModelName& name, const std::string& token) {
    common_remote_params params;
    params.headers = headers(token);
    params.max_size = longest_answer;
    long status = 0;
    try {
        status = common_remote_get_content(common_get_model_endpoint() + "api/models/" + name.repository + "/refs", params).first;
    } catch (const std::exception& error) {
        return no_connection(name, error.what());
    }
    if (auto refused = refused_repository(name, status, !token.empty())) return *refused;
    return nothing_fits(name, hf_cache::get_repo_files(name.repository, token));
}

}  // namespace

std::optional<ModelName> parse_model_name(std::string_view text) {
    const std::size_t colon = text.find(':'), slash = text.find('/');
    const std::string_view repository = text.substr(0, colon);
    const std::string_view quant = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    if (slash == std::string_view::npos || slash >= repository.size() || repository.size() > longest_repository)
        return std::nullopt;
    if (!plain_word(repository.substr(0, slash)) || !plain_word(repository.substr(slash + 1))) return std::nullopt;
    if (colon != std::string_view::npos && (!plain_word(quant) || quant.size() > longest_quant)) return std::nullopt;
    return ModelName{std::string(repository), std::string(quant)};
}

std::string cached_model(const ModelName& name) {
    const std::string first = common_download_resolve_path(name.text());
    if (first.empty()) return {};
    const std::vector<std::string> parts = common_download_get_all_parts(first);
    const bool whole =
        std::all_of(parts.begin(), parts.end(), [](const std::string& part) { return std::filesystem::exists(part); });
    return whole ? first : std::string();
}

Result<std::vector<hf_cache::hf_file>, DownloadError> files_on_hub(const ModelName& name, const std::string& token) {
    common_params_model model;
    model.hf_repo = name.text();
    common_download_opts options;
    options.bearer_token = token;
    common_download_hf_plan plan = common_download_get_hf_plan(model, options);
    if (!plan.preset.url.empty())
        return DownloadError{DownloadFailure::no_model, name.repository + " holds settings for llama-server, no model"};
    // Without an answer the plan is made of what the cache has, and that was not enough.
    if (plan.primary.url.empty()) return reason_for_nothing(name, token);
    if (plan.model_files.size() != common_download_get_all_parts(plan.primary.path).size())
        return DownloadError{DownloadFailure::no_model, name.repository + " has not all parts of " + plan.primary.path};
    std::sort(plan.model_files.begin(), plan.model_files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return plan.model_files;
}

DownloadError refused_file(const ModelName& name, const std::string& file, int status, bool token) {
    if (status == not_found)
        return {DownloadFailure::bad_answer,
                hub_address() + " lists " + file + " in " + name.repository + " and does not have it"};
    if (auto refused = refused_repository(name, status, token)) return *refused;
    return {DownloadFailure::bad_answer, hub_address() + " does not hand out " + file};
}

std::string hub_address() {
    std::string address = common_get_model_endpoint();
    const std::size_t scheme = address.find("://");
    const std::size_t start = scheme == std::string::npos ? 0 : scheme + 3;
    const std::size_t at = address.rfind('@', address.find('/', start));
    if (at != std::string::npos && at >= start) address.erase(start, at + 1 - start);
    return address;
}

}  // namespace hlg::engine
