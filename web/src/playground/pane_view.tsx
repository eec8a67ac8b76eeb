// A pane: its settings in a line, its text, token by token.
import { memo } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../report/format';
import { tintOf } from '../shared/tint';
import type { Pane } from './pane';
import { sameSettings, summary } from './settings';
import { hovered, matchToFirst, panes, pinned, prompt, removePane, selected, spot } from './state';
import { drawnOf, type Token, visible } from './tokens';

export const letter = (index: number) => 'ABCD'[index] ?? '?';

/** What the sampler did to the token, where its place was inspected. */
function tint(token: Token) {
  const drawn = drawnOf(token);
  return tintOf(drawn?.region, drawn && Math.log(drawn.probability.draw / drawn.probability.model));
}

const TokenView = memo(
  ({ token, index, pane, shown, id }: { token: Token; index: number; pane: Pane; shown: boolean; id: string }) => {
    const look = tint(token);
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and tells which of its tokens is active
      // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
      <span
        id={id}
        role="option"
        aria-selected={shown}
        aria-label={token.text.trim() === '' ? visible(token.text) : undefined}
        class={`${look.class} ${shown ? 'shown' : ''}`}
        style={look.style}
        onPointerEnter={(event) => {
          if (event.pointerType === 'mouse') hovered.value = { pane, index };
        }}
        onClick={() => {
          pinned.value = { pane, index };
        }}
      >
        {token.text}
      </span>
    );
  },
);

function Text({ pane, name }: { pane: Pane; name: string }) {
  const tokens = pane.tokens.value;
  const shown = spot.value?.pane === pane ? spot.value.index : -1;
  const box = useRef<HTMLDivElement>(null);
  const streaming = pane.status.value === 'streaming';
  useEffect(() => {
    // The text's end stays in sight while it grows.
    if (streaming && box.current && tokens.length > 0) box.current.scrollTop = box.current.scrollHeight;
  }, [tokens.length, streaming]);
  const go = (event: KeyboardEvent) => {
    const at = pinned.value?.pane === pane ? pinned.value.index : -1;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tokens.length - 1 }[event.key];
    if (event.key === 'Escape') pinned.value = null;
    if (to === undefined || tokens.length === 0) return;
    event.preventDefault();
    hovered.value = null;
    pinned.value = { pane, index: Math.min(Math.max(to, 0), tokens.length - 1) };
  };
  return (
    <div
      class="text"
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label={`Text ${name}, ${tokens.length} tokens; the arrow keys go through them`}
      aria-activedescendant={shown >= 0 ? `token-${pane.key}-${shown}` : undefined}
      onKeyDown={go}
      onPointerLeave={() => {
        hovered.value = null;
      }}
    >
      {tokens.length === 0 && !streaming && (
        <span class="empty">{prompt.value ? 'Generate, and the text appears here.' : 'Write a prompt first.'}</span>
      )}
      {tokens.length > 0 && <span class="given">{pane.prompt.value}</span>}
      {tokens.map((token, i) => (
        <TokenView key={i} id={`token-${pane.key}-${i}`} token={token} index={i} pane={pane} shown={i === shown} />
      ))}
      {streaming && <span class="caret" aria-hidden="true" />}
    </div>
  );
}

/** A residual: how large, where it can be seen at all. */
const small = (residual: number) => (Math.abs(residual) < 1e-4 ? 'under 0.0001' : formatNumber(residual, 2));

const finishes: Record<string, string> = { stop: 'ended by itself', length: 'as long as asked' };

export function PaneView({ pane, index }: { pane: Pane; index: number }) {
  const several = panes.value.length > 1;
  const isSelected = several && selected.value === index;
  const name = letter(index);
  const { error, matched, settings, status, finish } = pane;
  return (
    <article
      class={`pane ${isSelected ? 'selected' : ''}`}
      onPointerDown={() => {
        selected.value = index;
      }}
      onFocusIn={() => {
        selected.value = index;
      }}
    >
      <header>
        {several && <span class="badge">{name}</span>}
        <span class="what">{summary(settings.value)}</span>
        {pane.tokens.value.length > 0 && !sameSettings(settings.value, pane.used.value) && (
          <span class="stale">changed since</span>
        )}
        <span class="spring" />
        {several && index > 0 && (
          <button
            type="button"
            class="button quiet small"
            disabled={panes.value[0]?.status.value !== 'done'}
            title="Sets the temperature so that along A's text both are equally open in the mean, and writes again"
            onClick={() => matchToFirst(pane)}
          >
            Match entropy to A
          </button>
        )}
        {several && (
          <button type="button" class="button quiet small icon" aria-label={`Remove ${name}`} onClick={() => removePane(pane)}>
            ×
          </button>
        )}
      </header>
      {error.value && (
        <p class="problem" role="alert">
          {error.value.message}
        </p>
      )}
      <Text pane={pane} name={name} />
      <footer aria-live="polite">
        {status.value === 'done' &&
          `${pane.tokens.value.length} tokens${finish.value ? `, ${finishes[finish.value] ?? finish.value}` : ', stopped'}`}
        {matched.value &&
          ` · matched to A over ${matched.value.positions} tokens, residual ${small(matched.value.residual)} nats`}
      </footer>
    </article>
  );
}
