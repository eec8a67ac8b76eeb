// What the page knows, and what can be done: components only show it.
import { batch, computed, effect, signal } from '@preact/signals';
import { type Client, type Model, match, ServerError, servedModel } from './client';
import { fromHash, mostPanes, type PageState, toHash } from './link';
import { type Job, newPane, type Pane, run, stop } from './pane';
import { curved, plain, type Settings, samplingFields } from './settings';

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

/** A token that one looks at. */
export interface Spot {
  pane: Pane;
  index: number;
}
export const hovered = signal<Spot | null>(null);
export const pinned = signal<Spot | null>(null);
export const spot = computed(() => hovered.value ?? pinned.value);

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
