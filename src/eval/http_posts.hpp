// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hlg::eval {

/** What came of a request. */
struct HttpAnswer {
    std::size_t id = 0;
    long status = 0;  ///< 0 = there was no answer, see `trouble`
    std::string body = {};
    std::string trouble = {};  ///< in libcurl's words
    std::optional<std::chrono::seconds> retry_after = {};
};

/** Many requests at a time over connections that are kept, on the caller's thread (libcurl). http and https, no redirects. */
class HttpPosts {
public:
    /** `headers` go with every request, "Name: value" each. Throws std::runtime_error if libcurl can't start. */
    explicit HttpPosts(const std::vector<std::string>& headers);
    ~HttpPosts();
    HttpPosts(const HttpPosts&) = delete;
    HttpPosts& operator=(const HttpPosts&) = delete;

    /** Begins a request: a POST of JSON, or without a body a GET. */
    void begin(std::size_t id, const std::string& url, std::optional<std::string> body);

    /** Lets all requests go on, for this long or until one has ended; those that have. */
    std::vector<HttpAnswer> wait(std::chrono::milliseconds time);

    [[nodiscard]] std::size_t under_way() const noexcept { return open_.size(); }

private:
    struct Transfer;
    struct Multi;

    std::unique_ptr<Multi> multi_;
    std::map<void*, std::unique_ptr<Transfer>> open_;
};

}  // namespace hlg::eval
