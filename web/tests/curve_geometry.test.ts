import { describe, expect, test } from 'vitest';
import { h, type Knobs, presets } from '../src/playground/curve';
import { domains, dragged, handlesOf, nudged, onCurve, type Point, segments } from '../src/playground/curve_geometry';

const all = presets.map(({ name, knobs }) => ({ name, knobs, domain: domains[knobs.pivot] }));
const at = (name: string, knobs: Knobs, domain: Point) =>
  handlesOf(knobs, domain).find((handle) => handle.name === name)?.at as Point;

describe.each(all)('$name', ({ knobs, domain }) => {
  test('every handle lies on the curve, and dragging it to where it is changes nothing', () => {
    for (const {
      name,
      at: [x, y],
    } of handlesOf(knobs, domain)) {
      expect(y).toBeCloseTo(h(x + knobs.offset, knobs) - knobs.offset, 12);
      const same = { ...knobs, ...dragged(name, knobs, [x, y], domain) };
      for (const key of ['offset', 'width', 'shoulder', 'toe'] as const) expect(same[key]).toBeCloseTo(knobs[key], 6);
    }
  });

  test('a bend goes through the point that it is dragged to', () => {
    for (const [name, move] of [
      ['shoulder', 0.3],
      ['toe', 0.8],
    ] as const) {
      const [x, y] = at(name, knobs, domain);
      const bent = { ...knobs, ...dragged(name, knobs, [x, y + move], domain) };
      expect(onCurve(x + knobs.offset, bent)[1]).toBeCloseTo(y + move, 1);
    }
  });

  test('the parts meet at the knots and fill the picture', () => {
    const parts = segments(knobs, domain).filter(({ points }) => points.length > 0);
    expect(parts[0]?.points[0]?.[0]).toBeCloseTo(domain[0]);
    expect(parts.at(-1)?.points.at(-1)?.[0]).toBeCloseTo(domain[1]);
    for (const [i, { points }] of parts.slice(1).entries()) {
      expect(points[0]?.[0]).toBeCloseTo(parts[i]?.points.at(-1)?.[0] ?? Number.NaN);
      expect(points[0]?.[1]).toBeCloseTo(parts[i]?.points.at(-1)?.[1] ?? Number.NaN);
    }
  });
});

const balanced = presets.find(({ name }) => name === 'balanced')?.knobs as Knobs;

test('the pivot follows the hand along the diagonal, a knot sideways', () => {
  expect(dragged('pivot', balanced, [-3, 0], domains.entropy)).toEqual({ offset: 3 });
  expect(dragged('upper knot', balanced, [1.3, 9], domains.entropy)).toEqual({ width: 3 });
  expect(dragged('lower knot', balanced, [-3.7, 9], domains.entropy)).toEqual({ width: 2 });
  expect(dragged('upper knot', balanced, [-5, 9], domains.entropy)).toEqual({ width: 0 });
});

test('a bend dragged to the straight line is off, and comes back by a key', () => {
  const [x] = at('shoulder', balanced, domains.entropy);
  expect(dragged('shoulder', balanced, [x, x + 1], domains.entropy)).toEqual({ shoulder: Infinity });
  expect(nudged('shoulder', { ...balanced, shoulder: Infinity }, -1).shoulder).toBeLessThan(60);
  expect(nudged('toe', balanced, 1).toe).toBeCloseTo(2.2);
  expect(nudged('pivot', balanced, 1)).toEqual({ offset: 1.6 });
});

test('without width there is only the pivot to drag', () => {
  expect(handlesOf({ ...balanced, width: Infinity }, domains.entropy).map(({ name }) => name)).toEqual(['pivot']);
});
