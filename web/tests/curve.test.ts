// The page's formulas against the golden vectors, which 60-digit arithmetic made.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bendThrough, h, type Knobs, presets, regionOf, rho, slope } from '../src/playground/curve';
import { draw, type Sampling, wholeContext } from '../src/playground/distribution';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../tests/vectors/${name}`, import.meta.url), 'utf8'));

type Written = number | 'off' | '-inf';
const number = (value: Written): number => (value === 'off' ? Infinity : value === '-inf' ? -Infinity : value);

interface WrittenKnobs {
  pivot: Knobs['pivot'];
  pivot_offset: number;
  width: Written;
  shoulder: Written;
  toe: Written;
  toe_shape: Knobs['shape'];
}
const knobs = (hlg: WrittenKnobs): Knobs => ({
  pivot: hlg.pivot,
  offset: hlg.pivot_offset,
  width: number(hlg.width),
  shoulder: number(hlg.shoulder),
  toe: number(hlg.toe),
  shape: hlg.toe_shape,
});

describe('curves.json', () => {
  test.each<{ name: string; hlg: WrittenKnobs; z: number[]; rho: number[]; slope: number[] }>(read('curves.json'))(
    '$name',
    (curve) => {
      for (const [i, z] of curve.z.entries()) {
        const expected = curve.rho[i] ?? Number.NaN;
        expect(Math.abs(rho(z, knobs(curve.hlg)) - expected)).toBeLessThanOrEqual(1e-14 * (Math.abs(z) + Math.abs(expected)));
        const steep = curve.slope[i] ?? Number.NaN;
        expect(Math.abs(slope(z, knobs(curve.hlg)) - steep)).toBeLessThanOrEqual(1e-14 * steep);
      }
    },
  );
});

interface Step {
  name: string;
  params: { temperature: number; hlg: WrittenKnobs | null; top_p?: number; top_k?: number; min_p?: number };
  logits: Written[];
  edits?: unknown;
  allowed?: unknown;
  pivot: number | null;
  probabilities: number[];
}

describe('steps.json, those without edits and grammars', () => {
  const steps = (read('steps.json') as Step[]).filter((step) => !step.edits && !step.allowed);
  test('there are many', () => {
    expect(steps.length).toBeGreaterThan(12);
  });
  test.each(steps)('$name', ({ params, logits, pivot, probabilities }) => {
    const context = wholeContext(logits.map((x) => Math.fround(number(x))));
    const sampling: Sampling = {
      temperature: params.temperature,
      hlg: params.hlg && knobs(params.hlg),
      topP: params.top_p ?? 1,
      topK: params.top_k ?? 0,
      minP: params.min_p ?? 0,
    };
    const drawn = draw(context, sampling);
    if (pivot === null) expect(drawn.pivot).toBeNull();
    else expect(drawn.pivot).toBeCloseTo(pivot, 5);
    const tolerance = params.hlg?.pivot === 'entropy' ? 4e-4 : 4e-6;
    for (const [i, expected] of probabilities.entries())
      expect(Math.abs((drawn.probabilities[i] ?? 0) - expected)).toBeLessThanOrEqual(tolerance * expected + 1e-300);
  });
});

describe('what is not known of the tail', () => {
  const logits = Array.from({ length: 200 }, (_, i) => 8 - 0.1 * i);
  const whole = wholeContext(logits);
  test('is guessed from its mass', () => {
    const known = { ...whole, logits: logits.slice(0, 100), rest: 100 };
    for (const preset of presets) {
      const sampling = { temperature: 1, hlg: preset.knobs, topP: 1, topK: 0, minP: 0 };
      const [guess, exact] = [draw(known, sampling), draw(whole, sampling)];
      expect(guess.probabilities[0]).toBeCloseTo(exact.probabilities[0] ?? 0, 3);
      expect(guess.entropy).toBeCloseTo(exact.entropy, 2);
    }
  });
  test('is nothing behind a truncation', () => {
    const cut = { temperature: 1, hlg: null, topP: 0.9, topK: 0, minP: 0 };
    const known = { ...whole, logits: logits.slice(0, 100), rest: 100 };
    expect(draw(known, cut).rest).toBe(0);
    expect(draw(known, cut).probabilities).toEqual(draw(whole, cut).probabilities.slice(0, 100));
  });
  test('at temperature 0 one token is certain', () => {
    expect(draw(whole, { temperature: 0, hlg: null, topP: 1, topK: 0, minP: 0 }).probabilities[0]).toBe(1);
  });
});

test('a bend is found from where the curve should go', () => {
  for (const preset of presets) {
    for (const z of [7, -9]) {
      const found = bendThrough(z, h(z, preset.knobs), preset.knobs, 0.01, 100);
      expect(found).toBeCloseTo(z > 0 ? preset.knobs.shoulder : preset.knobs.toe, 6);
    }
  }
});

test('regions meet at the knots', () => {
  const balanced = presets[1]?.knobs as Knobs;
  expect([-2, -1.6, 0, 1.6, 2].map((z) => regionOf(z, balanced))).toEqual(['toe', 'mid', 'mid', 'mid', 'shoulder']);
});
