// A place's distribution before and after the sampler: paired bars, likeliest first, the pivot between them.
import { scaleLinear } from 'd3-scale';
import { formatNumber } from '../report/format';
import type { InspectedToken } from './client';
import { regionOf } from './curve';
import { type Seen, seenByServer, seenUnder } from './place';
import type { Settings } from './settings';
import { branch, model, type Place } from './state';
import { visible } from './tokens';

const rowsShown = 12;

export const percent = (p: number): string =>
  p >= 0.9995 ? '100%' : p < 1e-6 ? (p === 0 ? '0' : '<0.0001%') : `${formatNumber(p * 100, p < 0.001 ? 1 : 3)}%`;

interface BarRow {
  token: InspectedToken;
  rank: number;
  drawn: number;
  z: number | null;
}

function rowsOf(place: Place, drawn: Seen): BarRow[] {
  const rows = place.inspection.tokens.map((token, i) => ({
    token,
    drawn: drawn.probabilities[i] ?? 0,
    z: drawn.pivot === null ? null : token.logit - drawn.pivot,
  }));
  const ranked = rows.sort((a, b) => b.token.logit - a.token.logit).map((row, i) => ({ ...row, rank: i + 1 }));
  const first = ranked.slice(0, rowsShown);
  const own = ranked.find(({ token }) => token.id === place.token?.id);
  return own && own.rank > rowsShown ? [...first.slice(0, -1), own] : first;
}

function BarRowView({
  row,
  scale,
  settings,
  chosen,
}: {
  row: BarRow;
  scale: (p: number) => number;
  settings: Settings;
  chosen: boolean;
}) {
  const { token, rank, drawn, z } = row;
  const region = z === null ? 'plain' : regionOf(z, settings.knobs);
  const name = visible(token.text);
  const before = token.probability.model;
  return (
    <button
      type="button"
      class={`bar-row ${chosen ? 'chosen' : ''} ${region}`}
      onClick={() => branch(token.id)}
      title={`Go on from here with ${name}`}
    >
      <span class="rank">{rank}</span>
      <span class="name">{name}</span>
      <span class="bars">
        <i class="before" style={{ width: `${scale(before)}%` }} />
        <i class="after" style={{ width: `${scale(drawn)}%` }} />
      </span>
      <span class="z">{z === null ? '' : formatNumber(Math.round(z * 10) / 10)}</span>
      <span class="p before">
        <span class="hidden">model </span>
        {percent(before)}
      </span>
      <span class="p after">
        <span class="hidden">drawn </span>
        {percent(drawn)}
      </span>
    </button>
  );
}

export function DistributionChart({ place, settings }: { place: Place; settings: Settings }) {
  const { inspection } = place;
  const drawn = place.asDrawn ? seenByServer(inspection) : seenUnder(inspection, model.value?.vocabulary ?? 0, settings);
  const rows = rowsOf(place, drawn);
  const most = Math.max(...rows.map(({ token, drawn: p }) => Math.max(token.probability.model, p)), 0.01);
  const x = scaleLinear([0, most], [0, 100]).nice(4);
  const below = rows.findIndex(({ z }) => z !== null && z < 0);
  return (
    <div class="distribution">
      <div class="bar-head" aria-hidden="true">
        <span class="rank">#</span>
        <span class="name">token</span>
        <span class="bars scale">
          {x.ticks(3).map((at) => (
            <i key={at} style={{ left: `${x(at)}%` }}>
              {percent(at)}
            </i>
          ))}
        </span>
        <span class="z">z</span>
        <span class="p before">model</span>
        <span class="p after">drawn</span>
      </div>
      {rows.map((row, i) => (
        <>
          {i === below && below > 0 && (
            <div class="pivot-mark" key="pivot">
              <span>pivot</span>
            </div>
          )}
          <BarRowView key={row.token.id} row={row} scale={x} settings={settings} chosen={row.token.id === place.token?.id} />
        </>
      ))}
      <p class="facts">
        <span>
          Entropy <b>{formatNumber(inspection.statistics.model.entropy, 3)}</b> → <b>{formatNumber(drawn.entropy, 3)}</b> nats
        </span>
        <span>
          Tail <b>{percent(inspection.statistics.model.tail_mass)}</b> → <b>{percent(drawn.tail)}</b>
        </span>
        {drawn.pivot !== null && (
          <span>
            Pivot at logit <b>{formatNumber(drawn.pivot, 3)}</b>
          </span>
        )}
      </p>
    </div>
  );
}
