// The server's interfaces, as docs/reference/server-api.md has them. What goes wrong is told in the server's own words.

/** A refusal or a failure, as the server says it. */
export class ServerError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export interface InspectedToken {
  id: number;
  text: string;
  bytes: number[];
  logit: number;
  logprob: number;
  z: number | null;
  region: 'shoulder' | 'mid' | 'toe' | null;
  probability: { model: number; draw: number };
}

interface Measures {
  entropy: number;
  top1: number;
  collision: number;
  tail_mass: number;
}

export interface Inspection {
  temperature: number;
  pivot: number | null;
  kl: number;
  statistics: { model: Measures; temperature: Measures; draw: Measures };
  tokens: InspectedToken[];
}

export interface Match {
  temperature: number;
  entropy: { reference: number; settings: number };
  residual: number;
  positions: number;
}

export interface StreamedToken {
  /** As the interface spells it; a part of a character as "bytes:\xe2\x80". */
  token: string;
  logprob: number;
}

export interface Model {
  id: string;
  context: number;
  vocabulary: number;
}

/** How the server is asked; the key may be empty. Paths are relative: a proxy may have put the page below a path of its own. */
export interface Client {
  key(): string;
}

async function ask(client: Client, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (client.key()) headers.authorization = `Bearer ${client.key()}`;
  const init: RequestInit = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(path, { ...init, ...(signal && { signal }) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ServerError('The server does not answer. Is it still running?', 0);
  }
  if (response.ok) return response;
  const text = await response.text();
  throw new ServerError(messageIn(text) ?? (text || response.statusText), response.status);
}

function messageIn(text: string): string | undefined {
  try {
    const json = JSON.parse(text) as { error?: { message?: string } };
    return json.error?.message;
  } catch {
    return undefined;
  }
}

/** The data of server-sent events in a stream of bytes. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) if (frame.startsWith('data: ')) yield frame.slice(6);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

interface Chunk {
  error?: { message?: string };
  choices?: { logprobs?: { tokens: string[]; token_logprobs: number[] } | null; finish_reason?: string | null }[];
}

/** A completion's tokens as they come; gives the finish reason at the end. */
export async function* complete(
  client: Client,
  request: Record<string, unknown>,
  signal: AbortSignal,
): AsyncGenerator<StreamedToken, string> {
  const response = await ask(client, 'v1/completions', { ...request, stream: true, logprobs: 0 }, signal);
  let finish = '';
  if (!response.body) return finish;
  for await (const data of events(response.body)) {
    if (data === '[DONE]') break;
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error) throw new ServerError(chunk.error.message ?? 'The stream broke off', 200);
    const choice = chunk.choices?.[0];
    for (const [i, token] of (choice?.logprobs?.tokens ?? []).entries())
      yield { token, logprob: choice?.logprobs?.token_logprobs[i] ?? Number.NaN };
    finish = choice?.finish_reason ?? finish;
  }
  return finish;
}

export async function inspect(client: Client, request: Record<string, unknown>, signal?: AbortSignal): Promise<Inspection> {
  return (await ask(client, 'v1/hlg/inspect', request, signal)).json();
}

export async function match(client: Client, request: Record<string, unknown>): Promise<Match> {
  return (await ask(client, 'v1/hlg/match', request)).json();
}

/** A text's token ids. */
export async function tokenize(client: Client, content: string, begin: boolean, signal?: AbortSignal): Promise<number[]> {
  const response = await ask(client, 'tokenize', { content, add_special: begin }, signal);
  return ((await response.json()) as { tokens: number[] }).tokens;
}

/** The one model that is served. */
export async function servedModel(client: Client): Promise<Model> {
  const response = await ask(client, 'v1/models', undefined);
  const { data } = (await response.json()) as { data: { id: string; max_model_len: number; meta: { n_vocab: number } }[] };
  const model = data[0];
  if (!model) throw new ServerError('The server has no model', 200);
  return { id: model.id, context: model.max_model_len, vocabulary: model.meta.n_vocab };
}
