// The curve, in float64: the formulas of include/hlg/curve.hpp, checked against tests/vectors/curves.json. Lengths in nats;
// Infinity is off.

export type Pivot = 'top' | 'entropy' | 'median';
export type ToeShape = 'log' | 'fade';

export interface Knobs {
  pivot: Pivot;
  offset: number;
  width: number;
  shoulder: number;
  toe: number;
  shape: ToeShape;
}

export type Region = 'shoulder' | 'mid' | 'toe';

export interface Preset {
  name: string;
  summary: string;
  knobs: Knobs;
}

export const presets: readonly Preset[] = [
  {
    name: 'gentle',
    summary: 'A little fresher than temperature, the tail faded. For text that must stay close to the model.',
    knobs: { pivot: 'entropy', offset: 2.3, width: 2.3, shoulder: 1, toe: 1.5, shape: 'fade' },
  },
  {
    name: 'balanced',
    summary: 'Favourites clearly compressed, the tail faded. For stories and everyday writing.',
    knobs: { pivot: 'entropy', offset: 1.7, width: 1.6, shoulder: 0.6, toe: 2, shape: 'fade' },
  },
  {
    name: 'bold',
    summary: 'The flattest head, the shortest tail. For brainstorming and many different drafts.',
    knobs: { pivot: 'entropy', offset: 1.5, width: 1, shoulder: 0.3, toe: 1.2, shape: 'fade' },
  },
  {
    name: 'cheap',
    summary: 'The top pivot, which costs least to compute; the tail faded, like min_p without an edge.',
    knobs: { pivot: 'top', offset: 5.2, width: 0.1, shoulder: 12, toe: 0.4, shape: 'fade' },
  },
  {
    name: 'note',
    summary: 'The settings that the idea was first written down with. Its log toe lifts the tail: see what that does.',
    knobs: { pivot: 'top', offset: 6, width: 4, shoulder: 4, toe: 6, shape: 'log' },
  },
];

export const defaultOffset = (pivot: Pivot): number => ({ top: 3, entropy: 1.7, median: 2.5 })[pivot];

/** Whether h(z) = z everywhere, which is plain temperature. */
export const isIdentity = ({ width, shoulder, toe }: Knobs): boolean =>
  width === Infinity || (shoulder === Infinity && toe === Infinity);

/** b ln(1 + d/b): the rolled-off length of a distance d. */
function rolled(d: number, b: number): number {
  const ratio = d / b;
  return b * (ratio === Infinity ? Math.log(d) - Math.log(b) : Math.log1p(ratio));
}

/** What the curve adds to a token z nats above the pivot: h(z) - z. */
export function rho(z: number, knobs: Knobs): number {
  const { width, shoulder, toe, shape } = knobs;
  const d = Math.max(Math.abs(z) - width, 0);
  if (d === 0 || isIdentity(knobs)) return 0;
  if (z > 0) return shoulder === Infinity ? 0 : -(d - rolled(d, shoulder));
  if (toe === Infinity) return 0;
  return shape === 'log' ? d - rolled(d, toe) : (-d * d) / (2 * toe);
}

export const h = (z: number, knobs: Knobs): number => z + rho(z, knobs);

/** h'(z). */
export function slope(z: number, knobs: Knobs): number {
  const d = Math.max(Math.abs(z) - knobs.width, 0);
  if (d === 0 || isIdentity(knobs)) return 1;
  const b = z > 0 ? knobs.shoulder : knobs.toe;
  if (b === Infinity) return 1;
  return z < 0 && knobs.shape === 'fade' ? 1 + d / b : b / (b + d);
}

export function regionOf(z: number, { width }: Knobs): Region {
  if (z > width) return 'shoulder';
  return z < -width ? 'toe' : 'mid';
}

/**
 * The shoulder (z > 0) or toe with which h(z) is nearest `value`, between `low` and `high`: what a drag of the curve asks for.
 */
export function bendThrough(z: number, value: number, knobs: Knobs, low: number, high: number): number {
  const at = (b: number) => h(z, z > 0 ? { ...knobs, shoulder: b } : { ...knobs, toe: b });
  let [from, to] = [Math.log(low), Math.log(high)];
  const rises = at(high) > at(low);
  for (let step = 0; step < 60; ++step) {
    const middle = (from + to) / 2;
    if (at(Math.exp(middle)) < value === rises) from = middle;
    else to = middle;
  }
  return Math.exp((from + to) / 2);
}
