// From an inspection to what the page computes with.
import type { Inspection } from './client';
import { type Context, draw } from './distribution';
import type { Settings } from './settings';

const contexts = new WeakMap<Inspection, { vocabulary: number; context: Context }>();

/** The inspected step's logits. */
export function contextOf(place: Inspection, vocabulary: number): Context {
  const kept = contexts.get(place);
  if (kept?.vocabulary === vocabulary) return kept.context;
  const first = place.tokens[0];
  const context: Context = {
    logits: place.tokens.map(({ logit }) => logit),
    logSum: first ? first.logit - first.logprob : 0,
    entropy: place.statistics.model.entropy,
    rest: Math.max(vocabulary - place.tokens.length, 0),
  };
  contexts.set(place, { vocabulary, context });
  return context;
}

const deep = Math.log(1e-4);

/** A draw's distribution over the inspected tokens, and what it comes to. */
export interface Seen {
  probabilities: number[];
  pivot: number | null;
  entropy: number;
  /** Mass of tokens to which the model gives less than 1e-4. */
  tail: number;
}

/** Under these settings, computed here. */
export function seenUnder(place: Inspection, vocabulary: number, settings: Settings): Seen {
  const { probabilities, rest, pivot, entropy } = draw(contextOf(place, vocabulary), {
    ...settings,
    hlg: settings.curve ? settings.knobs : null,
  });
  const tail = place.tokens.reduce((all, { logprob }, i) => (logprob < deep ? all + (probabilities[i] ?? 0) : all), rest);
  return { probabilities, pivot, entropy, tail };
}

/** Under the settings of the inspection, as the server tells it. */
export function seenByServer(place: Inspection): Seen {
  const { entropy, tail_mass: tail } = place.statistics.draw;
  return { probabilities: place.tokens.map(({ probability }) => probability.draw), pivot: place.pivot, entropy, tail };
}
