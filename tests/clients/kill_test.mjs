// kill -9 while streams are under way: every client hears of it, the port is free at once, and the next server answers.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { serve } from './server.mjs';

const chat = { model: 'storyteller', messages: [{ role: 'user', content: 'Once upon a time' }] };
const endless = { ...chat, ignore_eos: true, max_tokens: 900 };

let server;
after(() => server?.stop());

/** A promise from outside. */
function signal() {
  let give;
  const came = new Promise((resolve) => (give = resolve));
  return { came, give };
}

/** A plain client: gives { began, ended }; began when it got something, ended with what it got and the error that it saw. */
function plain(url, body) {
  const began = signal();
  const ended = new Promise((resolve) => {
    let text = '';
    const request = http.request(`${url}/v1/chat/completions`, { method: 'POST' }, (answer) => {
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
        began.give();
      });
      answer.on('error', (error) => resolve({ text, error }));
      answer.on('end', () => resolve({ text, complete: answer.complete }));
    });
    request.on('error', (error) => resolve({ text, error }));
    request.end(JSON.stringify(body));
    if (!body.stream) began.give();
  });
  return { began: began.came, ended };
}

/** A vendor's client that streams; the same promises. */
function vendors(stream) {
  const began = signal();
  const ended = (async () => {
    let text = '';
    try {
      for await (const event of await stream) {
        text += JSON.stringify(event);
        began.give();
      }
    } catch (error) {
      return { text, error };
    }
    return { text, complete: true };
  })();
  return { began: began.came, ended };
}

function clientsOf(url) {
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 });
  return [
    ...Array.from({ length: 10 }, () => plain(url, { ...endless, stream: true })),
    plain(url, endless),
    plain(url, { ...endless, n: 4 }),
    vendors(openai.chat.completions.create({ ...endless, stream: true })),
    vendors(openai.responses.create({ model: 'storyteller', input: 'Once', max_output_tokens: 900, logit_bias: { 0: -100 }, stream: true })),
    vendors(anthropic.messages.create({ ...chat, max_tokens: 900, logit_bias: { 0: -100 }, stream: true })),
  ];
}

test('clients hear of it, the port is free, the next one answers', { timeout: 120_000 }, async () => {
  server = await serve('--batch', '16');
  const { port } = new URL(server.url);
  for (let round = 0; round < 3; ++round) {
    const clients = clientsOf(server.url);
    await Promise.all(clients.map((client) => client.began));
    await server.kill();
    for (const { text, error, complete } of await Promise.all(clients.map((client) => client.ended))) {
      assert.ok(error instanceof Error, `an error is seen: ${complete} ${text.slice(-200)}`);
      assert.match(`${error.code} ${error.message} ${error.cause?.message}`, /ECONNRESET|aborted|socket hang up|terminated|premature|Connection error|other side closed/i);
      assert.doesNotMatch(text, /\[DONE\]|message_stop|response\.completed/);
    }
    server = await serve('--batch', '16', '--port', port);
    assert.equal(new URL(server.url).port, port, 'on the same port at once');
    const answer = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify({ ...chat, grammar: 'root ::= "back"' }) });
    assert.equal((await answer.json()).choices[0].message.content, 'back');
  }
});
