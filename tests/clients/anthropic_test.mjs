// The @anthropic-ai/sdk package: messages, token counts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { assertWeather, eventually, metric, serve, weather } from './server.mjs';
import { check } from './schemas.mjs';

const story = { model: 'storyteller', max_tokens: 40, temperature: 0, messages: [{ role: 'user', content: 'Once upon a time' }] };
const tools = [{ name: weather.name, description: weather.description, input_schema: weather.parameters }];

/** Prompt tokens, those found in a lane too. */
const promptTokens = (usage) => usage.input_tokens + usage.cache_read_input_tokens;

let server;
let url;
let client;
before(async () => {
  server = await serve();
  ({ url } = server);
  client = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 });
});
after(() => server.stop());

describe('messages', () => {
  test('an answer', async () => {
    const message = await client.messages.create(story);
    check('message', message);
    assert.equal(message.stop_reason, 'max_tokens');
    assert.match(message._request_id, /\w+/);
    assert.equal(message.usage.output_tokens, 40);
    assert.ok(message.content[0].text.length > 20);
  });

  test('a stream says what the whole answer says, in events of the known order', async () => {
    const whole = await client.messages.create(story);
    const events = [];
    for await (const event of await client.messages.create({ ...story, stream: true })) events.push(event);
    for (const event of events) check('message.event', event);
    const types = events.map((event) => event.type).filter((type) => type !== 'ping');
    assert.equal(types[0], 'message_start');
    assert.equal(types[1], 'content_block_start');
    assert.deepEqual(types.slice(-3), ['content_block_stop', 'message_delta', 'message_stop']);
    const text = events.filter((event) => event.type === 'content_block_delta').map((event) => event.delta.text).join('');
    assert.equal(text, whole.content[0].text);
    assert.equal(promptTokens(events.at(-2).usage), promptTokens(whole.usage));
  });

  test('the stream helper', async () => {
    const stream = client.messages.stream(story);
    let text = '';
    stream.on('text', (delta) => (text += delta));
    const final = await stream.finalMessage();
    assert.equal(final.content[0].text, text);
    assert.equal(final.stop_reason, 'max_tokens');
  });

  test('a stop sequence is reported', async () => {
    const message = await client.messages.create({ ...story, stop_sequences: ['e'] });
    assert.equal(message.stop_reason, 'stop_sequence');
    assert.equal(message.stop_sequence, 'e');
    assert.ok(!(message.content[0]?.text ?? '').includes('e'));
  });

  test('system texts and blocks', async () => {
    const message = await client.messages.create({
      ...story,
      system: [{ type: 'text', text: 'You tell stories.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Once' }, { type: 'text', text: ' upon' }] },
        { role: 'assistant', content: 'a time' },
        { role: 'user', content: 'and?' },
      ],
    });
    assert.ok(message.content.length > 0);
  });

  test('a named tool is called, and its result goes back', async () => {
    const request = { ...story, max_tokens: 200, tools, tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true } };
    const message = await client.messages.create(request);
    const use = message.content.find((block) => block.type === 'tool_use');
    assert.equal(message.stop_reason, 'tool_use');
    assertWeather(use.input);
    const streamed = await client.messages.stream(request).finalMessage();
    assert.deepEqual(streamed.content.find((block) => block.type === 'tool_use').input, use.input);
    const result = { type: 'tool_result', tool_use_id: use.id, content: 'Rain' };
    const answer = await client.messages.create({
      ...story,
      tools,
      messages: [...story.messages, { role: 'assistant', content: message.content }, { role: 'user', content: [result] }],
    });
    assert.ok(promptTokens(answer.usage) > promptTokens(message.usage));
  });

  test('tokens are counted', async () => {
    const { input_tokens } = await client.messages.countTokens({ model: 'storyteller', messages: story.messages });
    assert.equal(input_tokens, promptTokens((await client.messages.create(story)).usage));
  });
});

describe('errors', () => {
  test('a bad value names its field', async () => {
    await assert.rejects(client.messages.create({ ...story, temperature: 1000 }), (error) => {
      assert.ok(error instanceof Anthropic.BadRequestError);
      assert.equal(error.error.request_id, error.requestID);
      assert.equal(error.error.type, 'error');
      assert.equal(error.error.error.type, 'invalid_request_error');
      assert.match(error.error.error.message, /temperature/);
      return true;
    });
  });

  test('an unknown model', async () => {
    await assert.rejects(client.messages.create({ ...story, model: 'claude-9' }), Anthropic.NotFoundError);
  });

  test('a wrong key', async (t) => {
    const guarded = await serve('--api-key', 'secret');
    t.after(() => guarded.stop());
    const make = (apiKey) => new Anthropic({ baseURL: guarded.url, apiKey, maxRetries: 0 });
    await assert.rejects(make('guess').messages.create(story), Anthropic.AuthenticationError);
    assert.ok((await make('secret').messages.create(story)).content.length > 0);
  });
});

test('an aborted stream frees its lane', async () => {
  const before = await metric(url, 'hlg:generation_tokens_total');
  const stream = client.messages.stream({ ...story, max_tokens: 900 });
  await new Promise((resolve) => stream.once('text', resolve));
  stream.abort();
  await assert.rejects(stream.finalMessage(), Anthropic.APIUserAbortError);
  await eventually(async () => (await metric(url, 'hlg:num_requests_running')) === 0, 2000, 'the lane is free');
  // Of 900: it was the abort that ended it.
  assert.ok((await metric(url, 'hlg:generation_tokens_total')) - before < 700);
});
