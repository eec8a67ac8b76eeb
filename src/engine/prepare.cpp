// SPDX-License-Identifier: MIT
#include "engine/prepare.hpp"

#include <algorithm>

#include "engine/generate_task.hpp"
#include "engine/grammar_ends.hpp"
#include "engine/match_task.hpp"
#include "engine/other_tasks.hpp"

namespace hlg::engine {
namespace {

using Tasks = std::vector<std::unique_ptr<Task>>;

Error bad_request(std::string message) { return {ErrorCode::bad_request, std::move(message)}; }

Failure check_token(const PrepareContext& context, Token token, const char* where) {
    const std::size_t vocabulary = context.model.vocabulary_size();
    if (token >= 0 && static_cast<std::size_t>(token) < vocabulary) return std::nullopt;
    return bad_request(std::string(where) + " names token " + std::to_string(token) + ", the model has " +
                       std::to_string(vocabulary));
}

Failure check_length(const PrepareContext& context, std::size_t tokens) {
    if (tokens == 0) return Error{ErrorCode::prompt_empty, "the prompt is empty, and this model has no begin mark to start from"};
    if (tokens <= context.context) return std::nullopt;
    return Error{ErrorCode::prompt_too_long, "the prompt is longer than the context: " + std::to_string(tokens) +
                                                 " tokens, the context holds " + std::to_string(context.context)};
}

/** A prompt's tokens and, of a chat, what goes with them. */
struct Tokenized {
    std::vector<Token> tokens;
    std::optional<RenderedChat> chat;
};

Result<Tokenized> tokenize(const Prompt& prompt, const PrepareContext& context, const TokenizeOptions& options = {}) {
    Tokenized made;
    if (const auto* text = std::get_if<std::string>(&prompt)) {
        made.tokens = context.model.tokenize(*text, options);
    } else if (const auto* chat = std::get_if<ChatRequest>(&prompt)) {
        if (!context.chat_template) return context.chat_template.error();
        Result<RenderedChat> rendered = context.chat_template->render(*chat);
        if (!rendered) return rendered.error();
        made.tokens = context.model.tokenize(rendered->prompt);
        made.chat = std::move(*rendered);
    } else {
        made.tokens = std::get<std::vector<Token>>(prompt);
        for (const Token token : made.tokens)
            if (Failure failure = check_token(context, token, "the prompt")) return *failure;
    }
    return made;
}

/** The same, for a prompt that is to be run. */
Result<Tokenized> runnable(const Prompt& prompt, const PrepareContext& context) {
    Result<Tokenized> made = tokenize(prompt, context);
    if (!made) return made;
    if (Failure failure = check_length(context, made->tokens.size())) return *failure;
    return made;
}

Result<ResolvedSettings> settings_of(const SamplingSettings& own, const PrepareContext& context) {
    std::vector<SamplingSettings> tiers(context.settings.begin(), context.settings.end());
    tiers.push_back(own);
    Result<ResolvedSettings> resolved = resolve(tiers);
    if (!resolved) return resolved;
    const bool seeded =
        std::any_of(tiers.begin(), tiers.end(), [](const SamplingSettings& tier) { return tier.seed.has_value(); });
    if (!seeded) resolved->params.seed = random_seed();
    for (const Edit& edit : resolved->logit_bias)
        if (Failure failure = check_token(context, edit.token, "[logit_bias]")) return *failure;
    return resolved;
}

/** The grammar of the request, or of the chat. */
Result<std::optional<Grammar>> grammar_of(const Constraint& constraint, const std::optional<RenderedChat>& chat,
                                          const PrepareContext& context) {
    if (chat && !std::holds_alternative<std::monostate>(constraint))
        return bad_request("a chat's grammar or schema is part of the chat");
    if (chat && chat->grammar) return grammar_of(*chat->grammar, std::nullopt, context);
    if (std::holds_alternative<std::monostate>(constraint)) return std::optional<Grammar>();
    const GrammarVocabulary& vocabulary = context.vocabulary();
    const auto* schema = std::get_if<JsonSchema>(&constraint);
    Result<Grammar> compiled = schema != nullptr ? Grammar::from_schema(vocabulary, schema->text)
                                                 : Grammar::compile(vocabulary, std::get<GrammarSpec>(constraint));
    if (!compiled) return compiled.error();
    return std::optional(std::move(*compiled));
}

/** Behind a complete answer only its end may come, and that may be banned. */
Failure check_ends(const GenerateRequest& request, const std::optional<Grammar>& grammar) {
    if (!request.ignore_end || !grammar) return std::nullopt;
    const auto* chat = std::get_if<ChatRequest>(&request.prompt);
    const bool schema = chat != nullptr ? !chat->json_schema.empty() : std::holds_alternative<JsonSchema>(request.constraint);
    if (schema) return bad_request("[ignore_eos] can't be used together with response_format or json_schema: JSON has an end");
    if (chat != nullptr && chat->grammar.empty() && !grammar->free())
        return bad_request("[ignore_eos] can't be used together with tools of which one must be called: a call has an end");
    const auto* spec = std::get_if<GrammarSpec>(&request.constraint);
    const auto rules = read_grammar(spec != nullptr ? spec->gbnf : chat != nullptr ? chat->grammar : std::string());
    if (!rules || !must_end(*rules)) return std::nullopt;
    return bad_request("[ignore_eos] can't be used together with grammar: each of its answers has an end");
}

Failure check(const GenerateRequest& request) {
    if (request.choices < 1 || request.choices > max_choices)
        return bad_request("[n] must be 1 to " + std::to_string(max_choices) + ", got " + std::to_string(request.choices));
    if (request.log_probabilities.value_or(0) > max_log_probabilities) {
        return bad_request("[top_logprobs] must be 0 to " + std::to_string(max_log_probabilities) + ", got " +
                           std::to_string(*request.log_probabilities));
    }
    return std::nullopt;
}

Result<Tasks> prepare_one(GenerateRequest request, const PrepareContext& context, const std::shared_ptr<Stream>& stream) {
    if (Failure failure = check(request)) return *failure;
    Result<Tokenized> prompt = runnable(request.prompt, context);
    if (!prompt) return prompt.error();
    Result<ResolvedSettings> settings = settings_of(request.sampling, context);
    if (!settings) return settings.error();
    Result<std::optional<Grammar>> grammar = grammar_of(request.constraint, prompt->chat, context);
    if (!grammar) return grammar.error();
    if (Failure failure = check_ends(request, *grammar)) return *failure;
    auto plan = std::make_shared<GeneratePlan>();
    plan->grammar = std::move(*grammar);
    plan->prompt = std::move(prompt->tokens);
    plan->settings = std::move(*settings);
    plan->max_tokens = request.max_tokens;
    plan->stop = std::move(request.stop);
    if (prompt->chat) plan->stop.insert(plan->stop.end(), prompt->chat->stops.begin(), prompt->chat->stops.end());
    stream->chat = std::move(prompt->chat);
    plan->log_probabilities = request.log_probabilities;
    if (request.ignore_end)
        for (const Token token : context.model.end_tokens())
            plan->banned.push_back({token, -std::numeric_limits<float>::infinity()});
    stream->events.push({0, AcceptedEvent{plan->prompt.size(), plan->settings}});
    Tasks tasks;
    for (std::size_t choice = 0; choice < request.choices; ++choice)
        tasks.push_back(std::make_unique<GenerateTask>(stream, choice, plan, context.model, context.context));
    return tasks;
}

Result<Tasks> prepare_one(ScoreRequest request, const PrepareContext& context, const std::shared_ptr<Stream>& stream) {
    if (request.text) {
        request.tokens = context.model.tokenize(*request.text);
        request.first = 1;
        if (request.tokens.size() < 2) {  // nothing comes after another
            const std::size_t count = request.tokens.size();
            stream->events.push({0, ScoredEvent{.tokens = std::move(request.tokens), .usage = {.prompt_tokens = count}}});
            return Tasks{};
        }
    }
    if (request.first < 1 || request.first >= request.tokens.size())
        return bad_request("the first token to score must be 1 to " + std::to_string(request.tokens.size()) + " less 1, got " +
                           std::to_string(request.first));
    if (request.highest > max_log_probabilities) return bad_request("more tokens are asked for at each place than are told");
    for (const Token token : request.tokens)
        if (Failure failure = check_token(context, token, "the text")) return *failure;
    if (Failure failure = check_length(context, request.tokens.size() - 1)) return *failure;
    Tasks tasks;
    tasks.push_back(std::make_unique<ScoreTask>(stream, std::move(request)));
    return tasks;
}

Result<Tasks> prepare_one(const InspectRequest& request, const PrepareContext& context, const std::shared_ptr<Stream>& stream) {
    Result<Tokenized> prompt = runnable(request.prompt, context);
    if (!prompt) return prompt.error();
    Result<ResolvedSettings> settings = settings_of(request.sampling, context);
    if (!settings) return settings.error();
    Tasks tasks;
    tasks.push_back(
        std::make_unique<InspectTask>(stream, std::move(prompt->tokens), std::move(*settings), request.tokens, context.model));
    return tasks;
}

Result<Tasks> prepare_one(const MatchRequest& request, const PrepareContext& context, const std::shared_ptr<Stream>& stream) {
    Result<Tokenized> prompt = runnable(request.prompt, context);
    if (!prompt) return prompt.error();
    Result<Tokenized> text = tokenize(request.text, context, {.begin = false});
    if (!text) return text.error();
    const std::size_t count = text->tokens.size();
    if (count < 1 || count > max_matched_tokens) {
        return bad_request("[text] must have 1 to " + std::to_string(max_matched_tokens) + " tokens, got " +
                           std::to_string(count));
    }
    Result<ResolvedSettings> reference = settings_of(request.reference, context);
    if (!reference) return reference.error();
    Result<ResolvedSettings> settings = settings_of(request.settings, context);
    if (!settings) return settings.error();
    const std::size_t first = prompt->tokens.size();
    prompt->tokens.insert(prompt->tokens.end(), text->tokens.begin(), text->tokens.end());
    if (Failure failure = check_length(context, prompt->tokens.size() - 1)) return *failure;
    Tasks tasks;
    tasks.push_back(std::make_unique<MatchTask>(stream, std::move(prompt->tokens), first, *reference, *settings));
    return tasks;
}

Result<Tasks> prepare_one(const CountRequest& request, const PrepareContext& context, const std::shared_ptr<Stream>& stream) {
    Result<Tokenized> prompt = tokenize(request.prompt, context, request.options);
    if (!prompt) return prompt.error();
    const std::size_t count = prompt->tokens.size();
    stream->events.push({0, CountedEvent{count, request.list ? std::move(prompt->tokens) : std::vector<Token>()}});
    return Tasks{};
}

}  // namespace

Result<Tasks> prepare(Request request, const PrepareContext& context, const std::shared_ptr<Stream>& stream) {
    return std::visit([&](auto& one) { return prepare_one(std::move(one), context, stream); }, request);
}

}  // namespace hlg::engine
