// The page's state as the part of its address behind #, so that a link shows to others what one sees.
import type { Knobs } from './curve';
import { curved, type Settings } from './settings';

export interface PageState {
  prompt: string;
  tokens: number;
  seed: number;
  selected: number;
  panes: Settings[];
}

export const mostPanes = 4;

// JSON knows no infinity, and JSON.stringify would make it null.
const pack = (_: string, value: unknown) => (value === Infinity ? 'off' : value);
const unpack = (_: string, value: unknown) => (value === 'off' ? Infinity : value);

/** base64url of the state's JSON in UTF-8. */
export function toHash(state: PageState): string {
  const bytes = new TextEncoder().encode(JSON.stringify(state, pack));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return `#${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

const number = (value: unknown, low: number, high: number, fallback: number) =>
  typeof value === 'number' && value >= low && value <= high ? value : fallback;
const word = <Word extends string>(value: unknown, words: readonly Word[], fallback: Word): Word =>
  words.find((one) => one === value) ?? fallback;
const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function readKnobs(value: unknown): Knobs {
  const given = record(value);
  const base = curved.knobs;
  return {
    pivot: word(given.pivot, ['top', 'entropy', 'median'], base.pivot),
    offset: number(given.offset, -1e4, 1e4, base.offset),
    width: number(given.width, 0, Infinity, base.width),
    shoulder: number(given.shoulder, Number.MIN_VALUE, Infinity, base.shoulder),
    toe: number(given.toe, Number.MIN_VALUE, Infinity, base.toe),
    shape: word(given.shape, ['log', 'fade'], base.shape),
  };
}

function readSettings(value: unknown): Settings {
  const given = record(value);
  return {
    temperature: number(given.temperature, 0, 100, 1),
    curve: given.curve !== false,
    knobs: readKnobs(given.knobs),
    topP: number(given.topP, 0, 1, 1),
    topK: Math.round(number(given.topK, 0, 1e9, 0)),
    minP: number(given.minP, 0, 1, 0),
  };
}

/** The state of a link; null if it is none. Whatever it says, the result is a state that the page can show. */
export function fromHash(hash: string): PageState | null {
  try {
    const text = atob(hash.slice(1).replaceAll('-', '+').replaceAll('_', '/'));
    const given = record(JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0))), unpack));
    if (!Array.isArray(given.panes) || given.panes.length === 0) return null;
    const panes = given.panes.slice(0, mostPanes).map(readSettings);
    return {
      prompt: typeof given.prompt === 'string' ? given.prompt : '',
      tokens: Math.round(number(given.tokens, 1, 4096, 80)),
      seed: Math.round(number(given.seed, 0, 2 ** 53 - 1, 7)),
      selected: Math.round(number(given.selected, 0, panes.length - 1, 0)),
      panes,
    };
  } catch {
    return null;
  }
}
