// Tokens a second and time to the first token of hlg serve beside llama-server: same model, same flags, alternating rounds.
//
//     node server_load.mjs HLG LLAMA_SERVER MODEL.gguf [--clients 1,8,64] [--tokens 96] [--rounds 5] [--threads N] [--context 512]
//
// As many lanes as clients. A client streams one completion after the other; what is counted are the tokens that the servers
// report as used, over the time from the first request to the last answer's end. Clients are this one process.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clients: { type: 'string', default: '1,8,64' },
    tokens: { type: 'string', default: '96' },
    rounds: { type: 'string', default: '5' },
    threads: { type: 'string', default: '1' },
    context: { type: 'string', default: '512' },
  },
});
const [hlg, llama, model] = positionals;
if (!model) throw new Error('usage: node server_load.mjs HLG LLAMA_SERVER MODEL.gguf');
const tokens = Number(values.tokens);
const rounds = Number(values.rounds);

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

const contenders = {
  'llama-server': (port, lanes) => [
    llama,
    ['-m', model, '--host', '127.0.0.1', '--port', port, '-t', values.threads, '-np', lanes, '-c', lanes * values.context, '--no-webui'],
  ],
  'hlg serve': (port, lanes) => [hlg, ['serve', '-m', model, '--port', port, '-t', values.threads, '--batch', lanes, '-c', values.context, '--max-queue', 256]],
  'hlg serve, balanced': (port, lanes) => {
    const [program, flags] = contenders['hlg serve'](port, lanes);
    return [program, [...flags, '--hlg-sampling', 'on', '--hlg-preset', 'balanced']];
  },
};

/** CPU time of a process so far, all threads; unlike the clock it does not mind what else the machine does. Linux counts in 1/100 s. */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function start(name, lanes) {
  const port = await freePort();
  const [program, flags] = contenders[name](port, lanes);
  const child = spawn(program, flags.map(String), { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for (let tries = 0; ; ++tries) {
    const ok = await fetch(`http://127.0.0.1:${port}/health`).then((answer) => answer.ok, () => false);
    if (ok) break;
    if (tries > 600) throw new Error(`${name} does not start`);
    await sleep(100);
  }
  return { name, port, cpu: () => cpuSeconds(child.pid), stop: () => (child.kill('SIGTERM'), ended) };
}

/** One streamed completion: its tokens, and the milliseconds to its first one. */
function complete(port, agent, number) {
  const body = JSON.stringify({
    model: basename(model, '.gguf'),
    prompt: `Story ${number}. Once upon a time there was a king who had three sons, and`,
    max_tokens: tokens,
    temperature: 0.8,
    seed: number,
    stream: true,
    stream_options: { include_usage: true },
  });
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    let first;
    let tail = '';
    const request = http.request({ port, agent, method: 'POST', path: '/v1/completions', headers: { 'content-type': 'application/json' } }, (answer) => {
      answer.setEncoding('latin1').on('data', (part) => {
        first ??= performance.now() - begun;
        tail = (tail + part).slice(-2000);
      });
      answer.on('end', () => {
        const used = /"completion_tokens":\s*(\d+)/.exec(tail);
        if (answer.statusCode !== 200 || !used) return reject(new Error(`${answer.statusCode}: ${tail}`));
        resolve({ tokens: Number(used[1]), first });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** The same again where a server hangs up on a fresh connection, as llama-server does now and then; the time counts. */
async function completeSurely({ name, port }, agent, number) {
  for (let tries = 0; ; ++tries) {
    try {
      return await complete(port, agent, number);
    } catch (error) {
      if (error.code !== 'ECONNRESET' || tries === 50) throw error;
      console.error(`${name}: ${error.message}, again`);
    }
  }
}

/** All clients at once, each with some completions one after the other. */
async function load(server, clients, each) {
  const agent = new http.Agent({ keepAlive: false, maxSockets: clients }); // llama-server closes after a stream, and not in time to tell
  const begun = performance.now();
  const cpuBefore = server.cpu();
  const answers = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const own = [];
      for (let i = 0; i < each; ++i) own.push(await completeSurely(server, agent, client * 1000 + i));
      return own;
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  const all = answers.flat();
  const count = all.reduce((sum, answer) => sum + answer.tokens, 0);
  return { rate: count / seconds, cpu: ((server.cpu() - cpuBefore) / count) * 1e6, firsts: all.map((answer) => answer.first) };
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const digits = (number) => (number >= 100 ? Math.round(number).toLocaleString('en') : number.toPrecision(3));

console.log(`| ${basename(model)} | clients | tokens/s | x llama-server | CPU us a token | TTFT p50 ms | p99 ms |`);
console.log('|:--|--:|--:|--:|--:|--:|--:|');
for (const clients of values.clients.split(',').map(Number)) {
  const results = Object.fromEntries(Object.keys(contenders).map((name) => [name, { rates: [], cpus: [], firsts: [] }]));
  for (let round = 0; round < rounds; ++round) {
    for (const [name, result] of Object.entries(results)) {
      const server = await start(name, clients);
      await load(server, clients, 1); // warms up
      const { rate, cpu, firsts } = await load(server, clients, clients > 8 ? 3 : 6);
      await server.stop();
      result.rates.push(rate);
      result.cpus.push(cpu);
      result.firsts.push(...firsts);
    }
  }
  const middle = (numbers) => quantile(sorted(numbers), 0.5);
  const median = (name) => middle(results[name].rates);
  for (const [name, { cpus, firsts }] of Object.entries(results)) {
    const times = sorted(firsts);
    console.log(
      `| ${name} | ${clients} | ${digits(median(name))} | ${(median(name) / median('llama-server')).toFixed(2)} | ${digits(middle(cpus))} | ${digits(quantile(times, 0.5))} | ${digits(quantile(times, 0.99))} |`,
    );
  }
}
