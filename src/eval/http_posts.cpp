// SPDX-License-Identifier: MIT
#include "eval/http_posts.hpp"

#include <array>
#include <stdexcept>

#include <curl/curl.h>

namespace hlg::eval {
namespace {

constexpr std::size_t longest_answer = std::size_t{256} << 20U;
constexpr long connect_seconds = 30;
constexpr long answer_seconds = 3600;  // a long text of a big model comes in one piece, at its end

/** libcurl wants to be started before threads are. */
bool start_libcurl() {
    static const bool started = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    return started;
}

struct FreeList {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};

struct FreeEasy {
    void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};

std::size_t take_body(const char* bytes, std::size_t size, std::size_t count, void* into) {
    auto& body = *static_cast<std::string*>(into);
    if (body.size() + size * count > longest_answer) return 0;
    body.append(bytes, size * count);
    return size * count;
}

}  // namespace

struct HttpPosts::Multi {
    CURLM* handle = curl_multi_init();
    std::unique_ptr<curl_slist, FreeList> headers;

    Multi() = default;
    ~Multi() { curl_multi_cleanup(handle); }
    Multi(const Multi&) = delete;
    Multi& operator=(const Multi&) = delete;
};

struct HttpPosts::Transfer {
    std::size_t id = 0;
    std::unique_ptr<CURL, FreeEasy> easy{curl_easy_init()};
    std::string sent;
    std::string received;
    std::array<char, CURL_ERROR_SIZE> trouble{};
};

HttpPosts::HttpPosts(const std::vector<std::string>& headers) {
    if (!start_libcurl()) throw std::runtime_error("libcurl does not start");
    multi_ = std::make_unique<Multi>();
    for (const std::string& header : headers) multi_->headers.reset(curl_slist_append(multi_->headers.release(), header.c_str()));
    multi_->headers.reset(curl_slist_append(multi_->headers.release(), "Content-Type: application/json"));
    multi_->headers.reset(curl_slist_append(multi_->headers.release(), "Expect:"));
}

HttpPosts::~HttpPosts() {
    for (auto& [easy, transfer] : open_) curl_multi_remove_handle(multi_->handle, easy);
}

void HttpPosts::begin(std::size_t id, const std::string& url, std::optional<std::string> body) {
    auto transfer = std::make_unique<Transfer>();
    transfer->id = id;
    CURL* const easy = transfer->easy.get();
    if (easy == nullptr) throw std::runtime_error("libcurl has no memory");
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, multi_->headers.get());
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, connect_seconds);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT, answer_seconds);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->trouble.data());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer->received);
    if (body) {
        transfer->sent = std::move(*body);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(transfer->sent.size()));
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, transfer->sent.c_str());
    }
    if (curl_multi_add_handle(multi_->handle, easy) != CURLM_OK) throw std::runtime_error("libcurl takes no more requests");
    open_.emplace(easy, std::move(transfer));
}

std::vector<HttpAnswer> HttpPosts::wait(std::chrono::milliseconds time) {
    int running = 0;
    curl_multi_perform(multi_->handle, &running);
    std::vector<HttpAnswer> answers;
    for (bool waited = false;; waited = true) {
        int left = 0;
        while (const CURLMsg* message = curl_multi_info_read(multi_->handle, &left)) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL* const easy = message->easy_handle;
            const CURLcode result = message->data.result;
            auto node = open_.extract(easy);
            Transfer& transfer = *node.mapped();
            HttpAnswer& answer = answers.emplace_back(HttpAnswer{.id = transfer.id, .body = std::move(transfer.received)});
            if (result == CURLE_OK)
                curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &answer.status);
            else
                answer.trouble = transfer.trouble[0] != '\0' ? transfer.trouble.data() : curl_easy_strerror(result);
            curl_off_t seconds = 0;
            if (curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0)
                answer.retry_after = std::chrono::seconds(seconds);
            curl_multi_remove_handle(multi_->handle, easy);
        }
        if (!answers.empty() || waited) return answers;
        curl_multi_poll(multi_->handle, nullptr, 0, static_cast<int>(time.count()), nullptr);
        curl_multi_perform(multi_->handle, &running);
    }
}

}  // namespace hlg::eval
