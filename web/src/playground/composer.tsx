// The prompt, and what to do with it.
import { busy, examples, generate, model, prompt, seed, stopAll, tokens } from './state';

function NumberField({
  label,
  value,
  low,
  high,
  onValue,
}: {
  label: string;
  value: number;
  low: number;
  high: number;
  onValue(value: number): void;
}) {
  return (
    <label class="inline">
      {label}
      <input
        type="number"
        min={low}
        max={high}
        value={value}
        onChange={(event) => {
          const given = Math.round(event.currentTarget.valueAsNumber);
          onValue(Number.isFinite(given) ? Math.min(Math.max(given, low), high) : value);
        }}
      />
    </label>
  );
}

const seeds = 100_000;

export function Composer() {
  return (
    <section class="composer" aria-label="Prompt">
      <textarea
        aria-label="Prompt"
        rows={2}
        value={prompt.value}
        spellcheck={false}
        onInput={(event) => {
          prompt.value = event.currentTarget.value;
        }}
      />
      <div class="row">
        <div class="examples">
          {examples.map((example) => (
            <button
              key={example}
              type="button"
              class="chip"
              aria-pressed={prompt.value === example}
              onClick={() => {
                prompt.value = example;
              }}
            >
              {example.length > 32 ? `${example.slice(0, 30).trimEnd()}…` : example}
            </button>
          ))}
        </div>
        <div class="actions">
          <NumberField
            label="Tokens"
            value={tokens.value}
            low={1}
            high={4096}
            onValue={(value) => {
              tokens.value = value;
            }}
          />
          <NumberField
            label="Seed"
            value={seed.value}
            low={0}
            high={2 ** 53 - 1}
            onValue={(value) => {
              seed.value = value;
            }}
          />
          <button
            type="button"
            class="button quiet icon"
            aria-label="Another seed"
            title="Another seed"
            onClick={() => {
              seed.value = Math.floor(Math.random() * seeds);
            }}
          >
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
              <rect x="2" y="2" width="12" height="12" rx="3" fill="none" stroke="currentColor" stroke-width="1.4" />
              <path d="M5 5h.1M11 11h.1M5 11h.1M11 5h.1M8 8h.1" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" />
            </svg>
          </button>
          {busy.value ? (
            <button type="button" class="button generate" onClick={stopAll}>
              Stop
            </button>
          ) : (
            <button
              type="button"
              class="button primary generate"
              disabled={!model.value}
              onClick={generate}
              title="Ctrl+Enter; Escape stops"
            >
              Generate
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
