// What a draw's distribution is, of the tokens that the server told of: the same arithmetic as its own, checked against
// tests/vectors/steps.json and, in the browser's tests, against /v1/hlg/inspect.
import { isIdentity, type Knobs, rho } from './curve';

export interface Sampling {
  temperature: number;
  /** The curve; null: the classic samplers below, in the order in which they act. */
  hlg: Knobs | null;
  topP: number;
  topK: number;
  minP: number;
}

/** A step's logits: those that are known, and what is known of the rest together. */
export interface Context {
  /** nats; any order. */
  logits: readonly number[];
  /** ln sum exp of all logits. */
  logSum: number;
  /** The model's entropy, nats. */
  entropy: number;
  /** How many tokens are not among the logits; they share the mass that is left, and lie below all of these. */
  rest: number;
}

export interface Drawn {
  /** Of each known token, as the logits are ordered. */
  probabilities: number[];
  /** Of the others together. */
  rest: number;
  /** The pivot's logit; null without a curve. */
  pivot: number | null;
  /** nats. */
  entropy: number;
}

const greedyBelow = 1e-5;
const maskDepth = 1e4; // nats below the top: not there

export const isGreedy = (temperature: number): boolean => temperature < greedyBelow;

/** The context of logits that are all known. */
export function wholeContext(logits: readonly number[]): Context {
  const top = Math.max(...logits);
  const weights = logits.map((x) => (x < top - maskDepth ? 0 : Math.exp(x - top)));
  const sum = weights.reduce((a, b) => a + b, 0);
  const entropy = weights.reduce((all, w) => (w > 0 ? all - (w / sum) * Math.log(w / sum) : all), 0);
  return { logits, logSum: top + Math.log(sum), entropy, rest: 0 };
}

/** Where the curve is anchored, a logit: the pivot is its offset below. */
export function anchorOf({ logits, logSum, entropy }: Context, pivot: Knobs['pivot']): number {
  if (pivot === 'top') return Math.max(...logits);
  if (pivot === 'entropy') return logSum - entropy; // sum of p x
  let mass = 0;
  const ranked = [...logits].sort((a, b) => b - a);
  for (const x of ranked) {
    mass += Math.exp(x - logSum);
    if (mass >= 0.5) return x;
  }
  return ranked.at(-1) ?? 0;
}

/** Which tokens top_p, top_k and min_p leave: a prefix of the ranking. */
function survivors(logits: readonly number[], logSum: number, { topP, topK, minP }: Sampling): boolean[] {
  const ranked = [...logits.keys()].sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0) || a - b);
  const top = logits[ranked[0] ?? 0] ?? 0;
  const kept = logits.map(() => false);
  let mass = 0;
  for (const [rank, i] of ranked.entries()) {
    const x = logits[i] ?? 0;
    const out = (topP < 1 && mass >= topP) || (topK > 0 && rank >= topK) || (minP > 0 && x - top < Math.log(minP));
    if (rank > 0 && out) break;
    kept[i] = true;
    mass += Math.exp(x - logSum);
  }
  return kept;
}

const groups = 32;

/**
 * Logits for the tokens that are not known, in groups of equal size: distances below the lowest known logit are spread as
 * quantiles of an exponential distribution, whose mean gives the mass that is left.
 */
function guessRest({ logits, logSum, rest }: Context): number[] {
  if (rest === 0) return [];
  const low = Math.min(...logits);
  const mass = Math.max(1 - logits.reduce((all, x) => all + Math.exp(x - logSum), 0), 1e-12);
  const quantiles = Array.from({ length: groups }, (_, i) => -Math.log1p(-(i + 0.5) / groups));
  const massAt = (mean: number) => quantiles.reduce((all, q) => all + (rest / groups) * Math.exp(low - logSum - mean * q), 0);
  let [shallow, deep] = [1e-6, 1e3];
  for (let step = 0; step < 60; ++step) {
    const middle = Math.sqrt(shallow * deep);
    if (massAt(middle) > mass) shallow = middle;
    else deep = middle;
  }
  return quantiles.map((q) => low - shallow * q);
}

const guesses = new WeakMap<Context, number[]>();

/** The same for the same context: it does not depend on the settings. */
function restLogits(context: Context): number[] {
  const guess = guesses.get(context) ?? guessRest(context);
  guesses.set(context, guess);
  return guess;
}

function greedy(logits: readonly number[]): Drawn {
  const best = logits.indexOf(Math.max(...logits));
  return { probabilities: logits.map((_, i) => (i === best ? 1 : 0)), rest: 0, pivot: null, entropy: 0 };
}

/** What the settings draw from. */
export function draw(context: Context, sampling: Sampling): Drawn {
  const { logits, logSum } = context;
  if (isGreedy(sampling.temperature)) return greedy(logits);
  const curve = sampling.hlg && !isIdentity(sampling.hlg) ? sampling.hlg : null;
  const pivot = curve ? anchorOf(context, curve.pivot) - curve.offset : null;
  const gain = Math.fround(1 / sampling.temperature); // rounded as the server rounds it, and the curved logits too
  const top = Math.max(...logits);
  const shaped = (x: number) =>
    x < top - maskDepth ? -Infinity : curve && pivot !== null ? Math.fround(x + rho(x - pivot, curve)) : x;
  const kept = sampling.hlg ? logits.map(() => true) : survivors(logits, logSum, sampling);
  const scores = logits.map((x, i) => (kept[i] ? gain * shaped(x) : -Infinity));
  const reference = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - reference));
  const others = kept.every(Boolean) ? restLogits(context).map((x) => Math.exp(gain * shaped(x) - reference)) : [];
  const size = context.rest / groups;
  const sum = [...weights, ...others.map((w) => w * size)].reduce((a, b) => a + b, 0);
  const term = (p: number) => (p > 0 ? -p * Math.log(p) : 0);
  const probabilities = weights.map((w) => w / sum);
  const rest = others.reduce((all, w) => all + (w * size) / sum, 0);
  const known = probabilities.reduce((all, p) => all + term(p), 0);
  const entropy = others.reduce((all, w) => all + size * term(w / sum), known);
  return { probabilities, rest, pivot, entropy };
}
