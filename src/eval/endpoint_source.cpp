// SPDX-License-Identifier: MIT
#include "eval/endpoint_source.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/core.h>

namespace hlg::eval {
namespace {

using Clock = std::chrono::steady_clock;

constexpr long ok = 200;
constexpr long bad_request = 400;
constexpr long not_found = 404;
constexpr long too_many_requests = 429;
constexpr long unavailable = 503;
constexpr std::chrono::milliseconds look(100);
constexpr std::chrono::seconds longest_pause(60);

std::string base_of(std::string url) {
    while (!url.empty() && url.back() == '/') url.pop_back();
    if (url.rfind("http://", 0) != 0 && url.rfind("https://", 0) != 0)
        throw std::runtime_error(fmt::format("the endpoint must begin with http:// or https://, got {}", url));
    const std::string version = "/v1";
    const bool whole = url.size() > version.size() && url.compare(url.size() - version.size(), version.size(), version) == 0;
    return whole ? url : url + version;
}

std::vector<std::string> headers_of(const std::string& key) {
    if (key.empty()) return {};
    if (key.find_first_of("\r\n") != std::string::npos) throw std::runtime_error("the endpoint's key must be one line");
    return {"Authorization: Bearer " + key};
}

/** What a server says in an error's body, short. */
std::string words_of(const std::string& body) {
    constexpr std::size_t most = 300;
    const Json json = Json::parse(body, nullptr, false);
    std::string words = body;
    if (json.is_object()) {
        const Json error = json.value("error", Json());
        if (error.is_object() && error.contains("message") && error["message"].is_string()) words = error["message"];
        if (error.is_string()) words = error;
    }
    std::replace(words.begin(), words.end(), '\n', ' ');
    return words.substr(0, most);
}

std::string trouble_of(const HttpAnswer& answer) {
    return answer.status == 0 ? answer.trouble : fmt::format("status {}: {}", answer.status, words_of(answer.body));
}

bool too_busy(const HttpAnswer& answer) { return answer.status == too_many_requests || answer.status == unavailable; }

bool asks_for_hlg(const TextJob& job) {
    return job.sampling.hlg != engine::HlgSettings{} && job.sampling.hlg.enabled.value_or(true);
}

/** The jobs of one write(). */
class Asking {
public:
    Asking(HttpPosts& posts, const EndpointOptions& options, const std::string& base, std::span<const TextJob> jobs)
        : posts_(posts), options_(options), base_(base), jobs_(jobs) {}

    void run(const TextSource::Take& take, const Progress& progress) {
        while (given_ < jobs_.size()) {
            begin_more();
            for (HttpAnswer& answer : posts_.wait(look)) hear(std::move(answer));
            while (!done_.empty() && done_.begin()->first == given_) {
                auto node = done_.extract(done_.begin());
                ++given_;
                take(node.key(), std::move(node.mapped()));
            }
            if (progress && !progress(static_cast<double>(given_) / static_cast<double>(jobs_.size()))) throw Stopped();
        }
    }

private:
    void begin_more() {
        for (auto later = later_.begin(); later != later_.end() && later->first <= Clock::now(); later = later_.erase(later))
            begin(later->second);
        while (posts_.under_way() + later_.size() < options_.concurrency && begun_ < jobs_.size()) begin(begun_++);
    }

    void begin(std::size_t job) {
        const bool chat = std::holds_alternative<engine::ChatRequest>(jobs_[job].prompt);
        posts_.begin(job, base_ + (chat ? "/chat/completions" : "/completions"),
                     endpoint_body(jobs_[job], options_.model).dump(-1, ' ', false, Json::error_handler_t::replace));
    }

    void hear(HttpAnswer answer) {
        if (answer.status == ok) {
            done_.emplace(answer.id, text_of(answer));
        } else if (answer.status == bad_request) {
            done_.emplace(answer.id, WrittenText{.finish = "error", .error = words_of(answer.body)});
        } else if (too_busy(answer) && tries_[answer.id] < options_.retries) {
            auto pause = std::chrono::duration_cast<std::chrono::milliseconds>(
                std::min<Clock::duration>(options_.pause * (std::int64_t{1} << tries_[answer.id]++), longest_pause));
            if (answer.retry_after) pause = std::max<std::chrono::milliseconds>(pause, *answer.retry_after);
            later_.emplace(Clock::now() + pause, answer.id);
        } else {
            throw std::runtime_error(fmt::format("{}: {}", base_, trouble_of(answer)));
        }
    }

    [[nodiscard]] WrittenText text_of(const HttpAnswer& answer) const {
        WrittenText text = endpoint_text(answer.body);
        const TextJob& job = jobs_[answer.id];
        if (job.log_probabilities && text.tokens.empty() && text.generated_tokens > 0)
            throw std::runtime_error(fmt::format("{} tells no log-probabilities, which this evaluation needs", base_));
        return text;
    }

    HttpPosts& posts_;
    const EndpointOptions& options_;
    const std::string& base_;
    std::span<const TextJob> jobs_;
    std::multimap<Clock::time_point, std::size_t> later_;  ///< retries
    std::map<std::size_t, std::size_t> tries_;
    std::map<std::size_t, WrittenText> done_;
    std::size_t begun_ = 0;
    std::size_t given_ = 0;
};

/** The server's list of models; null where it has none. */
Json models_at(HttpPosts& posts, const std::string& base) {
    posts.begin(0, base + "/models", std::nullopt);
    std::vector<HttpAnswer> answers;
    while (answers.empty()) answers = posts.wait(look);
    const HttpAnswer& answer = answers.front();
    if (answer.status == not_found) return Json();
    if (answer.status != ok) throw std::runtime_error(fmt::format("{}: {}", base, trouble_of(answer)));
    const Json list = Json::parse(answer.body, nullptr, false);
    if (!list.is_object() || !list.contains("data") || !list["data"].is_array() || list["data"].empty())
        throw std::runtime_error(fmt::format("{}/models is no list of models", base));
    return list["data"];
}

/** The named model's entry, or the only one's. */
Json entry_of(const Json& models, const std::string& name, const std::string& base) {
    std::string names;
    for (const Json& model : models) {
        const std::string id = model.value("id", "");
        if (id == name || (name.empty() && models.size() == 1)) return model;
        names += (names.empty() ? "" : ", ") + id;
    }
    throw std::runtime_error(name.empty() ? fmt::format("{} has several models, one must be named: {}", base, names)
                                          : fmt::format("{} has no model {}, only {}", base, name, names));
}

}  // namespace

EndpointSource::EndpointSource(EndpointOptions options) : options_(std::move(options)), posts_(headers_of(options_.key)) {
    options_.url = base_of(options_.url);
    const Json models = models_at(posts_, options_.url);
    facts_.kind = "endpoint";
    facts_.knows_hlg = false;
    if (models.is_null()) {
        if (options_.model.empty())
            throw std::runtime_error(fmt::format("{} lists no models, so one must be named", options_.url));
    } else {
        const Json model = entry_of(models, options_.model, options_.url);
        options_.model = model.value("id", "");
        facts_.knows_hlg = model.contains("owned_by") && model["owned_by"] == "hlg";
        const Json meta = model.value("meta", Json());
        if (meta.is_object()) facts_.vocabulary = meta.value("n_vocab", std::size_t{0});
    }
    facts_.id = options_.model;
    if (!facts_.knows_hlg) facts_.remark = "an endpoint that does not know HLG";
}

void EndpointSource::write(std::span<const TextJob> jobs, const Take& take, const Progress& progress) {
    if (!facts_.knows_hlg && std::any_of(jobs.begin(), jobs.end(), asks_for_hlg))
        throw std::runtime_error(
            fmt::format("{} does not know HLG and would leave it out in silence; hlg serve knows it", options_.url));
    Asking(posts_, options_, options_.url, jobs).run(take, progress);
}

}  // namespace hlg::eval
