// The page's head: whose model it is, a link to all this, the key.
import { signal } from '@preact/signals';
import { toClipboard } from '../shared/clipboard';
import { ThemeButton } from '../shared/theme';
import { apiKey, link, model, trouble, useKey } from './state';

const asked = signal(false);
const copied = signal(false);

function KeyForm() {
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem('key');
        if (field instanceof HTMLInputElement) useKey(field.value.trim());
        asked.value = false;
      }}
    >
      <label>
        API key
        <input name="key" type="password" autocomplete="off" value={apiKey.value} />
      </label>
      <button type="submit" class="button primary">
        Use
      </button>
    </form>
  );
}

export function Header() {
  const refused = trouble.value?.status === 401;
  return (
    <header class="top">
      <h1>
        <b>HLG</b> playground
      </h1>
      <span class={`model ${model.value ? 'ready' : ''}`}>
        {model.value ? model.value.id : trouble.value ? 'not ready' : 'connecting…'}
      </span>
      <span class="spring" />
      <button
        type="button"
        class="button quiet"
        title="Copies a link to this page as it is now"
        onClick={async () => {
          await toClipboard(link.value);
          copied.value = true;
          setTimeout(() => {
            copied.value = false;
          }, 1500);
        }}
      >
        {copied.value ? 'Copied' : 'Link'}
      </button>
      <button
        type="button"
        class="button quiet"
        aria-expanded={asked.value}
        onClick={() => {
          asked.value = !asked.value;
        }}
      >
        Key
      </button>
      <ThemeButton />
      {(asked.value || refused) && <KeyForm />}
    </header>
  );
}
