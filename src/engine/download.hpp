// SPDX-License-Identifier: MIT
//
// Models from a Hugging Face hub, through llama-common's downloader and into the cache that other programs use, too: LLAMA_CACHE,
// HF_HUB_CACHE or HF_HOME, else ~/.cache/huggingface/hub. MODEL_ENDPOINT or HF_ENDPOINT names another hub.
//
// What is in the cache is not asked about again. The downloader knows no deadline and can't be woken, so it works on a thread of
// its own; a caller that gives up leaves it behind and should end the program.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/result.hpp"

namespace hlg::engine {

enum class DownloadFailure {
    bad_name,            ///< not USER/REPO or USER/REPO:QUANT
    bad_token,           ///< a token that no header can hold
    no_https,            ///< this llama.cpp was built without TLS
    no_such_repository,  ///< the hub doesn't know it
    no_access,           ///< the hub wants a token, or one with more rights
    no_model,            ///< a repository without a GGUF model, or with one that lacks parts
    no_such_quant,       ///< GGUF models, but not this one
    not_in_cache,        ///< and nothing may be downloaded
    unreachable,         ///< no answer
    bad_answer,          ///< an answer that makes no sense here
    no_room,             ///< the cache's disk is too full
    broken_off,          ///< the transfer ended early, or the cache can't be written; the next try goes on from there
    interrupted,         ///< the caller asked to stop; the next try goes on from there
};

struct DownloadError {
    DownloadFailure failure = DownloadFailure::broken_off;
    std::string message;  ///< one line, for people
};

/** Where a transfer is. Models in several files come one file after the other; one that comes in an instant may go unseen. */
struct DownloadProgress {
    std::string file;         ///< its name in the repository
    std::size_t part = 0;     ///< from 1; 0 while the hub is asked what there is
    std::size_t parts = 0;    ///< files of this model
    std::uint64_t kept = 0;   ///< bytes of this file that an earlier try has left
    std::uint64_t done = 0;   ///< bytes of this file that are here, those included
    std::uint64_t total = 0;  ///< bytes of this file; 0 = not known
    bool waits = false;       ///< for another process that downloads this file
};

struct DownloadOptions {
    std::string token = {};                                      ///< for repositories that are not open to all
    bool offline = false;                                        ///< only what is in the cache
    bool verbose = false;                                        ///< llama-common's warnings to stderr
    std::function<bool(const DownloadProgress&)> progress = {};  ///< told some ten times a second; false stops it
};

/** The path of a model's (first) file, downloaded if it is not in the cache. `name` is USER/REPO[:QUANT]; without QUANT it is
   what the cache has, else Q4_K_M, else Q8_0, else the repository's first. */
Result<std::string, DownloadError> fetch_model(const std::string& name, const DownloadOptions& options = {});

}  // namespace hlg::engine
