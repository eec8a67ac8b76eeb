// A place's distribution before and after the sampler: paired bars, likeliest first, the pivot between them.
import { scaleLinear } from 'd3-scale';
import { formatNumber } from '../report/format';
import type { InspectedToken, Inspection } from './client';
import { regionOf } from './curve';
import { type Seen, seenByServer, seenUnder } from './place';
import { branch, type Place } from './places';
import type { Settings } from './settings';
import { model } from './state';
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

const rankings = new WeakMap<Inspection, number[]>();

/** The places in an inspection's list, the model's likeliest token first: no settings change that. */
function rankingOf(inspection: Inspection): number[] {
  const { tokens } = inspection;
  const logit = (i: number) => tokens[i]?.logit ?? -Infinity;
  const ranking = rankings.get(inspection) ?? [...tokens.keys()].sort((a, b) => logit(b) - logit(a));
  rankings.set(inspection, ranking);
  return ranking;
}

function rowsOf({ inspection, token: chosen }: Place, drawn: Seen): BarRow[] {
  const ranking = rankingOf(inspection);
  const own = ranking.findIndex((i) => inspection.tokens[i]?.id === chosen?.id);
  const shown = ranking.slice(0, own >= rowsShown ? rowsShown - 1 : rowsShown).map((_, rank) => rank);
  if (own >= rowsShown) shown.push(own);
  return shown.flatMap((rank) => {
    const i = ranking[rank] ?? 0;
    const token = inspection.tokens[i];
    const z = token && drawn.pivot !== null ? token.logit - drawn.pivot : null;
    return token ? [{ token, rank: rank + 1, drawn: drawn.probabilities[i] ?? 0, z }] : [];
  });
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
      <span class="z">{z === null ? '' : z.toFixed(1).replace('-', '−')}</span>
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
      {drawn.pivot !== null && below < 0 && (
        <div class="pivot-mark">
          <span>pivot further down</span>
        </div>
      )}
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
