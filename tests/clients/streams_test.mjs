// 1,000 streams at once, most of them waiting or read slowly: the server takes little memory and no thread for one, and loses nothing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { exactly, metric, serve } from './server.mjs';

const streams = Number(process.env.HLG_STREAMS ?? 1000);
const most_mib = 64;
const text = 'There was a cat who had a hat.';
const body = { model: 'storyteller', messages: [{ role: 'user', content: 'Tell' }], stream: true, stream_options: { include_usage: true }, grammar: exactly(text) };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let server;
before(async () => {
  server = await serve('--batch', '16', '--max-queue', String(streams));
});
after(() => server?.stop());

/** A field of /proc/PID/status: a number of threads, or of KiB. */
const status = (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]);

/** Asks for a stream: gives the server's words and the tokens that it says it generated. Reads one piece after the other, with
    pauses of so many ms. */
function stream(pause_ms) {
  return new Promise((resolve, reject) => {
    const request = http.request(`${server.url}/v1/chat/completions`, { method: 'POST', agent: false }, async (answer) => {
      try {
        assert.equal(answer.statusCode, 200);
        let all = '';
        for await (const part of answer.setEncoding('utf8')) {
          all += part;
          if (pause_ms > 0) await sleep(pause_ms);
        }
        assert.ok(all.endsWith('data: [DONE]\n\n'), all.slice(-200));
        const events = all.split('\n\n').filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)));
        resolve({ said: events.map((event) => event.choices[0]?.delta.content ?? '').join(''), tokens: events.at(-1).usage.completion_tokens });
      } catch (error) {
        reject(error);
      }
    });
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}

test(`${streams} streams at once`, { timeout: 280_000 }, async (context) => {
  await Promise.all(Array.from({ length: 16 }, () => stream(0))); // what the lanes take is taken
  const idle = { kib: status('VmRSS'), threads: status('Threads'), tokens: await metric(server.url, 'hlg:generation_tokens_total') };
  const answers = Array.from({ length: streams }, (_, i) => stream(i % 2 ? 0 : 20));
  let most = { kib: 0, threads: 0, at_once: 0 };
  let under_way = true;
  const all = Promise.all(answers).finally(() => (under_way = false));
  while (under_way) {
    const waiting = await metric(server.url, 'hlg:num_requests_waiting');
    const running = await metric(server.url, 'hlg:num_requests_running');
    most = { kib: Math.max(most.kib, status('VmRSS')), threads: Math.max(most.threads, status('Threads')), at_once: Math.max(most.at_once, waiting + running) };
    await Promise.race([all, sleep(50)]);
  }
  let tokens = 0;
  for (const answer of await all) {
    assert.equal(answer.said, text);
    tokens += answer.tokens;
  }
  const mib = (most.kib - idle.kib) / 1024;
  context.diagnostic(`${most.at_once} at once, ${mib.toFixed(1)} MiB over the idle server, ${most.threads} threads against ${idle.threads}`);
  assert.equal((await metric(server.url, 'hlg:generation_tokens_total')) - idle.tokens, tokens, 'every token came');
  assert.ok(most.at_once > streams * 0.9, 'they were there at once');
  assert.ok(mib < most_mib, `${mib} MiB over the idle server`);
  assert.equal(most.threads, idle.threads, 'no stream has a thread');
});
