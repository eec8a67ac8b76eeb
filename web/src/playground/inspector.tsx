// Below the texts: the place one looks at, and what the panes' texts measure.
import { formatNumber } from '../report/format';
import { DistributionChart, percent } from './distribution_chart';
import { letter } from './pane_view';
import { place } from './places';
import { summary } from './settings';
import { panes, prompt } from './state';
import { measure, visible } from './tokens';

const contextLength = 36;

export function Inspector() {
  const at = place.value;
  if (!at?.pane) return null;
  const text =
    (at.index < 0 ? prompt.value : at.pane.prompt.value) +
    at.pane.tokens.value
      .slice(0, Math.max(at.index, 0))
      .map((token) => token.text)
      .join('');
  const end = text.slice(-contextLength).replaceAll('\n', ' ');
  const before = end.length < text.length ? end.slice(end.indexOf(' ') + 1) : end;
  return (
    <section class="inspector card" aria-label="Next-token distribution">
      <header>
        <h2>
          After <q>{before.length < text.length ? `…${before}` : before}</q>
          {at.token && (
            <>
              {' '}
              came <mark>{visible(at.token.text)}</mark>
            </>
          )}
        </h2>
        <p class="key">
          <i class="before" /> the model <i class="after" /> as drawn · click a token to go on from here with it
        </p>
      </header>
      <DistributionChart place={at} settings={at.pane.settings.value} />
    </section>
  );
}

const shown = (value: number | null, format: (value: number) => string) => (value === null ? '–' : format(value));

export function Comparison() {
  if (panes.value.every(({ tokens }) => tokens.value.length === 0)) return null;
  return (
    <div class="card comparison">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section class="scroll-x" tabIndex={0} aria-label="Measures of the texts">
        <table>
          <thead>
            <tr>
              <th scope="col">Text</th>
              <th scope="col" title="Mean over the tokens, of what was drawn from">
                Entropy (nats)
              </th>
              <th scope="col" title="Mean mass that went to tokens to which the model gives less than 1e-4">
                Tail share
              </th>
              <th scope="col" title="Mean of -ln p under the model">
                Surprisal (nats)
              </th>
              <th scope="col" title="Words that came before among the last 64">
                Repetition
              </th>
              <th scope="col" title="Different pairs of neighbouring words">
                Distinct-2
              </th>
            </tr>
          </thead>
          <tbody>
            {panes.value.map((pane, i) => {
              const { entropy, tail, surprisal, repetition, distinct2 } = measure(pane.tokens.value);
              return (
                <tr key={pane.key}>
                  <th scope="row">
                    {panes.value.length > 1 && <span class="badge">{letter(i)}</span>} {summary(pane.used.value)}
                  </th>
                  <td>{shown(entropy, (value) => formatNumber(value, 3))}</td>
                  <td>{shown(tail, percent)}</td>
                  <td>{shown(surprisal, (value) => formatNumber(value, 3))}</td>
                  <td>{shown(repetition, percent)}</td>
                  <td>{shown(distinct2, percent)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </div>
  );
}
