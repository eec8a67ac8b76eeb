// The shapes of answers, after the vendors' published lists of fields. Fields of our own (hlg, seed, ...) may come on top at the
// outermost level; everywhere else an unknown field is a mistake.
import assert from 'node:assert/strict';
import Ajv from 'ajv';

const string = { type: 'string' };
const integer = { type: 'integer', minimum: 0 };
const number = { type: 'number' };
const nullable = (schema) => ({ anyOf: [schema, { type: 'null' }] });
const list = (items, more = {}) => ({ type: 'array', items, ...more });
const fixed = (value) => ({ const: value });
const one = (...values) => ({ enum: values });

/** An object with these fields and no others; names that end in ? may be left out. */
function object(fields, more = false) {
  const properties = {};
  const required = [];
  for (const [name, schema] of Object.entries(fields)) {
    const bare = name.replace(/\?$/, '');
    properties[bare] = schema;
    if (bare === name) required.push(bare);
  }
  return { type: 'object', properties, required, additionalProperties: more };
}
const open = (fields) => object(fields, true);

const topLogprob = object({ token: string, logprob: number, bytes: nullable(list(integer)) });
const tokenLogprob = object({ token: string, logprob: number, bytes: nullable(list(integer)), top_logprobs: list(topLogprob) });
const logprobs = nullable(object({ content: nullable(list(tokenLogprob)), 'refusal?': nullable(list(tokenLogprob)) }));
const finish = one('stop', 'length', 'tool_calls', 'content_filter');
const usage = object({
  prompt_tokens: integer,
  completion_tokens: integer,
  total_tokens: integer,
  'prompt_tokens_details?': open({ 'cached_tokens?': integer }),
  'completion_tokens_details?': open({ 'reasoning_tokens?': integer }),
});
const toolCall = object({ id: string, type: fixed('function'), function: object({ name: string, arguments: string }) });
const toolCallDelta = object({
  index: integer,
  'id?': string,
  'type?': fixed('function'),
  'function?': object({ 'name?': string, 'arguments?': string }),
});

const chatChoice = object({
  index: integer,
  message: object({
    role: fixed('assistant'),
    content: nullable(string),
    'refusal?': nullable(string),
    'reasoning_content?': nullable(string),
    'tool_calls?': list(toolCall, { minItems: 1 }),
    'annotations?': list({}),
  }),
  logprobs,
  finish_reason: finish,
});
const chunkChoice = object({
  index: integer,
  delta: object({
    'role?': fixed('assistant'),
    'content?': nullable(string),
    'refusal?': nullable(string),
    'reasoning_content?': nullable(string),
    'tool_calls?': list(toolCallDelta),
  }),
  'logprobs?': logprobs,
  finish_reason: nullable(finish),
});
const legacyLogprobs = object({
  tokens: list(string),
  token_logprobs: list(nullable(number)),
  top_logprobs: nullable(list(nullable({ type: 'object', additionalProperties: number }))),
  text_offset: list(integer),
});

const textPart = object({
  type: fixed('output_text'),
  text: string,
  annotations: list({}),
  'logprobs?': list(tokenLogprob),
});
const outputItem = {
  anyOf: [
    object({ id: string, type: fixed('message'), role: fixed('assistant'), status: one('in_progress', 'completed', 'incomplete'), content: list(textPart) }),
    object({ id: string, type: fixed('function_call'), call_id: string, name: string, arguments: string, status: one('in_progress', 'completed', 'incomplete') }),
    open({ id: string, type: fixed('reasoning'), summary: list({}) }),
  ],
};
const response = open({
  id: string,
  object: fixed('response'),
  created_at: integer,
  status: one('completed', 'failed', 'in_progress', 'cancelled', 'queued', 'incomplete'),
  error: nullable(open({ code: string, message: string })),
  incomplete_details: nullable(object({ reason: one('max_output_tokens', 'content_filter') })),
  instructions: nullable({}),
  model: string,
  output: list(outputItem),
  parallel_tool_calls: { type: 'boolean' },
  temperature: nullable(number),
  tool_choice: {},
  tools: list({ type: 'object' }),
  top_p: nullable(number),
  metadata: nullable({ type: 'object' }),
  usage: nullable(
    object({
      input_tokens: integer,
      input_tokens_details: open({ cached_tokens: integer }),
      output_tokens: integer,
      output_tokens_details: open({ reasoning_tokens: integer }),
      total_tokens: integer,
    }),
  ),
});

const block = {
  anyOf: [
    object({ type: fixed('text'), text: string }),
    object({ type: fixed('tool_use'), id: string, name: string, input: { type: 'object' } }),
    object({ type: fixed('thinking'), thinking: string, signature: string }),
  ],
};
const messageUsage = open({
  input_tokens: integer,
  output_tokens: integer,
  'cache_creation_input_tokens?': nullable(integer),
  'cache_read_input_tokens?': nullable(integer),
});
const stopReason = one('end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal', 'model_context_window_exceeded');
const messageFields = {
  id: string,
  type: fixed('message'),
  role: fixed('assistant'),
  model: string,
  content: list(block),
  stop_reason: nullable(stopReason),
  stop_sequence: nullable(string),
  usage: messageUsage,
};
const delta = {
  anyOf: [
    object({ type: fixed('text_delta'), text: string }),
    object({ type: fixed('input_json_delta'), partial_json: string }),
    object({ type: fixed('thinking_delta'), thinking: string }),
    object({ type: fixed('signature_delta'), signature: string }),
  ],
};

const schemas = {
  'chat.completion': open({ id: string, object: fixed('chat.completion'), created: integer, model: string, choices: list(chatChoice, { minItems: 1 }), usage }),
  'chat.completion.chunk': open({
    id: string,
    object: fixed('chat.completion.chunk'),
    created: integer,
    model: string,
    choices: list(chunkChoice),
    'usage?': nullable(usage),
  }),
  text_completion: open({
    id: string,
    object: fixed('text_completion'),
    created: integer,
    model: string,
    choices: list(object({ index: integer, text: string, logprobs: nullable(legacyLogprobs), finish_reason: nullable(one('stop', 'length', 'content_filter')) })),
    usage,
  }),
  response,
  message: open(messageFields),
  'message.event': {
    anyOf: [
      object({ type: fixed('message_start'), message: open(messageFields) }),
      object({ type: fixed('content_block_start'), index: integer, content_block: block }),
      object({ type: fixed('content_block_delta'), index: integer, delta }),
      object({ type: fixed('content_block_stop'), index: integer }),
      open({ type: fixed('message_delta'), delta: open({ stop_reason: stopReason, stop_sequence: nullable(string) }), usage: open({ output_tokens: integer }) }),
      object({ type: fixed('message_stop') }),
      object({ type: fixed('ping') }),
    ],
  },
};

const ajv = new Ajv({ allErrors: true });
const validators = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)]));

/** Fails unless the value has the shape of that name. */
export function check(name, value) {
  const validate = validators[name];
  // Clients put helpers of their own on what they parsed; what counts is what came over the wire.
  const plain = JSON.parse(JSON.stringify(value));
  delete plain.output_text;
  assert.ok(validate(plain), `${name}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(plain, null, 1)}`);
}
