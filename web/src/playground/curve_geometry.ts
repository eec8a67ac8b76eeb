// The curve as a picture that can be dragged: where its parts are, and what moving them asks for. Both axes are logits relative to
// the anchor, so that the model's tokens stay where they are while pivot and knots move over them.
import { bendThrough, h, type Knobs, type Region } from './curve';

export type Point = [number, number];
export type HandleName = 'pivot' | 'upper knot' | 'lower knot' | 'shoulder' | 'toe';

export interface Handle {
  name: HandleName;
  at: Point;
  value: number;
  label: string;
}

/** What both axes show, nats from the anchor. */
export const domains: Record<Knobs['pivot'], Point> = { top: [-15, 1.5], entropy: [-10, 6], median: [-10, 6] };
export const anchors: Record<Knobs['pivot'], string> = { top: 'top logit', entropy: 'mean logit', median: 'median logit' };

const steepest = 0.05;
const flattest = 60; // nats; beyond it a bend cannot be seen, and is off
const reach = 3; // nats beyond the knot at which a bend is held
const samples = 60;

export const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
const tidy = (value: number) => Math.round(value * 100) / 100;
const bend = (value: number) => (value > flattest * 0.95 ? Infinity : Number(value.toPrecision(3)));

/** Where the curve takes what is z above the pivot. */
export const onCurve = (z: number, knobs: Knobs): Point => [z - knobs.offset, h(z, knobs) - knobs.offset];

function points(knobs: Knobs, from: number, to: number): Point[] {
  if (!(to > from)) return [];
  return Array.from({ length: samples + 1 }, (_, i) => onCurve(from + ((to - from) * i) / samples, knobs));
}

/** The curve's parts within the domain; none where a region is outside. */
export function segments(knobs: Knobs, [low, high]: Point): { region: Region; points: Point[] }[] {
  const { offset, width } = knobs;
  const [first, last] = [low + offset, high + offset];
  return [
    { region: 'toe', points: points(knobs, first, Math.min(-width, last)) },
    { region: 'mid', points: points(knobs, clamp(-width, first, last), clamp(width, first, last)) },
    { region: 'shoulder', points: points(knobs, Math.max(width, first), last) },
  ];
}

/** The z at which the shoulder is held: inside the picture. */
const shoulderZ = ({ width, offset }: Knobs, [, high]: Point) => Math.min(width + reach, high + offset - 0.3);
const toeZ = ({ width }: Knobs) => -width - reach;
const leastShoulder = 0.25; // nats of it in the picture, for it to be held

/** What can be dragged; those drawn last lie on top. */
export function handlesOf(knobs: Knobs, domain: Point): Handle[] {
  const { width, offset, shoulder, toe } = knobs;
  const pivot: Handle = { name: 'pivot', at: [-offset, -offset], value: offset, label: 'Pivot, nats below its anchor' };
  if (width === Infinity) return [pivot];
  const held = shoulderZ(knobs, domain);
  const bends: Handle[] = [{ name: 'toe', at: onCurve(toeZ(knobs), knobs), value: toe, label: 'Toe' }];
  if (held > width + leastShoulder)
    bends.push({ name: 'shoulder', at: onCurve(held, knobs), value: shoulder, label: 'Shoulder' });
  return [
    ...bends,
    { name: 'lower knot', at: onCurve(-width, knobs), value: width, label: 'Width, at the lower knot' },
    { name: 'upper knot', at: onCurve(width, knobs), value: width, label: 'Width, at the upper knot' },
    pivot,
  ];
}

/** What dragging a handle to a point asks for. */
export function dragged(name: HandleName, knobs: Knobs, [x, y]: Point, domain: Point): Partial<Knobs> {
  const z = x + knobs.offset;
  const through = (at: number) => bend(bendThrough(at, y + knobs.offset, knobs, steepest, flattest));
  switch (name) {
    case 'pivot':
      return { offset: tidy(clamp(-x, -10, 14)) };
    case 'upper knot':
      return { width: tidy(Math.max(z, 0)) };
    case 'lower knot':
      return { width: tidy(Math.max(-z, 0)) };
    case 'shoulder':
      return { shoulder: through(shoulderZ(knobs, domain)) };
    case 'toe':
      return { toe: through(toeZ(knobs)) };
  }
}

/** One step of an arrow key, up or right with sign 1. */
export function nudged(name: HandleName, knobs: Knobs, sign: number): Partial<Knobs> {
  const bent = (value: number) => bend(clamp(Math.min(value, flattest) * 1.1 ** sign, steepest, flattest));
  switch (name) {
    case 'pivot':
      return { offset: tidy(knobs.offset - 0.1 * sign) };
    case 'upper knot':
      return { width: tidy(Math.max(knobs.width + 0.1 * sign, 0)) };
    case 'lower knot':
      return { width: tidy(Math.max(knobs.width - 0.1 * sign, 0)) };
    case 'shoulder':
      return { shoulder: bent(knobs.shoulder) };
    case 'toe':
      return { toe: bent(knobs.toe) };
  }
}
