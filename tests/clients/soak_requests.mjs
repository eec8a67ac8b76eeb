// Requests whose right answer is known: a grammar or a schema leaves a model no choice, a seed has one answer where the server is
// reproducible. Each kind makes a request, { path, body }, and judges what came back.
import assert from 'node:assert/strict';
import { assertWeather, exactly, weather } from './server.mjs';

const seeds = 12;
const room = 600; // tokens: JSON may have blanks between everything, and this model likes them
const texts = ['Once upon a time', 'Zwölf Boxkämpfer', 'a \u{1F600} b \u{1F468}\u200D\u{1F469}\u200D\u{1F467}', 'line\nbreak "quoted" \\', '\u65E5\u672C\u8A9E'];
const pick = (random, list) => list[Math.floor(random() * list.length)];
const chat = (random) => ({ messages: [{ role: 'user', content: `Say it, please. ${Math.floor(random() * 5)}` }] });
const join = (parts) => parts.join('');

/** The data of a stream's frames; the stream must end as its vendor's do. */
function frames(answer, last) {
  const all = answer.text.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  const data = all.map((frame) => frame.replace(/^event: .*\n/, '').replace(/^data: /, ''));
  assert.ok(data.at(-1) === last || JSON.parse(data.at(-1)).type === last, `a stream ends with ${last}: ${data.at(-1)}`);
  return data.filter((one) => one !== '[DONE]').map((one) => JSON.parse(one));
}

/** What all kinds count: the id; tokens of the prompt, which the server counts for each choice, and generated ones; choices. */
const counted = (id, prompt, generated, choices = 1) => ({ id, prompt, generated, choices });
const openaiCount = (id, usage, choices = 1) => counted(id, usage.prompt_tokens * choices, usage.completion_tokens, choices);

function sameId(chunks) {
  assert.equal(new Set(chunks.map((chunk) => chunk.id)).size, 1, 'one id a stream');
  return chunks[0].id;
}

/** Of a stream of chat chunks. */
function chatStream(answer) {
  const chunks = frames(answer, '[DONE]');
  const choices = chunks.flatMap((chunk) => chunk.choices);
  assert.equal(choices.filter((choice) => choice.finish_reason !== null).length, 1, 'one finish');
  return {
    text: join(choices.map((choice) => choice.delta.content ?? '')),
    calls: choices.flatMap((choice) => choice.delta.tool_calls ?? []),
    finish: choices.at(-1).finish_reason,
    count: openaiCount(sameId(chunks), chunks.at(-1).usage),
  };
}

const withUsage = { stream: true, stream_options: { include_usage: true } };

/** Chats of one text, whole and streamed. */
function exactChat(random) {
  const text = pick(random, texts);
  const streamed = random() < 0.5;
  return {
    path: '/v1/chat/completions',
    body: { ...chat(random), grammar: exactly(text), ...(streamed ? withUsage : {}) },
    judge(answer) {
      if (streamed) {
        const got = chatStream(answer);
        assert.deepEqual([got.text, got.finish], [text, 'stop']);
        return got.count;
      }
      const reply = JSON.parse(answer.text);
      assert.deepEqual([reply.choices[0].message.content, reply.choices[0].finish_reason], [text, 'stop']);
      return openaiCount(reply.id, reply.usage);
    },
  };
}

/** A stop string that may lie across tokens, and text behind it that must not come. */
function stopped(random) {
  const streamed = random() < 0.5;
  return {
    path: '/v1/chat/completions',
    body: { ...chat(random), grammar: exactly('before THE END after'), stop: ['never', 'HE EN'], ...(streamed ? withUsage : {}) },
    judge(answer) {
      if (streamed) {
        const got = chatStream(answer);
        assert.deepEqual([got.text, got.finish], ['before T', 'stop']);
        return got.count;
      }
      const reply = JSON.parse(answer.text);
      assert.deepEqual([reply.choices[0].message.content, reply.choices[0].finish_reason], ['before T', 'stop']);
      return openaiCount(reply.id, reply.usage);
    },
  };
}

function toolCall(random) {
  const streamed = random() < 0.5;
  const tools = [{ type: 'function', function: weather }];
  return {
    path: '/v1/chat/completions',
    body: { ...chat(random), max_tokens: room, reasoning_effort: 'none', tools, tool_choice: 'required', parallel_tool_calls: false, ...(streamed ? withUsage : {}) },
    judge(answer) {
      if (streamed) {
        const got = chatStream(answer);
        assert.equal(got.finish, 'tool_calls');
        for (let i = 0; i <= got.calls.at(-1).index; ++i) assertWeather(JSON.parse(join(got.calls.filter((call) => call.index === i).map((call) => call.function.arguments))));
        return got.count;
      }
      const reply = JSON.parse(answer.text);
      assert.equal(reply.choices[0].finish_reason, 'tool_calls');
      assertWeather(JSON.parse(reply.choices[0].message.tool_calls[0].function.arguments));
      return openaiCount(reply.id, reply.usage);
    },
  };
}

/** Several choices of a legacy completion, with log-probabilities. */
function completions(random) {
  const text = pick(random, texts);
  const n = 1 + Math.floor(random() * 3);
  return {
    path: '/v1/completions',
    body: { prompt: 'Once upon', n, logprobs: 2, grammar: exactly(text), ...withUsage },
    judge(answer) {
      const chunks = frames(answer, '[DONE]');
      for (let i = 0; i < n; ++i) {
        const own = chunks.flatMap((chunk) => chunk.choices).filter((choice) => choice.index === i);
        assert.equal(join(own.map((choice) => choice.text)), text);
        assert.equal(own.at(-1).finish_reason, 'stop');
        for (const value of own.flatMap((choice) => choice.logprobs?.token_logprobs ?? [])) assert.ok(value <= 0, 'a log-probability');
      }
      return openaiCount(sameId(chunks), chunks.at(-1).usage, n);
    },
  };
}

/** Anthropic's messages; a schema with one value. */
function messages(random) {
  const value = { say: pick(random, texts) };
  const streamed = random() < 0.5;
  const format = { type: 'json_schema', schema: { type: 'object', properties: { say: { const: value.say } }, required: ['say'], additionalProperties: false } };
  return {
    path: '/v1/messages',
    body: { ...chat(random), max_tokens: room, output_config: { format }, stream: streamed },
    judge(answer) {
      if (!streamed) {
        const reply = JSON.parse(answer.text);
        assert.deepEqual(JSON.parse(reply.content[0].text), value);
        return counted(reply.id, reply.usage.input_tokens + reply.usage.cache_read_input_tokens, reply.usage.output_tokens);
      }
      const events = frames(answer, 'message_stop');
      assert.deepEqual(JSON.parse(join(events.filter((event) => event.type === 'content_block_delta').map((event) => event.delta.text))), value);
      const { usage } = events.find((event) => event.type === 'message_delta');
      return counted(events[0].message.id, usage.input_tokens + usage.cache_read_input_tokens, usage.output_tokens);
    },
  };
}

function responses(random) {
  const value = pick(random, texts);
  const format = { type: 'json_schema', name: 'say', schema: { type: 'string', enum: [value] } };
  return {
    path: '/v1/responses',
    body: { input: 'Say it.', max_output_tokens: room, text: { format }, stream: true },
    judge(answer) {
      const events = frames(answer, 'response.completed');
      events.forEach((event, i) => assert.equal(event.sequence_number, i, 'events are numbered'));
      const { response } = events.at(-1);
      const text = join(events.filter((event) => event.type === 'response.output_text.delta').map((event) => event.delta));
      assert.equal(JSON.parse(text), value);
      assert.equal(response.output[0].content[0].text, text, 'the deltas are the whole text');
      return counted(response.id, response.usage.input_tokens, response.usage.output_tokens);
    },
  };
}

/** Free text, `tokens` long to the token. With `known`, which maps a seed to its text, it is that text. */
function seeded(random, known, streamed = random() < 0.5) {
  const seed = Math.floor(random() * seeds);
  const tokens = 24;
  return {
    path: '/v1/completions',
    body: { prompt: `Story ${seed % 3}. Once upon a time`, seed, max_tokens: tokens, ignore_eos: true, hlg: seed % 2 === 0 ? { preset: 'balanced' } : null, ...(streamed ? withUsage : {}) },
    seed,
    judge(answer) {
      const chunks = streamed ? frames(answer, '[DONE]') : [JSON.parse(answer.text)];
      const text = join(chunks.flatMap((chunk) => chunk.choices).map((choice) => choice.text));
      assert.equal(chunks.at(-1).usage.completion_tokens, tokens);
      if (known?.has(seed)) assert.equal(text, known.get(seed), `the answer of seed ${seed}`);
      return { ...openaiCount(chunks[0].id, chunks.at(-1).usage), text };
    },
  };
}

/** What needs no lane. */
function small(random) {
  const kinds = [
    { path: '/tokenize', body: { content: 'Once upon' }, judge: (reply) => assert.ok(reply.tokens.length > 0) },
    { path: '/v1/models', judge: (reply) => assert.equal(reply.data[0].id, 'storyteller') },
    { path: '/health', judge: (reply) => assert.equal(reply.status, 'ok') },
    { path: '/v1/messages/count_tokens', body: chat(random), judge: (reply) => assert.ok(reply.input_tokens > 3) },
    { path: '/v1/completions', body: { prompt: 'x', temperature: -1 }, status: 400, judge: (reply) => assert.equal(reply.error.param, 'temperature') },
    { path: '/v1/messages', body: chat(random), status: 400, judge: (reply) => assert.match(reply.error.message, /^max_tokens/) },
  ];
  const kind = pick(random, kinds);
  return { ...kind, judge: (answer) => (kind.judge(JSON.parse(answer.text)), undefined) };
}

/** The next token's distribution: it uses a lane, and generates nothing. */
function inspect(random) {
  return {
    path: '/v1/hlg/inspect',
    body: { prompt: pick(random, texts), hlg: { preset: 'bold' }, top_n: 10 },
    judge(answer) {
      const reply = JSON.parse(answer.text);
      assert.equal(reply.tokens.length, 10);
      for (const { probability } of reply.tokens) assert.ok(probability.draw >= 0 && probability.draw <= 1);
      return counted(undefined, reply.usage.prompt_tokens, 0, 0);
    },
  };
}

const kinds = [exactChat, exactChat, stopped, toolCall, completions, messages, responses, seeded, seeded, small, inspect];

/** A request of any kind. `random` gives numbers from 0 to 1; `known` is what seeds are known to say. */
export const anyRequest = (random, known) => pick(random, kinds)(random, known);

/** The texts of all seeds, asked one after another: what they are whatever else the server does, if it is reproducible. */
export async function learn(ask) {
  const known = new Map();
  for (let seed = 0; seed < seeds; ++seed) {
    const request = seeded(() => (seed + 0.5) / seeds, undefined, false);
    known.set(request.seed, request.judge(await ask(request)).text);
  }
  return known;
}
