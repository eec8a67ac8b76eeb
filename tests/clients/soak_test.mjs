// hlg serve under many clients at once, a third of them badly behaved: nothing lost, nothing leaked, every healthy request right.
//
//     HLG_PROGRAM=.../hlg HLG_SOAK_SECONDS=300 HLG_SOAK_CLIENTS=200 node --test soak_test.mjs      (make soak: under sanitizers)
//
// Twice: lanes batched, where answers are known because grammars leave no choice; and reproducible, where seeds have one answer.
// Afterwards a calm while, in which the server's counts must be the clients' to the token.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { describe, test } from 'node:test';
import { eventually, metric, serve, words } from './server.mjs';
import { anyRequest, learn } from './soak_requests.mjs';
import { anyTrouble } from './soak_trouble.mjs';

const seconds = Number(process.env.HLG_SOAK_SECONDS ?? 2);
const clients = Number(process.env.HLG_SOAK_CLIENTS ?? 24);
const rss_mib = Number(process.env.HLG_SOAK_RSS_MIB ?? 48); // that the process may grow after its first third
const patience_ms = 400_000; // for one answer
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Numbers from 0 to 1, the same ones for a seed (mulberry32). */
function numbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One server and what its clients learn about it. */
class Soak {
  answered = new Map(); // our id of a request -> status
  ids = new Set(); // of answers, the server's
  busy = 0;
  mischief = {};
  counts = { prompt: 0, generated: 0, choices: 0 };

  constructor(server) {
    this.server = server;
    this.port = Number(new URL(server.url).port);
  }

  /** Asks once: { status, text }. */
  ask({ path, body }, agent) {
    const id = `soak-${this.answered.size}`;
    this.answered.set(id, undefined);
    const method = body === undefined ? 'GET' : 'POST';
    return new Promise((resolve, reject) => {
      const headers = { 'x-request-id': id, 'content-type': 'application/json' };
      const request = http.request({ port: this.port, host: '127.0.0.1', method, path, agent, headers, timeout: patience_ms }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => (text += part));
        answer.on('error', reject);
        answer.on('end', () => {
          if (!answer.complete) return reject(new Error(`${path}: cut off: ${text.slice(-200)}`));
          this.answered.set(id, answer.statusCode);
          assert.equal(answer.headers['x-request-id'], id, 'the id comes back');
          resolve({ status: answer.statusCode, text });
        });
      });
      request.on('timeout', () => request.destroy(new Error(`${path}: no answer in ${patience_ms} ms`)));
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Asks until there is room, and judges the answer. */
  async once(request, agent) {
    for (;;) {
      const answer = await this.ask(request, agent);
      if (answer.status === 429) {
        ++this.busy;
        await sleep(500);
        continue;
      }
      assert.equal(answer.status, request.status ?? 200, `${request.path}: ${answer.text.slice(0, 300)}`);
      try {
        this.count(request.judge(answer));
      } catch (error) {
        throw new Error(`${error.message}\nasked: ${JSON.stringify(request.body)}\nanswered: ${answer.text.slice(-4000)}`);
      }
      return;
    }
  }

  count(got) {
    if (got === undefined) return;
    if (got.id !== undefined) assert.ok(!this.ids.has(got.id) && this.ids.add(got.id), `the id ${got.id} is new`);
    for (const name of Object.keys(this.counts)) this.counts[name] += got[name];
  }

  async healthy(number, until) {
    const random = numbers(number);
    const agent = new http.Agent({ keepAlive: number % 2 === 0 });
    for (; Date.now() < until; await sleep(random() * 50)) await this.once(anyRequest(random, this.known), agent);
    agent.destroy();
  }

  async troublesome(number, until) {
    const random = numbers(number);
    for (; Date.now() < until; await sleep(random() * 50)) {
      const { name, run } = anyTrouble(random);
      await run(this.port);
      this.mischief[name] = (this.mischief[name] ?? 0) + 1;
    }
  }

  /** All clients at once; gives the resident sizes in MiB, one a half second. */
  async load() {
    const until = Date.now() + seconds * 1000;
    const sizes = [];
    const sampler = setInterval(() => sizes.push(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.server.pid}/status`))[1]) / 1024), 500);
    try {
      await Promise.all(Array.from({ length: clients }, (_, i) => (i % 3 === 2 ? this.troublesome(i, until) : this.healthy(i, until))));
    } finally {
      clearInterval(sampler);
    }
    return sizes;
  }

  /** Nothing runs and nothing waits, soon. */
  async idle() {
    for (const name of ['hlg:num_requests_running', 'hlg:num_requests_waiting', 'hlg:kv_cache_usage_perc'])
      await eventually(async () => (await metric(this.server.url, name)) === 0, 10_000, `${name} is 0 when all clients have gone`);
  }

  async serverCounts() {
    const of = (name) => metric(this.server.url, name);
    return { prompt: await of('hlg:prompt_tokens_total'), generated: await of('hlg:generation_tokens_total'), choices: await of('hlg:request_success_total') };
  }

  /** Healthy clients alone: what the server counts is what they count. */
  async calm() {
    const before = await this.serverCounts();
    this.counts = { prompt: 0, generated: 0, choices: 0 };
    await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const random = numbers(1000 + i);
        for (let n = 0; n < Math.max(3, Math.min(12, seconds)); ++n) await this.once(anyRequest(random, this.known));
      }),
    );
    const after = await this.serverCounts();
    for (const [name, own] of Object.entries(this.counts)) assert.equal(after[name] - before[name], own, `${name}, as the server and as its clients count`);
  }

  /** Every request that was answered is one line of the log, with the status that the client saw. */
  async logged() {
    const lines = () => this.server.log().split('\n').filter((line) => line.startsWith('{"time"'));
    const all = await metric(this.server.url, 'hlg:http_requests_total');
    await eventually(() => lines().length >= all, 10_000, 'every answer is logged');
    const seen = new Map();
    for (const line of lines().map((one) => JSON.parse(one))) {
      if (!this.answered.has(line.id)) continue;
      assert.ok(!seen.has(line.id), `${line.id} is logged once`);
      seen.set(line.id, line);
      assert.deepEqual([line.status, line.end], [this.answered.get(line.id), 'complete'], `the line of ${line.id}`);
    }
    assert.equal(seen.size, this.answered.size, 'no request is lost');
  }
}

async function soak(reproducible) {
  const server = await serve('--log-format', 'json', '--batch', '8', '--max-queue', String(clients), '-c', '1024', ...(reproducible ? ['--reproducible'] : []));
  const soak = new Soak(server);
  try {
    if (reproducible) soak.known = await learn((request) => soak.ask(request));
    const sizes = await soak.load();
    await soak.idle();
    await soak.calm();
    await soak.idle();
    await soak.logged();
    const third = Math.max(...sizes.slice(0, Math.ceil(sizes.length / 3)));
    const most = Math.max(...sizes);
    console.log(`${soak.answered.size} requests, ${soak.busy} of them told to come again; ${JSON.stringify(soak.mischief)}; resident ${Math.round(third)} -> ${Math.round(most)} MiB`);
    assert.ok(most - third < rss_mib, `resident size grows from ${third} to ${most} MiB`);
  } catch (error) {
    throw new Error(`${error.stack}\nthe server's last words:\n${words(server.log())}`);
  } finally {
    await server.stop();
  }
}

describe(`${clients} clients, ${seconds} s`, () => {
  test('lanes batched', { timeout: (seconds + 900) * 1000 }, () => soak(false));
  test('reproducible', { timeout: (seconds + 900) * 1000 }, () => soak(true));
});
