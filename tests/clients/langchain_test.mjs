// The @langchain/openai package.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ChatOpenAI, OpenAI } from '@langchain/openai';
import { z } from 'zod';
import { assertWeather, serve, weather } from './server.mjs';

let options;
let server;
before(async () => {
  server = await serve();
  const { url } = server;
  options = { model: 'storyteller', apiKey: 'none', configuration: { baseURL: `${url}/v1` }, temperature: 0, maxTokens: 40, maxRetries: 0 };
});
after(() => server.stop());

test('a chat, whole and streamed', async () => {
  const model = new ChatOpenAI(options);
  const whole = await model.invoke('Once upon a time');
  assert.ok(whole.content.length > 20);
  assert.equal(whole.usage_metadata.output_tokens, 40);
  let text = '';
  for await (const chunk of await model.stream('Once upon a time')) text += chunk.content;
  assert.equal(text, whole.content);
});

test('a batch', async () => {
  const answers = await new ChatOpenAI(options).batch(['Once upon a time', 'The king', 'The queen']);
  assert.equal(new Set(answers.map((answer) => answer.content)).size, 3);
});

test('a tool', async () => {
  const model = new ChatOpenAI({ ...options, maxTokens: 200 }).bindTools([{ type: 'function', function: weather }], { tool_choice: 'get_weather' });
  const answer = await model.invoke('Once upon a time');
  assertWeather(answer.tool_calls[0].args);
});

test('structured output', async () => {
  const schema = z.object({ name: z.enum(['Anna', 'Hans']), old: z.boolean() });
  const model = new ChatOpenAI({ ...options, maxTokens: 200 }).withStructuredOutput(schema, { method: 'jsonSchema' });
  const { name } = await model.invoke('Once upon a time');
  assert.ok(['Anna', 'Hans'].includes(name));
});

test('a completion', async () => {
  const text = await new OpenAI({ ...options, maxTokens: 10 }).invoke('Once upon a time');
  assert.ok(text.length > 10);
});

test('an error', async () => {
  await assert.rejects(new ChatOpenAI({ ...options, temperature: 1000 }).invoke('Once'), /temperature/);
});
