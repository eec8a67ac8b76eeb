import { describe, expect, test } from 'vitest';
import { presets } from '../src/playground/curve';
import { fromHash, type PageState, toHash } from '../src/playground/link';
import { curved, plain } from '../src/playground/settings';

const knobs = { pivot: 'median', offset: -1.5, width: 0, shoulder: Infinity, toe: 0.25, shape: 'log' } as const;
const state: PageState = {
  prompt: 'Größe ☃ "\n" <b>',
  tokens: 40,
  seed: 2 ** 53 - 1,
  selected: 1,
  panes: [curved, { temperature: 0.7, curve: true, knobs, topP: 0.9, topK: 40, minP: 0.05 }, plain],
};

test('a state comes back from its link', () => {
  const hash = toHash(state);
  expect(hash).toMatch(/^#[\w-]+$/);
  expect(fromHash(hash)).toEqual(state);
});

describe('what a link says wrongly', () => {
  const hashOf = (value: unknown) => `#${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
  test.each(['', '#', '#%%%', '#bm90IGpzb24', hashOf(null), hashOf([]), hashOf({ panes: [] }), hashOf({ panes: 'x' })])(
    '%s is no state',
    (hash) => {
      expect(fromHash(hash)).toBeNull();
    },
  );
  test('is replaced by what the page begins with', () => {
    const broken = {
      temperature: -1,
      knobs: { pivot: 'left', width: -1, shoulder: 0, toe: null, offset: 'x' },
      topP: 7,
      topK: -3,
    };
    const read = fromHash(hashOf({ prompt: 5, tokens: 0, seed: -1, selected: 9, panes: [broken] }));
    expect(read).toEqual({ prompt: '', tokens: 80, seed: 7, selected: 0, panes: [curved] });
  });
  test('never gives more than four panes', () => {
    expect(fromHash(hashOf({ panes: Array(9).fill({}) }))?.panes).toHaveLength(4);
  });
  test('cannot change what objects are', () => {
    fromHash(
      `#${Buffer.from('{"__proto__": {"polluted": 1}, "panes": [{"knobs": {"__proto__": {"polluted": 1}}}]}').toString('base64url')}`,
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

test('presets are told from curves of one’s own', async () => {
  const { presetOf, samplingFields } = await import('../src/playground/settings');
  for (const preset of presets) {
    expect(presetOf({ ...preset.knobs })).toBe(preset.name);
    expect(samplingFields({ ...curved, knobs: { ...preset.knobs } }).hlg).toEqual({ preset: preset.name });
  }
  expect(presetOf(knobs)).toBeUndefined();
  expect(samplingFields({ ...curved, knobs })).toEqual({
    temperature: 1,
    hlg: { pivot: 'median', pivot_offset: -1.5, width: 0, shoulder: 'off', toe: 0.25, toe_shape: 'log' },
  });
  expect(samplingFields({ ...plain, topK: 40 })).toEqual({ temperature: 1, top_p: 1, top_k: 40, min_p: 0, hlg: false });
});
