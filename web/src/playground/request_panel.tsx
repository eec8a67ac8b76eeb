// The request that comes of the selected pane's settings, to take along.
import { signal } from '@preact/signals';
import { toClipboard } from '../shared/clipboard';
import { copied, kinds } from './copy';
import { job, model, pane } from './state';

const kind = signal<(typeof kinds)[number]>('JSON');
const copiedNow = signal(false);

export function RequestPanel() {
  const one = pane.value;
  if (!one) return null;
  const text = copied(kind.value, job.value, one.settings.value, {
    origin: new URL('.', location.href).href.replace(/\/$/, ''),
    model: model.value?.id ?? '',
  });
  return (
    <section class="copy" aria-label="The request">
      <div class="row">
        <h2>The request</h2>
        <select
          aria-label="Written as"
          value={kind.value}
          onChange={(event) => {
            kind.value = kinds.find((known) => known === event.currentTarget.value) ?? 'JSON';
          }}
        >
          {kinds.map((known) => (
            <option key={known}>{known}</option>
          ))}
        </select>
        <span class="spring" />
        <button
          type="button"
          class="button quiet small"
          onClick={async () => {
            await toClipboard(text);
            copiedNow.value = true;
            setTimeout(() => {
              copiedNow.value = false;
            }, 1500);
          }}
        >
          {copiedNow.value ? 'Copied' : 'Copy'}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre class="request" tabIndex={0}>
        <code>{text}</code>
      </pre>
    </section>
  );
}
