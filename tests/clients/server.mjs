// An hlg serve of the test's own: on a free port, gone when the test is. HLG_PROGRAM names the program.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';

const ready_ms = 60_000;
// The demo model's own template knows no tools.
const template = new URL('tools.jinja', import.meta.url).pathname;

/** What a server says beside its log of requests: a sanitizer's report, for one. */
export const words = (log) => log.split('\n').filter((line) => !line.startsWith('{"time"')).slice(-300).join('\n');

/** Starts a server with these flags, on a port of its own if they name none, and waits until it is ready; gives its { url, pid,
    log, stop, kill }: stop ends it as a user does, kill as an accident would. */
export async function serve(...flags) {
  const child = spawn(process.env.HLG_PROGRAM, ['serve', ...(flags.includes('--port') ? [] : ['--port', '0']), ...(flags.includes('--batch') ? [] : ['--batch', '4']), '--chat-template-file', template, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  let log = '';
  const stop = async () => {
    child.kill('SIGTERM');
    assert.deepEqual(await exited, { code: 0, signal: null }, `the server ends cleanly:\n${words(log)}`);
  };
  const kill = async () => {
    child.kill('SIGKILL');
    assert.deepEqual(await exited, { code: null, signal: 'SIGKILL' });
  };
  const url = await new Promise((resolve, reject) => {
    let address;
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${log}`)), ready_ms);
    child.stderr.setEncoding('utf8').on('data', (part) => {
      log += part;
      address ??= /listening on (http:\S+)/.exec(log)?.[1];
      if (address === undefined || !log.includes('ready')) return;
      clearTimeout(timer);
      resolve(address.replace(/\/$/, ''));
    });
    exited.then(({ code }) => reject(new Error(`ended with ${code}:\n${log}`)));
  });
  return { url, pid: child.pid, log: () => log, stop, kill };
}

/** A metric's value, all labels added up. */
export async function metric(url, name) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  assert.ok(lines.length > 0, `there is a metric ${name}`);
  return lines.map((line) => Number(line.split(' ').at(-1))).reduce((a, b) => a + b, 0);
}

/** Waits until the condition holds; fails after so many milliseconds. */
export async function eventually(condition, ms, what) {
  for (const start = Date.now(); !(await condition());) {
    assert.ok(Date.now() - start < ms, what);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A GBNF grammar of one text: what a model without sense must then say. */
export const exactly = (text) => `root ::= ${JSON.stringify(text)}`;

export const weather = {
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', enum: ['Paris', 'Rome'] }, days: { type: 'integer', enum: [1, 2, 3] } },
    required: ['city', 'days'],
    additionalProperties: false,
  },
};

export function assertWeather(args) {
  assert.ok(['Paris', 'Rome'].includes(args.city), JSON.stringify(args));
  assert.ok([1, 2, 3].includes(args.days), JSON.stringify(args));
}
