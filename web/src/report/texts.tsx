// Texts side by side, each token tinted by its region and by how far the sampler moved it.
import { Legend, tintOf } from '../shared/tint';
import type { Passage, Tokens } from './document';
import { formatNumber } from './format';

/** What a token's tooltip tells. */
function told(tokens: Tokens, i: number): string | undefined {
  const p = tokens.p?.[i];
  const q = tokens.q?.[i];
  if (p === undefined || q === undefined) return undefined;
  const region = tokens.region?.[i];
  return `${region ? `${region}: ` : ''}model ${formatNumber(p, 3)}, drawn with ${formatNumber(q, 3)}`;
}

function Tinted({ tokens }: { tokens: Tokens }) {
  return (
    <p class="written">
      {tokens.text.map((text, i) => {
        const p = tokens.p?.[i];
        const q = tokens.q?.[i];
        const push = p === undefined || q === undefined ? null : Math.log(q / p);
        return (
          <span key={i} title={told(tokens, i)} {...tintOf(tokens.region?.[i], push)}>
            {text}
          </span>
        );
      })}
    </p>
  );
}

export function Texts({ texts }: { texts: Passage[] }) {
  return (
    <>
      <Legend />
      {texts.map((passage, i) => (
        <article class="passage" key={i}>
          <p class="prompt">{passage.prompt}</p>
          <div class="columns">
            {passage.columns.map(({ label, tokens }) => (
              <div key={label}>
                <h3>{label}</h3>
                <Tinted tokens={tokens} />
              </div>
            ))}
          </div>
        </article>
      ))}
    </>
  );
}
