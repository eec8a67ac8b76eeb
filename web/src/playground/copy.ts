// The request of a pane as other programs make it.
import { completionRequest, type Job } from './pane';
import { type Settings, samplingFlags } from './settings';

export const kinds = ['command line', 'JSON', 'curl', 'Python', 'TypeScript'] as const;
export type Kind = (typeof kinds)[number];

const shell = (text: string) => (/^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const indented = (value: unknown, spaces: string) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${spaces}`);

/** A JSON value as Python spells it. */
function python(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)}: ${python(one)}`)
    .join(', ')}}`;
}

const known = new Set(['prompt', 'max_tokens', 'seed', 'temperature', 'top_p']);

function pythonCall(origin: string, model: string, request: Record<string, unknown>): string {
  const entries = Object.entries(request);
  const own = entries.filter(([key]) => known.has(key)).map(([key, value]) => `    ${key}=${python(value)},\n`);
  const extra = Object.fromEntries(entries.filter(([key]) => !known.has(key)));
  return `from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key="none")
completion = client.completions.create(
    model=${JSON.stringify(model)},
${own.join('')}    extra_body=${python(extra)},
)
print(completion.choices[0].text)
`;
}

function typescriptCall(origin: string, request: Record<string, unknown>): string {
  return `const response = await fetch('${origin}/v1/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(${indented(request, '  ')}),
});
const { choices } = await response.json();
console.log(choices[0].text);
`;
}

/** Text to paste elsewhere. */
export function copied(kind: Kind, job: Job, settings: Settings, { origin, model }: { origin: string; model: string }): string {
  const request = completionRequest(job, settings);
  switch (kind) {
    case 'command line':
      return ['hlg', 'run', '-p', job.prompt, '-n', String(job.tokens), '--seed', String(job.seed), ...samplingFlags(settings)]
        .map(shell)
        .join(' ');
    case 'JSON':
      return `${JSON.stringify(request, null, 2)}\n`;
    case 'curl':
      return `curl ${origin}/v1/completions -d ${shell(JSON.stringify(request))}`;
    case 'Python':
      return pythonCall(origin, model, request);
    case 'TypeScript':
      return typescriptCall(origin, request);
  }
}
