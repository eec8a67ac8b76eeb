// Tokens as the page keeps them, and what a text of them measures.
import type { Inspection } from './client';

export interface Token {
  /** What is shown: whole characters; a token that only begins one shows nothing. */
  text: string;
  bytes: Uint8Array;
  /** The model's ln p, nats. */
  logprob: number;
  /** Known once its place was inspected. */
  id?: number;
  /** The distribution that it was drawn from. */
  place?: Inspection;
}

/** The bytes of a token that the completions interface spells. */
export function bytesOf(token: string): Uint8Array {
  if (!token.startsWith('bytes:\\x')) return new TextEncoder().encode(token);
  return Uint8Array.from(token.slice(6).matchAll(/\\x([0-9a-f]{2})/g), ([, hex]) => Number.parseInt(hex ?? '0', 16));
}

export const sameBytes = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; ++i) if (a[i] !== b[i]) return false;
  return true;
};

/** The drawn token in the inspection of its place. */
export const drawnOf = (token: Token) => token.place?.tokens.find(({ id }) => id === token.id);

/** A token's text for a label: spaces and line ends to be seen. */
export function visible(text: string): string {
  return text === '' ? '∅' : text.replaceAll(' ', '␣').replaceAll('\n', '⏎').replaceAll('\t', '⇥');
}

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

/** Of the text's pairs of neighbouring words, the share of different ones; null without a pair. */
export function distinct2(text: string): number | null {
  const all = words(text);
  const pairs = all.slice(1).map((word, i) => `${all[i]} ${word}`);
  return pairs.length === 0 ? null : new Set(pairs).size / pairs.length;
}

const window = 64;

/** The share of words that came before among the last 64; null without words. */
export function repetition(text: string): number | null {
  const all = words(text);
  if (all.length === 0) return null;
  return all.filter((word, i) => all.slice(Math.max(0, i - window), i).includes(word)).length / all.length;
}

export interface TextMeasures {
  tokens: number;
  /** Means over the tokens whose places are known; nats, shares. */
  entropy: number | null;
  tail: number | null;
  surprisal: number | null;
  repetition: number | null;
  distinct2: number | null;
}

const mean = (values: readonly number[]) => (values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length);

export function measure(tokens: readonly Token[]): TextMeasures {
  const places = tokens.flatMap(({ place }) => (place ? [place.statistics.draw] : []));
  const text = tokens.map((token) => token.text).join('');
  return {
    tokens: tokens.length,
    entropy: mean(places.map(({ entropy }) => entropy)),
    tail: mean(places.map(({ tail_mass }) => tail_mass)),
    surprisal: mean(tokens.map(({ logprob }) => -logprob)),
    repetition: repetition(text),
    distinct2: distinct2(text),
  };
}
