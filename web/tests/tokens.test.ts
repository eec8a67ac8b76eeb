import { describe, expect, test } from 'vitest';
import { events } from '../src/playground/client';
import { copied } from '../src/playground/copy';
import { curved, plain } from '../src/playground/settings';
import { bytesOf, distinct2, measure, repetition, sameBytes, visible } from '../src/playground/tokens';

test('tokens are bytes, whole characters or not', () => {
  expect([...bytesOf(' é')]).toEqual([0x20, 0xc3, 0xa9]);
  expect([...bytesOf('bytes:\\xe2\\x80')]).toEqual([0xe2, 0x80]);
  expect(sameBytes([1, 2], Uint8Array.of(1, 2))).toBe(true);
  expect(sameBytes([1, 2], [1, 3])).toBe(false);
  expect(sameBytes([1], [1, 2])).toBe(false);
  expect(visible(' a\n')).toBe('␣a⏎');
});

describe('measures', () => {
  test('distinct-2 is the share of different pairs', () => {
    expect(distinct2('The king and the king and THE KING')).toBeCloseTo(3 / 7);
    expect(distinct2('one')).toBeNull();
  });
  test('repetition is the share of words that came before', () => {
    expect(repetition('a b a c a')).toBeCloseTo(2 / 5);
    expect(repetition(`a ${'b '.repeat(1)}${Array.from({ length: 64 }, (_, i) => `w${i}`).join(' ')} a`)).toBe(0);
    expect(repetition('')).toBeNull();
  });
  test('what is not known yet is nothing', () => {
    const token = { text: 'a', bytes: Uint8Array.of(97), logprob: -2 };
    expect(measure([token, token])).toEqual({
      tokens: 2,
      entropy: null,
      tail: null,
      surprisal: 2,
      repetition: 0,
      distinct2: null,
    });
  });
});

test('events are found however the bytes come', async () => {
  const text = 'data: {"a": "é"}\n\n: ping\n\ndata: two\n\ndata: [DONE]\n\n';
  for (const size of [1, 2, 7, 1000]) {
    const bytes = new TextEncoder().encode(text);
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const all: string[] = [];
    for await (const data of events(source)) all.push(data);
    expect(all).toEqual(['{"a": "é"}', 'two', '[DONE]']);
  }
});

describe('copied requests', () => {
  const job = { prompt: `It's "so"`, tokens: 5, seed: 1 };
  const where = { origin: 'http://host', model: 'teller' };
  test('quote for the shell', () => {
    expect(copied('command line', job, plain, where)).toBe(
      `hlg run -p 'It'\\''s "so"' -n 5 --seed 1 --temp 1 --hlg-sampling off`,
    );
    expect(copied('curl', job, plain, where)).toContain(`-d '{"prompt":"It'\\''s \\"so\\""`);
  });
  test('spell every knob', () => {
    const own = { ...curved, knobs: { ...curved.knobs, toe: Infinity, offset: -1 } };
    expect(copied('command line', job, own, where)).toContain(
      '--hlg-sampling on --hlg-pivot entropy --hlg-pivot-offset -1 --hlg-width 1.6 --hlg-shoulder 0.6 --hlg-toe off --hlg-toe-shape fade',
    );
    expect(copied('Python', job, own, where)).toContain('extra_body={"hlg": {"pivot": "entropy"');
    expect(JSON.parse(copied('JSON', job, own, where)).hlg.toe).toBe('off');
  });
  test('name truncations that act', () => {
    expect(copied('command line', job, { ...plain, topP: 0.9, topK: 40, minP: 0.1 }, where)).toMatch(
      /off --top-p 0.9 --top-k 40 --min-p 0.1$/,
    );
    expect(copied('Python', job, plain, where)).toContain('"hlg": False');
  });
});
