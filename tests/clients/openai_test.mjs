// The openai package: chat completions, completions, responses, models.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { assertWeather, eventually, exactly, metric, serve, weather } from './server.mjs';
import { check } from './schemas.mjs';

const messages = [{ role: 'user', content: 'Once upon a time' }];
const story = { model: 'storyteller', messages, max_tokens: 40, seed: 7, temperature: 0.8 };
const tools = [{ type: 'function', function: weather }];
const named = { type: 'function', function: { name: 'get_weather' } };

let server;
let url;
let client;
before(async () => {
  server = await serve();
  ({ url } = server);
  client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
});
after(() => server.stop());

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}
const content = (chunks) => chunks.map((chunk) => chunk.choices[0]?.delta?.content ?? '').join('');

describe('chat completions', () => {
  test('an answer, again with the same seed', async () => {
    const first = await client.chat.completions.create(story);
    check('chat.completion', first);
    assert.ok(first.choices[0].message.content.length > 20);
    assert.equal(first.usage.completion_tokens, 40);
    assert.equal(first.choices[0].finish_reason, 'length');
    const again = await client.chat.completions.create(story);
    assert.equal(again.choices[0].message.content, first.choices[0].message.content);
  });

  test('a stream says what the whole answer says', async () => {
    const whole = await client.chat.completions.create(story);
    const chunks = await collect(await client.chat.completions.create({ ...story, stream: true, stream_options: { include_usage: true } }));
    for (const chunk of chunks) check('chat.completion.chunk', chunk);
    assert.ok(chunks.length > 10);
    assert.equal(content(chunks), whole.choices[0].message.content);
    assert.deepEqual(chunks.at(-1).choices, []);
    assert.equal(chunks.at(-1).usage.completion_tokens, whole.usage.completion_tokens);
  });

  test('the stream helper', async () => {
    const stream = client.chat.completions.stream({ ...story, stream_options: { include_usage: true } });
    let text = '';
    stream.on('content', (delta) => (text += delta));
    const final = await stream.finalChatCompletion();
    assert.equal(final.choices[0].message.content, text);
    assert.ok(text.length > 20);
  });

  test('several choices differ', async () => {
    const { choices } = await client.chat.completions.create({ ...story, n: 6 });
    assert.deepEqual(choices.map((choice) => choice.index), [0, 1, 2, 3, 4, 5]);
    assert.equal(new Set(choices.map((choice) => choice.message.content)).size, 6);
  });

  test('log-probabilities', async () => {
    const { choices } = await client.chat.completions.create({ ...story, temperature: 0, logprobs: true, top_logprobs: 3 });
    const tokens = choices[0].logprobs.content;
    assert.equal(tokens.length, 40);
    // A chat's parser takes white space off the ends of an answer.
    assert.equal(tokens.map((token) => token.token).join('').trim(), choices[0].message.content.trim());
    for (const token of tokens) {
      assert.equal(token.top_logprobs.length, 3);
      assert.ok(token.logprob <= 0);
      assert.equal(token.token, token.top_logprobs[0].token, 'greedy takes the most probable');
    }
  });

  test('a grammar forces a text, emoji and all', async () => {
    const text = 'Grüße 🦄🏳️‍🌈 \n"quoted"';
    const chunks = await collect(await client.chat.completions.create({ ...story, max_tokens: 100, grammar: exactly(text), stream: true }));
    assert.equal(content(chunks), text);
  });

  test('a stop string that spans tokens does not leak', async () => {
    const chunks = await collect(
      await client.chat.completions.create({ ...story, max_tokens: 100, grammar: exactly('One two three four'), stop: ['o three'], stream: true }),
    );
    assert.equal(content(chunks), 'One tw');
    assert.equal(chunks.at(-1).choices[0].finish_reason, 'stop');
  });

  test('a named tool is called', async () => {
    const { choices } = await client.chat.completions.create({ ...story, max_tokens: 200, tools, tool_choice: named, parallel_tool_calls: false });
    const [call] = choices[0].message.tool_calls;
    assert.equal(call.function.name, 'get_weather');
    assertWeather(JSON.parse(call.function.arguments));
    assert.equal(choices[0].finish_reason, 'tool_calls');
  });

  test('a tool call streams, and its answer goes back', async () => {
    const request = { ...story, max_tokens: 200, tools, tool_choice: 'required', parallel_tool_calls: false };
    const final = await client.chat.completions.stream(request).finalChatCompletion();
    const { message } = final.choices[0];
    assertWeather(JSON.parse(message.tool_calls[0].function.arguments));
    const answer = await client.chat.completions.create({
      ...story,
      tools,
      messages: [...messages, message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'Rain' }],
    });
    assert.ok(answer.choices[0].message.content.length > 0);
  });

  test('structured output parses', async () => {
    const Person = z.object({ name: z.enum(['Anna', 'Hans']), age: z.literal([7, 8]) });
    const parsed = await client.chat.completions.parse({ ...story, max_tokens: 200, response_format: zodResponseFormat(Person, 'person') });
    assert.ok(['Anna', 'Hans'].includes(parsed.choices[0].message.parsed.name));
  });

  test('hlg changes the text, and says so', async () => {
    const plain = await client.chat.completions.create(story);
    const { data, response } = await client.chat.completions.create({ ...story, top_k: 40, hlg: { preset: 'bold' } }).withResponse();
    assert.notEqual(data.choices[0].message.content, plain.choices[0].message.content);
    assert.equal(data.hlg.preset, 'bold');
    assert.match(response.headers.get('x-hlg-ignored'), /top_k/);
  });
});

describe('errors', () => {
  test('a bad value names its field', async () => {
    await assert.rejects(client.chat.completions.create({ ...story, temperature: -1 }), (error) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.equal(error.param, 'temperature');
      assert.match(error.message, /temperature.*0.*100/);
      return true;
    });
  });

  test('an unknown model', async () => {
    await assert.rejects(client.chat.completions.create({ ...story, model: 'gpt-9' }), OpenAI.NotFoundError);
  });

  test('a prompt that is too long, streaming or not', async () => {
    const long = { ...story, messages: [{ role: 'user', content: 'so '.repeat(5000) }] };
    for (const stream of [false, true])
      await assert.rejects(client.chat.completions.create({ ...long, stream }), (error) => error.status === 400 && error.code === 'context_length_exceeded');
  });

  test('a wrong key', async (t) => {
    const guarded = await serve('--api-key', 'secret');
    t.after(() => guarded.stop());
    const make = (apiKey) => new OpenAI({ baseURL: `${guarded.url}/v1`, apiKey, maxRetries: 0 });
    await assert.rejects(make('guess').models.list(), OpenAI.AuthenticationError);
    assert.equal((await make('secret').models.list()).data.length, 1);
  });
});

test('an aborted stream frees its lane', async () => {
  const before = await metric(url, 'hlg:generation_tokens_total');
  const stream = await client.chat.completions.create({ ...story, max_tokens: 900, ignore_eos: true, stream: true });
  for await (const chunk of stream) {
    check('chat.completion.chunk', chunk);
    stream.controller.abort();
    break;
  }
  await eventually(async () => (await metric(url, 'hlg:num_requests_running')) === 0, 2000, 'the lane is free');
  // Of 900: it was the abort that ended it.
  assert.ok((await metric(url, 'hlg:generation_tokens_total')) - before < 700);
});

describe('completions', () => {
  const prompt = 'Once upon a time';
  test('several prompts and choices', async () => {
    const { choices } = await client.completions.create({ model: 'storyteller', prompt: [prompt, 'The king'], n: 2, max_tokens: 8, seed: 1 });
    assert.equal(choices.length, 4);
    assert.deepEqual(choices.map((choice) => choice.index), [0, 1, 2, 3]);
  });

  test('echo and log-probabilities', async () => {
    const answer = await client.completions.create({ model: 'storyteller', prompt, echo: true, logprobs: 2, max_tokens: 5, seed: 1 });
    check('text_completion', answer);
    const { text, logprobs } = answer.choices[0];
    assert.ok(text.startsWith(prompt));
    assert.equal(logprobs.tokens.join(''), text);
    assert.equal(logprobs.token_logprobs[0], null, 'nothing comes before the first token');
    for (const [i, offset] of logprobs.text_offset.entries()) assert.ok(text.slice(offset).startsWith(logprobs.tokens[i]));
  });

  test('a stream says what the whole answer says', async () => {
    const request = { model: 'storyteller', prompt, max_tokens: 20, seed: 3 };
    const whole = await client.completions.create(request);
    const chunks = await collect(await client.completions.create({ ...request, stream: true }));
    assert.equal(chunks.map((chunk) => chunk.choices[0]?.text ?? '').join(''), whole.choices[0].text);
  });
});

describe('responses', () => {
  const request = { model: 'storyteller', input: 'Once upon a time', max_output_tokens: 30, temperature: 0 };
  test('an answer', async () => {
    const response = await client.responses.create(request);
    check('response', response);
    assert.equal(response.status, 'incomplete');
    assert.equal(response.incomplete_details.reason, 'max_output_tokens');
    assert.ok(response.output_text.length > 20);
  });

  test('a stream: every event in its order', async () => {
    const whole = await client.responses.create(request);
    const events = await collect(await client.responses.create({ ...request, stream: true }));
    assert.deepEqual(events.map((event) => event.sequence_number), [...events.keys()]);
    assert.equal(events[0].type, 'response.created');
    assert.equal(events.at(-1).type, 'response.incomplete');
    const text = events.filter((event) => event.type === 'response.output_text.delta').map((event) => event.delta).join('');
    assert.equal(text, whole.output_text);
  });

  test('the stream helper', async () => {
    const final = await client.responses.stream(request).finalResponse();
    assert.ok(final.output_text.length > 20);
  });

  test('a tool', async () => {
    const response = await client.responses.create({
      ...request,
      max_output_tokens: 200,
      tools: [{ type: 'function', strict: true, ...weather }],
      tool_choice: 'required',
      parallel_tool_calls: false,
    });
    const call = response.output.find((item) => item.type === 'function_call');
    assertWeather(JSON.parse(call.arguments));
  });

  test('what is not there is refused', async () => {
    await assert.rejects(client.responses.create({ ...request, previous_response_id: 'resp_1' }), (error) => error.param === 'previous_response_id');
  });
});

test('models', async () => {
  const { data } = await client.models.list();
  assert.deepEqual(data.map((model) => model.id), ['storyteller']);
  assert.equal((await client.models.retrieve('storyteller')).object, 'model');
  await assert.rejects(client.models.retrieve('some/other'), OpenAI.NotFoundError);
});
