// Bytes of a connection, after four bytes that choose how they are cut. However they come, they are the same requests, and a
// request that is let through is one that no other server could read otherwise.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/utf8.hpp"
#include "net/request_reader.hpp"
#include "require.hpp"

namespace {

using namespace hlg;
using fuzz::require;
using State = net::RequestReader::State;

constexpr std::size_t max_head = 512;
constexpr std::size_t max_body = 256;

/** What came out of a connection: its requests, each as one text, and what the last state was. */
struct Outcome {
    std::vector<std::string> requests;
    State last = State::head;
    std::string problem;
    bool expects_continue = false;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

bool has_control(std::string_view text, bool tab_is_fine) {
    return std::any_of(text.begin(), text.end(),
                       [&](unsigned char byte) { return (byte < 0x20 && !(tab_is_fine && byte == '\t')) || byte == 0x7F; });
}

/** All values of a header, of a name in lower case. */
std::vector<std::string_view> values_of(const api::HttpRequest& request, std::string_view name) {
    std::vector<std::string_view> values;
    for (const api::Header& header : request.headers)
        if (header.name == name) values.emplace_back(header.value);
    return values;
}

/** The length that a request's headers promise; nothing if they promise chunks. A request that promises both, or two lengths, or
    a coding that we don't know, ends somewhere else for another server. */
std::optional<std::size_t> promised_length(const api::HttpRequest& request) {
    const auto codings = values_of(request, "transfer-encoding");
    const auto lengths = values_of(request, "content-length");
    require(codings.size() <= 1, "one transfer coding at most");
    if (!codings.empty()) {
        std::string coding(codings.front());
        std::transform(coding.begin(), coding.end(), coding.begin(), [](unsigned char byte) { return std::tolower(byte); });
        require(coding == "chunked", "chunked is the only transfer coding", coding);
        require(lengths.empty(), "a length beside chunks");
        return std::nullopt;
    }
    if (lengths.empty()) return 0;
    std::size_t length = 0;
    for (const char digit : lengths.front()) {
        require(digit >= '0' && digit <= '9', "a length is digits", lengths.front());
        length = length * 10 + static_cast<std::size_t>(digit - '0');
    }
    for (const std::string_view other : lengths) require(other == lengths.front(), "lengths agree", other);
    return length;
}

/** The rules of a request that is let through; gives it as one text. */
std::string checked(const net::IncomingRequest& incoming) {
    const api::HttpRequest& request = incoming.http;
    require(!request.method.empty() && !has_control(request.method, false), "a method is a word", request.method);
    require(request.path == "*" || request.path.starts_with('/'), "a path is absolute", request.path);
    require(!has_control(request.path, false) && !engine::first_invalid_utf8(request.path), "a path is plain", request.path);
    require(request.body.size() <= max_body, "a body within the limit");
    require(!incoming.head_only || request.method == "GET", "HEAD asks as GET does");
    require(!incoming.chunks || values_of(request, "host").size() == 1, "one Host");
    if (const auto length = promised_length(request)) require(request.body.size() == *length, "a body as long as promised");
    std::string text =
        request.method + " " + request.path + (incoming.keep_alive ? " keep" : "") + (incoming.chunks ? " 1.1" : "");
    for (const api::Header& header : request.headers) {
        require(!header.name.empty() && !has_control(header.name, false), "a header's name is a word", header.name);
        require(std::none_of(header.name.begin(), header.name.end(), [](unsigned char byte) { return std::isupper(byte) != 0; }),
                "names are in lower case", header.name);
        require(!has_control(header.value, true), "a header's value is one line", header.value);
        text += "\n" + header.name + ": " + header.value;
    }
    return text + "\n\n" + request.body;
}

/** Reads as a connection does: what is not used yet stands in front of what comes next. `cuts` gives the pieces' sizes. */
template <class Cuts>
Outcome read(std::string_view bytes, Cuts cuts) {
    Outcome outcome;
    net::RequestReader reader(max_head, max_body);
    std::string input;
    while (!bytes.empty()) {
        const std::size_t piece = std::clamp<std::size_t>(cuts(), 1, bytes.size());
        input += bytes.substr(0, piece);
        bytes.remove_prefix(piece);
        for (bool more = true; more && reader.state() != State::bad;) {
            const std::size_t used = reader.take(input);
            require(used <= input.size(), "no more is used than there was");
            input.erase(0, used);
            more = reader.state() == State::complete && !input.empty();
            if (reader.state() != State::complete) continue;
            outcome.requests.push_back(checked(reader.request()));
            reader = net::RequestReader(max_head, max_body);
        }
        if (reader.state() == State::bad) break;
        require(input.size() <= max_head, "what waits is bounded");
    }
    outcome.last = reader.state();
    if (reader.state() == State::bad) {
        const int status = reader.problem().status;
        require(status == 400 || status == 413 || status == 417 || status == 431 || status == 501, "a refusal's status");
        require(!reader.problem().message.empty() && !has_control(reader.problem().message, false), "a refusal says why",
                reader.problem().message);
        outcome.problem = std::to_string(status) + " " + reader.problem().message;
    }
    outcome.expects_continue = reader.expects_continue();
    return outcome;
}

/** The same; or one has seen a fault that the other would see with what comes next, or seen another fault first. */
bool agree(const Outcome& one, const Outcome& other) {
    if (one.requests != other.requests) return false;
    if (one.last == State::bad) return other.last != State::complete;
    if (other.last == State::bad) return one.last != State::complete;
    return one == other;
}

std::string shown(const Outcome& outcome) {
    std::string text = std::to_string(static_cast<int>(outcome.last)) + " " + outcome.problem;
    for (const std::string& request : outcome.requests) text += "\n---\n" + request;
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t sizes = 4;
    if (size < sizes) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + sizes, size - sizes);
    const Outcome whole = read(bytes, [&] { return bytes.size(); });
    const Outcome single = read(bytes, [] { return std::size_t{1}; });
    std::size_t next = 0;
    const Outcome cut = read(bytes, [&] { return std::size_t{data[next++ % sizes]}; });
    for (const Outcome* other : {&single, &cut})
        require(agree(*other, whole), "pieces change nothing", shown(whole) + "\n=== in pieces\n" + shown(*other));
    return 0;
}
