// What the page knows, and what can be done: components only show it.
import { batch, computed, effect, signal } from '@preact/signals';
import { type Client, type Inspection, inspect, type Model, match, ServerError, servedModel } from './client';
import { fromHash, mostPanes, type PageState, toHash } from './link';
import { type Job, newPane, type Pane, run, stop } from './pane';
import { curved, plain, type Settings, sameSettings, samplingFields } from './settings';
import { drawnOf, type Token } from './tokens';

export const examples = [
  'Once upon a time there was a miller who',
  'The king had three sons, and the youngest',
  'In a little house by the sea there lived',
  'When the moon had risen, the fox',
  '"Who are you?" asked the old woman. "I am',
];

const start: PageState = { prompt: examples[0] ?? '', tokens: 80, seed: 7, selected: 0, panes: [curved] };
const given = fromHash(location.hash) ?? start;

export const prompt = signal(given.prompt);
export const tokens = signal(given.tokens);
export const seed = signal(given.seed);
export const panes = signal<readonly Pane[]>(given.panes.map(newPane));
export const selected = signal(given.selected);

export const model = signal<Model | null>(null);
/** Why there is nothing to be asked, in the server's words. */
export const trouble = signal<{ message: string; status: number } | null>(null);

const keyName = 'hlg.key';
function storedKey(): string {
  try {
    return sessionStorage.getItem(keyName) ?? '';
  } catch {
    return '';
  }
}
export const apiKey = signal(storedKey());
export const client: Client = { key: () => apiKey.value };

export function useKey(key: string) {
  apiKey.value = key;
  try {
    sessionStorage.setItem(keyName, key);
  } catch {
    // It holds until the page is closed.
  }
  connect();
}

/** Asks for the model until there is one. */
export async function connect(): Promise<void> {
  try {
    const found = await servedModel(client);
    batch(() => {
      model.value = found;
      trouble.value = null;
    });
  } catch (error) {
    const { message, status } = error instanceof ServerError ? error : new ServerError(String(error), 0);
    trouble.value = { message, status };
    if (status === 503 || status === 0) setTimeout(connect, 1000);
  }
}

export const pane = computed(() => panes.value[selected.value] ?? panes.value[0]);
export const job = computed<Job>(() => ({ prompt: prompt.value, tokens: tokens.value, seed: seed.value }));
export const busy = computed(() => panes.value.some(({ status }) => status.value === 'streaming'));

const pageState = computed<PageState>(() => ({
  ...job.value,
  selected: selected.value,
  panes: panes.value.map(({ settings }) => settings.value),
}));

export const link = computed(() => `${location.origin}${location.pathname}${toHash(pageState.value)}`);

let saving = 0;
effect(() => {
  const hash = toHash(pageState.value);
  clearTimeout(saving);
  saving = window.setTimeout(() => history.replaceState(null, '', hash), 250);
});

addEventListener('hashchange', () => {
  const state = fromHash(location.hash);
  if (state) show(state);
});

function show(state: PageState) {
  panes.value.forEach(stop);
  batch(() => {
    prompt.value = state.prompt;
    tokens.value = state.tokens;
    seed.value = state.seed;
    panes.value = state.panes.map(newPane);
    selected.value = state.selected;
    pinned.value = null;
  });
}

/** Changes the selected pane's settings. */
export function change(part: Partial<Settings>) {
  const one = pane.value;
  if (one) one.settings.value = { ...one.settings.value, ...part };
}

export function changeKnobs(part: Partial<Settings['knobs']>) {
  const one = pane.value;
  if (one) change({ curve: true, knobs: { ...one.settings.value.knobs, ...part } });
}

export function addPane() {
  if (panes.value.length >= mostPanes) return;
  // A second one is for comparing with plain temperature, as a rule.
  const settings =
    panes.value.length === 1 && panes.value[0]?.settings.value.curve ? plain : (pane.value?.settings.value ?? curved);
  batch(() => {
    panes.value = [...panes.value, newPane(settings)];
    selected.value = panes.value.length - 1;
  });
}

export function removePane(which: Pane) {
  stop(which);
  batch(() => {
    panes.value = panes.value.filter((one) => one !== which);
    selected.value = Math.min(selected.value, panes.value.length - 1);
    pinned.value = null;
  });
}

export function generate() {
  pinned.value = null;
  hovered.value = null;
  for (const one of panes.value) run(one, client, job.value);
}

export function stopAll() {
  panes.value.forEach(stop);
}

// --- places: where in which text one looks

export interface Spot {
  pane: Pane;
  index: number;
}
export const hovered = signal<Spot | null>(null);
export const pinned = signal<Spot | null>(null);
export const spot = computed(() => hovered.value ?? pinned.value);

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

/** Sets a pane's temperature so that, along the first pane's text, it is as open as that, and lets it write again. */
export async function matchToFirst(which: Pane) {
  const first = panes.value[0];
  if (!first || first === which) return;
  const ids = first.tokens.value.flatMap(({ id }) => (id === undefined ? [] : [id]));
  try {
    const request = {
      prompt: first.promptIds,
      text: ids,
      reference: samplingFields(first.used.value),
      settings: samplingFields(which.settings.value),
    };
    const found = await match(client, request);
    which.settings.value = { ...which.settings.value, temperature: Number(found.temperature.toPrecision(6)) };
    await run(which, client, job.value);
    which.matched.value = { residual: found.residual, positions: found.positions };
  } catch (error) {
    const { message, status } = error instanceof ServerError ? error : new ServerError(String(error), 0);
    which.error.value = { message, status };
  }
}
