// A pane: one setting, and the text that streams under it. Behind the stream a second loop asks for the distribution that each
// token was drawn from; only that tells the tokens' ids, so it goes one by one.
import { batch, type Signal, signal } from '@preact/signals';
import { type Client, complete, type InspectedToken, type Inspection, inspect, ServerError, tokenize } from './client';
import { regionOf, rho } from './curve';
import { type Settings, samplingFields } from './settings';
import { bytesOf, sameBytes, type Token } from './tokens';

export type Status = 'idle' | 'streaming' | 'done' | 'failed';

export interface Pane {
  key: number;
  settings: Signal<Settings>;
  /** Those under which the text was made. */
  used: Signal<Settings>;
  /** The prompt that they go on from. */
  prompt: Signal<string>;
  tokens: Signal<readonly Token[]>;
  status: Signal<Status>;
  finish: Signal<string>;
  error: Signal<{ message: string; status: number } | null>;
  /** What matching its entropy came to. */
  matched: Signal<{ residual: number; positions: number } | null>;
  promptIds: number[];
  abort: AbortController;
}

let panes = 0;

export function newPane(settings: Settings): Pane {
  return {
    key: ++panes,
    settings: signal(settings),
    used: signal(settings),
    prompt: signal(''),
    tokens: signal<readonly Token[]>([]),
    status: signal<Status>('idle'),
    finish: signal(''),
    error: signal<Pane['error']['value']>(null),
    matched: signal<Pane['matched']['value']>(null),
    promptIds: [],
    abort: new AbortController(),
  };
}

export interface Job {
  prompt: string;
  tokens: number;
  seed: number;
}

const shownAtOnce = 60;
const mostTokens = 1000;

/** The body of the pane's request for a completion. */
export function completionRequest(job: Job, settings: Settings): Record<string, unknown> {
  return { prompt: job.prompt, max_tokens: job.tokens, seed: job.seed, ...samplingFields(settings) };
}

export function stop(pane: Pane) {
  pane.abort.abort();
  if (pane.status.value === 'streaming') pane.status.value = 'done';
}

/** Streams a text, or goes on behind the tokens that are kept. Ends without an exception. */
export async function run(pane: Pane, client: Client, job: Job, kept: readonly Token[] = []) {
  pane.abort.abort();
  const abort = new AbortController();
  const settings = pane.settings.value;
  pane.abort = abort;
  batch(() => {
    pane.used.value = settings;
    pane.prompt.value = job.prompt;
    pane.tokens.value = kept;
    pane.status.value = 'streaming';
    pane.error.value = null;
    pane.matched.value = null;
    pane.finish.value = '';
  });
  const fail = (error: unknown) => {
    if (abort.signal.aborted) return;
    batch(() => {
      pane.status.value = 'failed';
      pane.error.value =
        error instanceof ServerError ? { message: error.message, status: error.status } : { message: String(error), status: 0 };
    });
  };
  try {
    pane.promptIds = await tokenize(client, job.prompt, true, abort.signal);
    const looking = look(pane, client, settings, abort.signal).catch(fail);
    await stream(pane, client, job, settings, kept, abort.signal);
    await looking;
  } catch (error) {
    fail(error);
  }
}

async function stream(pane: Pane, client: Client, job: Job, settings: Settings, kept: readonly Token[], signal: AbortSignal) {
  const request = completionRequest({ ...job, tokens: Math.max(job.tokens - kept.length, 1) }, settings);
  const ids = kept.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const source = complete(client, kept.length > 0 ? { ...request, prompt: [...pane.promptIds, ...ids] } : request, signal);
  const decoder = new TextDecoder();
  let waiting: Token[] = [];
  let frame = 0;
  const show = () => {
    frame = 0;
    if (signal.aborted) return;
    pane.tokens.value = [...pane.tokens.value, ...waiting];
    waiting = [];
  };
  for (;;) {
    const next = await source.next();
    if (next.done) {
      cancelAnimationFrame(frame);
      show();
      if (signal.aborted) return;
      pane.finish.value = next.value;
      pane.status.value = 'done';
      return;
    }
    const bytes = bytesOf(next.value.token);
    waiting.push({ text: decoder.decode(bytes, { stream: true }), bytes, logprob: next.value.logprob });
    // As many at once as came since the last picture.
    frame ||= requestAnimationFrame(show);
  }
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 16));

// ms; where a look takes longer it would hold up the stream, which comes first
const quick = 40;

/** Follows the stream and fills in the tokens' places. */
async function look(pane: Pane, client: Client, settings: Settings, signal: AbortSignal) {
  const prefix = [...pane.promptIds];
  for (let i = 0; !signal.aborted; ) {
    const token = pane.tokens.value[i];
    if (!token) {
      if (pane.status.value !== 'streaming') return;
      await turn();
      continue;
    }
    if (!token.place || token.id === undefined) {
      const start = performance.now();
      const place = await inspect(client, { prompt: prefix, top_n: shownAtOnce, ...samplingFields(settings) }, signal);
      const slow = performance.now() - start > quick;
      const id = token.id ?? (await idOf(token, place, client, prefix, settings, signal));
      if (signal.aborted) return;
      pane.tokens.value = pane.tokens.value.map((one, j) => (j === i ? { ...one, place, id } : one));
      while (slow && pane.status.value === 'streaming' && !signal.aborted) await turn();
    }
    const id = pane.tokens.value[i]?.id;
    if (id === undefined) return;
    prefix.push(id);
    ++i;
  }
}

/** The id of a token that was drawn at this place, which gets it listed. */
async function idOf(token: Token, place: Inspection, client: Client, prefix: number[], settings: Settings, signal: AbortSignal) {
  const listed = place.tokens.find(({ bytes }) => sameBytes(bytes, token.bytes));
  if (listed) return listed.id;
  const more = await inspect(client, { prompt: prefix, top_n: mostTokens, ...samplingFields(settings) }, signal);
  const found = more.tokens.find(({ bytes }) => sameBytes(bytes, token.bytes));
  if (found) {
    place.tokens.push(found);
    return found.id;
  }
  const [id, ...others] = await tokenize(client, token.text, false, signal);
  if (id === undefined || others.length > 0)
    throw new ServerError(`The token ${JSON.stringify(token.text)} was drawn so far down the tail that it is not listed`, 200);
  place.tokens.push(unlisted(token, id, place, settings));
  return id;
}

/** A drawn token so far down that the inspection does not list it: its weight beside that of the first one listed. */
function unlisted(token: Token, id: number, place: Inspection, settings: Settings): InspectedToken {
  const [first] = place.tokens;
  const logit = first ? first.logit - first.logprob + token.logprob : 0;
  const { temperature } = place;
  const score = (x: number) => (place.pivot === null ? x : x + rho(x - place.pivot, settings.knobs)) / temperature;
  const ratio = first ? Math.exp(score(logit) - score(first.logit)) : 0;
  const z = place.pivot === null ? null : logit - place.pivot;
  return {
    id,
    text: token.text,
    bytes: [...token.bytes],
    logit,
    logprob: token.logprob,
    z,
    region: z === null ? null : regionOf(z, settings.knobs),
    probability: { model: Math.exp(token.logprob), draw: ratio * (first?.probability.draw ?? 0) },
  };
}
