// Light, dark, or what the system says.
import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
const order: readonly Theme[] = ['system', 'light', 'dark'];
const key = 'hlg.theme';

/** What was chosen before; a page opened from a file may have no storage. */
function stored(): Theme {
  try {
    return order.find((theme) => theme === localStorage.getItem(key)) ?? 'system';
  } catch {
    return 'system';
  }
}

export const theme = signal<Theme>(stored());
apply();

function apply() {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}

function choose(next: Theme) {
  theme.value = next;
  apply();
  try {
    localStorage.setItem(key, next);
  } catch {
    // It holds until the page is closed.
  }
}

const icons: Record<Theme, string> = {
  system: 'M8 2a6 6 0 1 0 0 12V2z',
  light: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM7.4 1h1.2v2H7.4zm0 12h1.2v2H7.4zM1 7.4h2v1.2H1zm12 0h2v1.2h-2z',
  dark: 'M6 2a6.2 6.2 0 1 0 8 8A7 7 0 0 1 6 2z',
};

/** A button that goes through the three. */
export function ThemeButton() {
  const next = order[(order.indexOf(theme.value) + 1) % order.length] ?? 'system';
  return (
    <button
      type="button"
      class="button quiet"
      onClick={() => choose(next)}
      aria-label={`Colours: ${theme.value}. Change to ${next}`}
      title={`Colours: ${theme.value}`}
    >
      <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
        {theme.value === 'system' && <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.3" />}
        <path d={icons[theme.value]} />
      </svg>
    </button>
  );
}
