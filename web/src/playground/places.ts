// Where in which text one looks, and the distribution there.
import { batch, computed, effect, signal } from '@preact/signals';
import { type Inspection, inspect } from './client';
import { type Pane, run } from './pane';
import { plain, sameSettings, samplingFields } from './settings';
import { client, hovered, job, model, pane, pinned, prompt, spot } from './state';
import { drawnOf, type Token } from './tokens';

/** The distribution behind the prompt, until a token is looked at. */
export const ahead = signal<Inspection | null>(null);

let asking = new AbortController();
let pause = 0;
effect(() => {
  const text = prompt.value;
  if (!model.value) return;
  clearTimeout(pause);
  pause = window.setTimeout(() => lookAhead(text), 200);
});

const detail = 1000; // tokens; what lies further down is guessed from its mass

async function lookAhead(text: string) {
  asking.abort();
  asking = new AbortController();
  try {
    ahead.value = await inspect(client, { prompt: text, top_n: detail, ...samplingFields(plain) }, asking.signal);
  } catch {
    // An empty prompt has no next token; what is wrong with the server, its next answer says.
    if (!asking.signal.aborted) ahead.value = null;
  }
}

/** More tokens of the place that is looked at, for what the page computes itself. */
const closer = signal<{ of: Inspection; inspection: Inspection } | null>(null);

let closing = new AbortController();
effect(() => {
  const at = spot.value;
  const token = at?.pane.tokens.value[at.index];
  if (!at || !token?.place || closer.peek()?.of === token.place) return;
  const { place } = token;
  const before = at.pane.tokens.value.slice(0, at.index).flatMap(({ id }) => (id === undefined ? [] : [id]));
  const request = { prompt: [...at.pane.promptIds, ...before], top_n: detail, ...samplingFields(at.pane.used.peek()) };
  closing.abort();
  closing = new AbortController();
  const { signal: stopped } = closing;
  setTimeout(async () => {
    if (stopped.aborted) return;
    try {
      const inspection = await inspect(client, request, stopped);
      const drawn = drawnOf(token);
      if (drawn && !inspection.tokens.some(({ id: one }) => one === drawn.id)) inspection.tokens.push(drawn);
      closer.value = { of: place, inspection };
    } catch {
      // What is shown already has to do.
    }
  }, 120);
});

export interface Place {
  inspection: Inspection;
  token: Token | null;
  pane: Pane | undefined;
  index: number;
  /** Whether the inspection's own numbers are those of the pane's settings. */
  asDrawn: boolean;
}

/** What the charts show. */
export const place = computed<Place | null>(() => {
  const at = spot.value;
  const token = at?.pane.tokens.value[at.index];
  if (at && token?.place) {
    const inspection = closer.value?.of === token.place ? closer.value.inspection : token.place;
    const asDrawn = sameSettings(at.pane.settings.value, at.pane.used.value);
    return { inspection, token, pane: at.pane, index: at.index, asDrawn };
  }
  return ahead.value && { inspection: ahead.value, token: null, pane: pane.value, index: -1, asDrawn: false };
});

/** Goes on from a place with another token. */
export function branch(id: number) {
  const at = place.value;
  if (!at?.pane) return;
  const chosen = at.inspection.tokens.find((token) => token.id === id);
  if (!chosen) return;
  const before = at.index < 0 ? [] : at.pane.tokens.value.slice(0, at.index);
  const token: Token = {
    text: chosen.text,
    bytes: Uint8Array.from(chosen.bytes),
    logprob: chosen.logprob,
    id,
    ...(at.token && { place: at.inspection }),
  };
  batch(() => {
    hovered.value = null;
    pinned.value = null;
  });
  // A place in a text belongs to the prompt of that text, whatever has been typed since.
  const own = at.index < 0 ? prompt.value : at.pane.prompt.value;
  run(at.pane, client, { ...job.value, prompt: own }, [...before, token]);
}
