// SPDX-License-Identifier: MIT
#include "engine/chat.hpp"

#include <exception>
#include <mutex>

#include <chat.h>
#include <json.h>
#include <log.h>
#include <nlohmann/json.hpp>

#include "engine/chat_format.hpp"
#include "engine/chat_request.hpp"
#include "engine/converter_schema.hpp"
#include "engine/grammar_trigger.hpp"
#include "engine/json_limits.hpp"
#include "engine/tool_grammar.hpp"

namespace hlg::engine {
namespace {

Error bad(const std::string& what) { return {ErrorCode::bad_request, what}; }

/** llama-common would write parts of answers that it can't parse to stderr. */
void silence() {
    static std::once_flag once;
    std::call_once(once, [] { common_log_set_verbosity_thold(-1); });
}

common_chat_tool_choice choice_of(ToolChoice::Kind kind) {
    switch (kind) {
        case ToolChoice::Kind::automatic: return COMMON_CHAT_TOOL_CHOICE_AUTO;
        case ToolChoice::Kind::none: return COMMON_CHAT_TOOL_CHOICE_NONE;
        case ToolChoice::Kind::required:
        case ToolChoice::Kind::function: return COMMON_CHAT_TOOL_CHOICE_REQUIRED;
    }
    return COMMON_CHAT_TOOL_CHOICE_AUTO;
}

/** What does not go together. */
Failure check_combination(const ChatRequest& request) {
    const bool tools = !request.tools.empty() && request.tool_choice.kind != ToolChoice::Kind::none;
    if (!request.grammar.empty() && !request.json_schema.empty()) return bad("a grammar and a JSON schema at once");
    if (!request.grammar.empty() && tools) return bad("a grammar and tools at once");
    return std::nullopt;
}

/** Variables of the template; enable_thinking among them is the request's own switch. */
Failure add_arguments(const std::string& text, common_chat_templates_inputs& inputs) {
    if (text.empty()) return std::nullopt;
    if (Failure failure = check_json(text, "the template arguments")) return failure;
    const auto arguments = nlohmann::json::parse(text, nullptr, false);
    if (!arguments.is_object()) return bad("the template arguments are not a JSON object");
    for (const auto& [name, value] : arguments.items()) {
        inputs.chat_template_kwargs[name] = value.dump();
        if (name != "enable_thinking") continue;
        if (!value.is_boolean()) return bad("the template argument enable_thinking is not true or false");
        inputs.enable_thinking = value.get<bool>();
    }
    return std::nullopt;
}

Failure check_continuation(const std::vector<common_chat_msg>& messages) {
    if (messages.empty() || messages.back().role != "assistant")
        return bad("only a last message of the assistant can be continued");
    if (!messages.back().tool_calls.empty()) return bad("a message with tool calls can't be continued");
    return std::nullopt;
}

struct Inputs {
    common_chat_templates_inputs common;
    std::string schema;  ///< of the answer, as it came
    bool tools = false;
};

Result<Inputs> inputs_of(const ChatRequest& request, bool parallel_tools) {
    if (Failure failure = check_combination(request)) return *failure;
    const auto messages = clean_messages(request.messages);
    if (!messages) return messages.error();
    const auto tools = clean_tools(request);
    if (!tools) return tools.error();
    const auto schema = clean_schema(request.json_schema);
    if (!schema) return schema.error();
    Inputs inputs;
    common_chat_templates_inputs& common = inputs.common;
    common.messages = common_chat_msgs_parse_oaicompat(common_json::parse(*messages));
    if (!tools->empty()) common.tools = common_chat_tools_parse_oaicompat(common_json::parse(*tools));
    common.tool_choice = choice_of(request.tool_choice.kind);
    if (common.tools.empty() && common.tool_choice == COMMON_CHAT_TOOL_CHOICE_REQUIRED)
        return bad("tool_choice asks for a call, and there are no tools");
    inputs.tools = !common.tools.empty() && common.tool_choice != COMMON_CHAT_TOOL_CHOICE_NONE;
    common.parallel_tool_calls = request.parallel_tool_calls.value_or(parallel_tools);
    if (!schema->empty()) common.json_schema = converter_schema(*schema);
    inputs.schema = *schema;
    common.grammar = request.grammar;
    common.enable_thinking = request.thinking.value_or(true);
    common.reasoning_format = request.extract_reasoning ? COMMON_REASONING_FORMAT_DEEPSEEK : COMMON_REASONING_FORMAT_NONE;
    common.add_generation_prompt = request.add_generation_prompt && !request.continue_final_message;
    if (request.continue_final_message) {
        if (Failure failure = check_continuation(common.messages)) return *failure;
        common.continue_final_message = COMMON_CHAT_CONTINUATION_AUTO;
    }
    if (Failure failure = add_arguments(request.template_arguments, common)) return *failure;
    return inputs;
}

GrammarTrigger trigger_of(const common_grammar_trigger& trigger) {
    if (trigger.type != COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN_FULL)
        return {trigger.value, trigger.type == COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN};
    std::string whole = trigger.value;  // of the whole text so far
    if (!whole.starts_with('^')) whole.insert(0, 1, '^');
    if (!whole.ends_with('$')) whole += '$';
    return {whole, true};
}

/** Whether the text ends inside a reasoning block. */
bool ends_in_reasoning(const std::string& text, const std::string& start, const std::vector<std::string>& ends) {
    const std::size_t begun = start.empty() ? std::string::npos : text.rfind(start);
    if (begun == std::string::npos) return false;
    for (const std::string& end : ends) {
        if (!end.empty() && text.find(end, begun) != std::string::npos) return false;
    }
    return true;
}

/** For the few templates whose handlers in llama-common pass a schema over. Where the prompt ends inside a reasoning block, it
   holds from the first character behind that. */
Result<GrammarSpec> schema_grammar(const std::string& schema, GrammarSpec spec) {
    auto gbnf = schema_to_gbnf(schema);
    if (!gbnf) return gbnf.error();
    spec.gbnf = std::move(*gbnf);
    spec.converted = true;
    spec.lazy = spec.reasoning_first;
    for (const std::string& end : spec.reasoning_ends) spec.triggers.push_back({escape_expression(end) + R"(\s*(\S))", true});
    return spec;
}

Result<std::optional<GrammarSpec>> grammar_of(const ChatRequest& request, const Inputs& inputs,
                                              const common_chat_params& params) {
    GrammarSpec spec;
    if (!request.grammar.empty()) {
        spec.gbnf = request.grammar;
        return std::optional(spec);
    }
    spec.reasoning_start = params.thinking_start_tag;
    spec.reasoning_ends = params.thinking_end_tags;
    spec.reasoning_first = ends_in_reasoning(params.generation_prompt, spec.reasoning_start, spec.reasoning_ends);
    if (params.grammar.empty()) {
        if (inputs.common.tool_choice == COMMON_CHAT_TOOL_CHOICE_REQUIRED)
            return bad("the model's chat template has no way to call tools");
        if (inputs.schema.empty()) return std::optional<GrammarSpec>();
        auto made = schema_grammar(inputs.schema, std::move(spec));
        return made ? Result<std::optional<GrammarSpec>>(std::move(*made)) : made.error();
    }
    const bool required = inputs.common.tool_choice == COMMON_CHAT_TOOL_CHOICE_REQUIRED;
    spec.gbnf = required ? without_text_before_call(params.grammar) : params.grammar;
    if (!inputs.common.parallel_tool_calls) spec.gbnf = with_one_call(std::move(spec.gbnf));
    spec.converted = true;
    spec.lazy = params.grammar_lazy;
    for (const common_grammar_trigger& trigger : params.grammar_triggers) spec.triggers.push_back(trigger_of(trigger));
    if (!spec.lazy) spec.prefix = params.generation_prompt;
    return std::optional(std::move(spec));
}

Result<RenderedChat> rendered(const ChatRequest& request, const Inputs& inputs, const common_chat_params& params) {
    auto grammar = grammar_of(request, inputs, params);
    if (!grammar) return grammar.error();
    auto format = std::make_shared<ChatFormat>();
    format->format = static_cast<int>(params.format);
    format->parser = params.parser;
    format->generation_prompt = params.generation_prompt;
    format->extract_reasoning = request.extract_reasoning;
    format->tools = inputs.tools;
    format->continuation = request.continue_final_message;
    return RenderedChat{params.prompt, params.additional_stops, std::move(*grammar), std::move(format)};
}

}  // namespace

struct ChatTemplate::Data {
    common_chat_templates_ptr templates;
    bool own = false;
    std::string source;
    ChatCapabilities capabilities;
};

Result<ChatTemplate> ChatTemplate::make(const Model& model, const std::string& given) {
    silence();
    try {
        auto data = std::make_shared<Data>();
        data->templates = common_chat_templates_init(model.handle(), given);
        data->own = common_chat_templates_was_explicit(data->templates.get());
        data->source = common_chat_templates_source(data->templates.get());
        const auto can = common_chat_templates_get_caps(data->templates.get());
        const auto has = [&can](const char* what) {
            const auto found = can.find(what);
            return found != can.end() && found->second;
        };
        data->capabilities = {has("supports_tools"), has("supports_parallel_tool_calls"), has("supports_system_role"), false};
        try {
            data->capabilities.thinking = common_chat_templates_support_enable_thinking(data->templates.get());
        } catch (const std::exception&) {  // a template that refuses a single "test" from a user
        }
        return ChatTemplate(std::move(data));
    } catch (const std::exception& error) {
        return Error{ErrorCode::bad_config, "the chat template can't be used: " + one_line(error.what())};
    }
}

Result<RenderedChat> ChatTemplate::render(const ChatRequest& request) const {
    try {
        const auto inputs = inputs_of(request, data_->capabilities.parallel_tools);
        if (!inputs) return inputs.error();
        return rendered(request, *inputs, common_chat_templates_apply(data_->templates.get(), inputs->common));
    } catch (const std::exception& error) {
        return bad("the chat can't be rendered: " + one_line(error.what()));
    }
}

bool ChatTemplate::own() const noexcept { return data_->own; }
const std::string& ChatTemplate::source() const noexcept { return data_->source; }
const ChatCapabilities& ChatTemplate::capabilities() const noexcept { return data_->capabilities; }

}  // namespace hlg::engine
