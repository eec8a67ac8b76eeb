// The ai package, by its OpenAI-compatible and its Anthropic provider.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateObject, generateText, streamText, tool } from 'ai';
import { z } from 'zod';
import { assertWeather, serve } from './server.mjs';

const weather = tool({
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.enum(['Paris', 'Rome']), days: z.literal([1, 2, 3]) }),
});
const request = { prompt: 'Once upon a time', maxOutputTokens: 40, temperature: 0, maxRetries: 0 };

const models = {};
let server;
before(async () => {
  server = await serve();
  const { url } = server;
  models.openai = createOpenAICompatible({ name: 'hlg', baseURL: `${url}/v1`, supportsStructuredOutputs: true, includeUsage: true })('storyteller');
  models.anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('storyteller');
});
after(() => server.stop());

for (const name of ['openai', 'anthropic']) {
  describe(name, () => {
    test('a text, whole and streamed', async () => {
      const whole = await generateText({ ...request, model: models[name] });
      assert.ok(whole.text.length > 20);
      assert.equal(whole.finishReason, 'length');
      assert.equal(whole.usage.outputTokens, 40);
      const stream = streamText({ ...request, model: models[name] });
      let text = '';
      for await (const part of stream.textStream) text += part;
      assert.equal(text, whole.text);
      assert.equal((await stream.usage).outputTokens, 40);
    });

    test('a tool', async () => {
      const { toolCalls } = await generateText({ ...request, model: models[name], maxOutputTokens: 200, tools: { weather }, toolChoice: 'required' });
      assert.equal(toolCalls[0].toolName, 'weather');
      assertWeather(toolCalls[0].input);
    });

    test('an abort', async () => {
      const abort = new AbortController();
      const stream = streamText({ ...request, model: models[name], maxOutputTokens: 900, abortSignal: abort.signal, onError: () => {} });
      let parts = 0;
      for await (const part of stream.fullStream) {
        if (part.type === 'text-delta' && ++parts === 2) abort.abort();
        if (part.type === 'abort') break;
      }
      assert.ok(parts >= 2 && parts < 800);
    });

    test('an error', async () => {
      await assert.rejects(generateText({ ...request, model: models[name], prompt: 'so '.repeat(5000) }), (error) => {
        assert.ok(APICallError.isInstance(error));
        assert.equal(error.statusCode, 400);
        return true;
      });
    });
  });
}

test('an object by a schema', async () => {
  const schema = z.object({ name: z.enum(['Anna', 'Hans']), old: z.boolean() });
  const { object } = await generateObject({ ...request, model: models.openai, maxOutputTokens: 200, schema });
  assert.ok(['Anna', 'Hans'].includes(object.name));
});
