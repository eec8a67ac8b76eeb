// Text becomes a grammar, or a schema if it begins with a brace, after a byte that tells how many bytes before it choose tokens;
// these walk the grammar. All of it takes bounded time, what is allowed, what the mask says and what is accepted are the same, a
// token is allowed where its bytes are, and where a schema lets an answer end it is JSON.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/grammar.hpp"
#include "engine/grammar_vocabulary.hpp"
#include "engine/model.hpp"
#include "require.hpp"

namespace {

using namespace hlg::engine;
using hlg::fuzz::require;

// Ten times what the limits come to without sanitizers.
constexpr std::chrono::seconds most_for_compiling{10};
constexpr std::chrono::seconds most_for_mask{10};
constexpr std::chrono::seconds most_for_token{2};

const GrammarVocabulary& vocabulary() {
    static const Model model = [] {
        auto loaded = Model::load(HLG_FUZZ_MODEL);
        require(static_cast<bool>(loaded), "the demo model loads");
        return *loaded;
    }();
    static const GrammarVocabulary made(model);
    return made;
}

/** Does it, and holds it to its time. */
template <class Work>
auto timed(std::chrono::seconds most, const char* rule, Work work) {
    const std::clock_t start = std::clock();  // processor time: others on the machine are not the work's fault
    auto result = work();
    require(std::clock() - start <= most.count() * CLOCKS_PER_SEC, rule);
    return result;
}

/** Whether it is JSON; a number that no double can hold, such as 9E996, is. */
bool is_json(const std::string& text) {
    try {
        return !nlohmann::json::parse(text).is_discarded();
    } catch (const nlohmann::json::out_of_range&) {
        return true;
    } catch (const nlohmann::json::parse_error&) {
        return false;
    }
}

/** The token of each byte that is one. */
std::array<Token, 256> byte_tokens() {
    std::array<Token, 256> tokens{};
    tokens.fill(-1);
    for (const auto& each : vocabulary().sorted()) {
        const std::string_view text = vocabulary().text(each.token);
        if (text.size() == 1 && !vocabulary().is_end(each.token)) tokens[static_cast<unsigned char>(text.front())] = each.token;
    }
    return tokens;
}

class Walk {
public:
    Walk(Grammar grammar, std::string_view source)
        : grammar_(std::move(grammar)),
          json_(source.starts_with('{')),
          names_tokens_(source.find('<') != std::string_view::npos),
          allowed_((vocabulary().size() + 31) / 32) {}

    /** One token, chosen by the byte: mostly among those that the mask allows. False when the walk is over. */
    bool step(std::uint8_t choice) {
        const bool masked = !timed(most_for_mask, "a mask takes bounded time", [&] { return grammar_.mask(allowed_); });
        const std::optional<Token> token = choice % 8 == 0 || !masked ? any(choice) : nth_allowed(choice);
        if (!token) return false;
        const bool may_come = timed(most_for_token, "a question takes bounded time", [&] { return grammar_.allows(*token); });
        // Finding out may take too much work for one of the two. Where the mask says yes, it had enough.
        const bool bit = masked && in_mask(*token);
        if (masked && may_come) require(bit, "what is allowed is in the mask");
        if (may_come) check_bytes(*token);
        return accept(*token, may_come);
    }

private:
    [[nodiscard]] bool in_mask(Token token) const {
        const auto i = static_cast<std::size_t>(token);
        return (allowed_[i / 32] >> (i % 32) & 1U) != 0;
    }

    static std::optional<Token> any(std::uint8_t choice) {
        return static_cast<Token>(choice * std::size_t{67} % vocabulary().size());
    }

    [[nodiscard]] std::optional<Token> nth_allowed(std::uint8_t choice) const {
        std::vector<Token> allowed;
        for (std::size_t i = 0; i < vocabulary().size(); ++i)
            if (in_mask(static_cast<Token>(i))) allowed.push_back(static_cast<Token>(i));
        if (allowed.empty()) return std::nullopt;
        return allowed[choice * std::size_t{131} % allowed.size()];
    }

    /** The same bytes, one at a time, lead to the same place. */
    void check_bytes(Token token) const {
        static const std::array<Token, 256> tokens = byte_tokens();
        const std::string_view text = vocabulary().text(token);
        if (vocabulary().is_end(token) || names_tokens_) return;
        Grammar bytes = grammar_;
        for (const char byte : text) {
            const Token one = tokens[static_cast<unsigned char>(byte)];
            if (one < 0) return;
            const Failure failure = bytes.accept(one);
            if (failure && failure->message.find("too many ways") != std::string::npos) return;
            require(!failure, "a token is allowed where its bytes are", failure ? failure->message : "");
        }
        Grammar whole = grammar_;
        if (whole.accept(token)) return;
        require(bytes.may_end() == whole.may_end(), "the same bytes lead to the same place");
    }

    bool accept(Token token, bool may_come) {
        const bool taken = !timed(most_for_token, "a token takes bounded time", [&] { return grammar_.accept(token); });
        require(taken || !may_come, "what is allowed is accepted");
        if (!taken || vocabulary().is_end(token)) return false;
        text_ += vocabulary().text(token);
        if (json_ && grammar_.may_end()) require(is_json(text_), "a schema's answer is JSON", text_);
        return true;
    }

    Grammar grammar_;
    bool json_;          ///< made from a schema
    bool names_tokens_;  ///< may allow a token by its id, whatever its bytes
    std::string text_;
    std::vector<std::uint32_t> allowed_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::size_t steps = std::min<std::size_t>(data[0] % 32, size - 1);
    const std::string_view text(reinterpret_cast<const char*>(data) + 1 + steps, size - 1 - steps);
    const bool json = text.starts_with('{');
    auto grammar = timed(most_for_compiling, "compiling takes bounded time", [&] {
        return json ? Grammar::from_schema(vocabulary(), text) : Grammar::from_gbnf(vocabulary(), text);
    });
    if (!grammar) {
        const Error& error = grammar.error();
        require(error.code == ErrorCode::bad_request && !error.message.empty(), "a refusal is the request's fault",
                error.message);
        require(error.message.size() < 500 && error.message.find('\n') == std::string::npos, "and says so in one line",
                error.message);
        return 0;
    }
    Walk walk(std::move(*grammar), text);
    for (std::size_t i = 1; i <= steps && walk.step(data[i]); ++i) continue;
    return 0;
}
