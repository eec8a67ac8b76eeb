// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "eval/http_posts.hpp"
#include "eval/text_source.hpp"

namespace hlg::eval {

struct EndpointOptions {
    std::string url;                         ///< "http://host:8080", with or without /v1
    std::string key = {};                    ///< sent as a Bearer token; empty = none
    std::string model = {};                  ///< empty = the one that the server has
    std::size_t concurrency = 8;             ///< requests at a time
    std::chrono::milliseconds pause{1'000};  ///< before the first retry; it doubles
    std::size_t retries = 8;                 ///< of one request, while the server is too busy (429, 503)
};

/**
 * Texts of a server with OpenAI's completions and chat completions: ours, vLLM, llama-server. HLG can be asked of ours alone:
 * elsewhere a job that wants it is an error, for the server would leave it out in silence. Log-probabilities are as the server
 * tells them; that they are the model's own, before any sampler, is known of ours.
 */
class EndpointSource final : public TextSource {
public:
    /** Asks the server for its models. Throws std::runtime_error where there is no answer or no such model. */
    explicit EndpointSource(EndpointOptions options);

    void write(std::span<const TextJob> jobs, const Take& take, const Progress& progress) override;
    [[nodiscard]] const SourceFacts& facts() const override { return facts_; }

private:
    EndpointOptions options_;
    HttpPosts posts_;
    SourceFacts facts_;
};

/** The body of the request for a job, and whether it goes to chat/completions. Throws std::runtime_error for what such a request
    can't say. */
Json endpoint_body(const TextJob& job, const std::string& model);

/** The text in a server's answer to it. Throws std::runtime_error where there is none. */
WrittenText endpoint_text(const std::string& body);

}  // namespace hlg::eval
