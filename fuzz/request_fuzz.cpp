// A line with a path, then a body: a request. Whatever comes, the service answers: with a reply in its vendor's shape, or with an
// exchange. What that asks of the engine is in range, and the engine's events make it a reply, or a stream that ends.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "api/error_body.hpp"
#include "api/service.hpp"
#include "engine/chat_templates.hpp"
#include "engine/engine.hpp"
#include "engine/utf8.hpp"
#include "require.hpp"

namespace {

using namespace hlg;
using fuzz::require;
using Json = nlohmann::json;

constexpr std::size_t context = 128;
constexpr std::size_t most_tokens = 3;  // a request asks for more, and gets them slowly

engine::Engine& demo() {
    static const std::unique_ptr<engine::Engine> started = [] {
        auto model = engine::Model::load(HLG_FUZZ_MODEL);
        require(static_cast<bool>(model), "the demo model loads");
        auto made = engine::Engine::start(
            *model, {.context = {.lanes = 2, .context = context, .threads = 1}, .chat_template = engine::test::hermes});
        require(static_cast<bool>(made), "the engine starts");
        return std::move(*made);
    }();
    return *started;
}

/** Whether the HTTP reader lets such a path through. */
bool path_comes(std::string_view path) {
    return path.starts_with('/') && !engine::first_invalid_utf8(path) &&
           std::none_of(path.begin(), path.end(), [](unsigned char byte) { return byte < 0x20 || byte == 0x7F; });
}

void check_headers(const api::Reply& reply) {
    for (const api::Header& header : reply.headers)
        require(std::none_of(header.value.begin(), header.value.end(),
                             [](unsigned char byte) { return byte < 0x20 || byte >= 0x7F; }),
                "a header is one line of ASCII", header.value);
}

/** A refusal: what it is, for people and for programs. */
void check_error(const Json& body, api::Vendor vendor, int status) {
    require(body.is_object() && body.contains("error") && body["error"].is_object(), "an error is an object", body.dump());
    const Json& error = body["error"];
    require(error["type"].is_string() && error["message"].is_string(), "an error has a type and a message", body.dump());
    const auto message = error["message"].get<std::string>();
    require(!message.empty() && message.size() < 700 && message.find('\n') == std::string::npos, "a message is one line",
            message);
    if (vendor == api::Vendor::anthropic) return require(body["type"] == "error", "Anthropic's shape", body.dump());
    require(error.contains("param") && (error["param"].is_null() || error["param"].is_string()), "OpenAI's shape", body.dump());
    require(error.contains("code") && (error["code"].is_null() || error["code"].is_string()), "OpenAI's shape", body.dump());
    if (status == 400 && error["param"].is_string())
        require(message.starts_with(error["param"].get<std::string>()), "a refusal names the field first", message);
}

void check_reply(const api::Reply& reply, api::Vendor vendor) {
    check_headers(reply);
    require(Json::accept(reply.body), "a reply is JSON", reply.body);
    require(reply.status == 200 || (reply.status >= 400 && reply.status <= 503), "a status that there is", reply.body);
    if (reply.status != 200) check_error(Json::parse(reply.body), vendor, reply.status);
}

/** In range, or refused by the engine, by the field's name. */
void check_sampling(const engine::SamplingSettings& settings) {
    const auto resolved = engine::resolve({&settings, 1});
    if (!resolved)
        return require(resolved.error().message.starts_with('['), "a refusal names the field", resolved.error().message);
    const SamplerParams& params = resolved->params;
    require(params.temperature >= 0 && params.temperature <= 100, "temperature in range");
    require(params.top_p >= 0 && params.top_p <= 1 && params.min_p >= 0 && params.min_p <= 1 && params.top_k >= -1,
            "truncations");
    for (const Edit& edit : resolved->logit_bias) {
        require(edit.token >= 0 && static_cast<std::size_t>(edit.token) < demo().model().vocabulary_size(), "a bias has a token");
        require(edit.delta <= 100 && (edit.delta >= -100 || std::isinf(edit.delta)), "a bias from -100 to 100");
    }
}

/** Checks what the engine is asked, and makes it less. */
void check_request(engine::Request& request) {
    if (auto* inspect = std::get_if<engine::InspectRequest>(&request)) {
        require(inspect->tokens >= 1 && inspect->tokens <= 1000, "top_n in range");
        check_sampling(inspect->sampling);
    }
    auto* generate = std::get_if<engine::GenerateRequest>(&request);
    if (generate == nullptr) return;
    require(generate->choices >= 1 && generate->choices <= 64, "n in range");
    require(generate->log_probabilities.value_or(0) <= 20, "log-probabilities in range");
    require(generate->stop.size() <= 64, "as many stops as may be");
    for (const std::string& stop : generate->stop) require(!stop.empty(), "no empty stop");
    check_sampling(generate->sampling);
    generate->max_tokens = std::min(generate->max_tokens.value_or(most_tokens), most_tokens);
}

/** Whole frames, each with data that is JSON or the end of the stream. */
void check_frames(std::string_view frames) {
    while (!frames.empty()) {
        const std::size_t end = frames.find("\n\n");
        require(end != std::string_view::npos, "frames are whole", frames);
        std::string_view frame = frames.substr(0, end);
        frames.remove_prefix(end + 2);
        if (frame.starts_with("event: ")) frame.remove_prefix(std::min(frame.find('\n') + 1, frame.size()));
        require(frame.starts_with("data: ") && frame.find('\n') == std::string_view::npos, "a frame has one line of data", frame);
        frame.remove_prefix(6);
        require(frame == "[DONE]" || Json::accept(frame), "a frame's data is JSON", frame);
    }
}

/** Lets the engine answer. */
void run(api::Exchange& exchange, api::Vendor vendor) {
    auto requests = exchange.requests();
    require(!requests.empty() && requests.size() <= 256, "an exchange asks for something, and not for too much");
    for (engine::Request& request : requests) check_request(request);
    requests.resize(1);  // the others are like it; the exchange is told that they fail
    engine::Ticket ticket = demo().submit(std::move(requests.front()));
    std::string frames;
    while (auto event = ticket.next()) {
        exchange.take(0, std::move(*event));
        frames += exchange.frames();
    }
    exchange.end(0);
    const bool begun = exchange.begun();
    if (!exchange.done()) exchange.fail({.status = 503, .message = "over"});
    require(exchange.done(), "what was failed is done");
    frames += exchange.frames();
    if (!exchange.streams() || !begun) return check_reply(exchange.reply(), vendor);
    check_headers(exchange.head());
    require(!frames.empty(), "a stream says something");
    check_frames(frames);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const api::Service service(demo(), {.names = {"storyteller", "some/alias"}});
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t line = std::min(input.find('\n'), input.size());
    const bool get = input.starts_with("GET ");
    const api::HttpRequest request{.method = get ? "GET" : "POST",
                                   .path = std::string(input.substr(get ? 4 : 0, line - (get ? 4 : 0))),
                                   .headers = {},
                                   .body = std::string(input.substr(std::min(line + 1, size)))};
    if (!path_comes(request.path)) return 0;
    const api::Vendor vendor = api::vendor_of(request.path);
    auto answer = service.open(request);
    if (const auto* reply = std::get_if<api::Reply>(&answer)) {
        require(reply->status < 500, "what can be answered at once is the request's fault at most", reply->body);
        check_reply(*reply, vendor);
    } else {
        run(*std::get<1>(answer), vendor);
    }
    return 0;
}
