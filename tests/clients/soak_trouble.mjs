// Clients as no server wants them. Each does its mischief once; most are gone without having got an answer. What they make the
// server begin is short, so that it weighs as much as others.
import assert from 'node:assert/strict';
import net from 'node:net';

const tokens = 60;
const patience_ms = 400_000; // for one answer

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A connection, and all that came over it so far. */
function connect(port) {
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  socket.got = '';
  socket.ended = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {}); // the server may well be the first to hang up
  socket.on('data', (part) => (socket.got += part));
  return socket;
}

/** Waits until this came, or the server hung up. */
async function until(socket, what) {
  for (const start = Date.now(); !socket.got.includes(what) && !socket.destroyed; await sleep(5))
    assert.ok(Date.now() - start < patience_ms, `${JSON.stringify(what)} does not come: ${socket.got.slice(-300)}`);
}

const head = (body, length = Buffer.byteLength(body)) => `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
const story = (more) => JSON.stringify({ messages: [{ role: 'user', content: 'Once' }], max_tokens: tokens, ignore_eos: true, ...more });

/** Half of the headers, or of a body, and then nothing. */
async function halfSent(port, random) {
  const socket = connect(port);
  const whole = head(story()) + story();
  socket.write(whole.slice(0, 1 + Math.floor(random() * (whole.length - 1))));
  await sleep(random() * 300);
  socket.destroy();
}

/** In the middle of a stream: gone, with or without a word. */
async function gone(port, random) {
  const socket = connect(port);
  const body = story({ stream: true });
  socket.write(head(body) + body);
  await until(socket, '\r\n\r\n');
  await sleep(random() * 20);
  if (random() < 0.5) socket.resetAndDestroy();
  else socket.destroy();
}

/** Before there is an answer. */
async function cancelled(port, random) {
  const socket = connect(port);
  const body = story({ n: 1 + Math.floor(random() * 3) });
  socket.write(head(body) + body);
  await sleep(random() * 100);
  socket.destroy();
}

/** Takes nothing for a while, and then goes. */
async function deaf(port, random) {
  const socket = connect(port);
  const body = story({ stream: true, logprobs: true, top_logprobs: 20 });
  socket.pause();
  socket.write(head(body) + body);
  await sleep(200 + random() * 1500);
  socket.destroy();
}

/** Reads a few bytes at a time; slow, but its answer must be whole. */
async function slow(port, random) {
  const socket = connect(port);
  const body = story({ stream: true, logprobs: true, top_logprobs: 5 });
  socket.removeAllListeners('data');
  socket.write(`${head(body).slice(0, -2)}Connection: close\r\n\r\n${body}`);
  socket.on('readable', () => {});
  for (const start = Date.now(); !socket.readableEnded && !socket.destroyed && Date.now() - start < patience_ms;) {
    const part = socket.read(1024) ?? socket.read();
    if (part === null) await sleep(5);
    else socket.got += part;
    await sleep(random() * 10);
  }
  if (/^HTTP\/1.1 429/.test(socket.got)) return;
  assert.match(socket.got, /^HTTP\/1.1 200/, 'a slow reader is answered');
  assert.ok(socket.got.includes('data: [DONE]'), `a slow reader gets all of it: ${socket.got.slice(-300)}`);
  socket.destroy();
}

/** What is no HTTP, too long a head, too large a body: refused, and told so. */
async function wrong(port, random) {
  const [bytes, status] = [
    ['\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    [head('', 17 * 2 ** 20), 413],
    [head('{"messages": ', 13) + '{"messages": ', 400],
  ][Math.floor(random() * 5)];
  const socket = connect(port);
  socket.write(bytes);
  await until(socket, '\r\n\r\n');
  socket.destroy();
  if (!socket.errored) assert.ok(socket.got.startsWith(`HTTP/1.1 ${status}`), `${status} for ${JSON.stringify(bytes.slice(0, 40))}: ${socket.got.slice(0, 80)}`);
}

/** Several requests at once; the answers must come one after the other, in order. */
async function hasty(port) {
  const socket = connect(port);
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\nGET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await socket.ended;
  const statuses = [...socket.got.matchAll(/HTTP\/1.1 (\d+)/g)].map((match) => match[1]);
  assert.deepEqual(statuses, ['200', '200', '404'], 'requests in a row are answered in order');
}

const kinds = { halfSent, gone, cancelled, deaf, slow, wrong, hasty };

/** Any mischief: its name and what does it. */
export function anyTrouble(random) {
  const names = Object.keys(kinds);
  const name = names[Math.floor(random() * names.length)];
  return { name, run: (port) => kinds[name](port, random) };
}
