// What Observable Plot draws of a figure's rows: one function a mark.
import * as Plot from '@observablehq/plot';
import { extent } from 'd3-array';
import type { Axis, Figure, Mark, Row } from './document';
import { formatNumber, formatValue, labelOf } from './format';
import type { Frame } from './frame';
import { seriesName } from './series';

/** Pixels between the series of one category. */
export const laneStep = 14;

const at = (axis: Axis) => (row: Row) => (axis.scale === 'category' ? formatValue(row[axis.key]) : row[axis.key]);
const end = (key: string | undefined, axis: Axis) => (row: Row) => (key === undefined ? null : (row[key] ?? row[axis.key]));
const hasInterval = (axis: Axis) => axis.scale !== 'category' && axis.low !== undefined && axis.high !== undefined;
const ofSeries = (figure: Figure) => (row: Row) => (figure.series === undefined ? '' : seriesName(row[figure.series]));

/** What a tip says of a row. */
function told({ figure }: Frame, row: Row): string {
  const lines = [figure.label, figure.series].flatMap((key) => (key === undefined ? [] : [formatValue(row[key])]));
  for (const axis of [figure.x, figure.y]) {
    const interval = hasInterval(axis) ? ` [${formatValue(row[axis.low ?? ''])}, ${formatValue(row[axis.high ?? ''])}]` : '';
    lines.push(`${labelOf(axis)}: ${formatValue(row[axis.key])}${interval}`);
  }
  if (figure.mark === 'heat') lines.push(formatValue(row[figure.value ?? 'value']));
  return [...new Set(lines)].join('\n');
}

function tip(frame: Frame, rows: readonly Row[], x: (row: Row) => unknown = at(frame.figure.x), options = {}) {
  const { y } = frame.figure;
  const said = { x, y: at(y), title: (row: Row) => told(frame, row), fill: 'var(--raised)', stroke: 'var(--line-strong)' };
  return Plot.tip(rows as Row[], Plot.pointer({ ...said, ...options } as Plot.TipOptions));
}

function lines(frame: Frame, rows: Row[]): Plot.Markish[] {
  const { x, y } = frame.figure;
  const of = ofSeries(frame.figure);
  const sorted = x.scale === 'category' ? rows : [...rows].sort((a, b) => Number(a[x.key]) - Number(b[x.key]));
  const band = hasInterval(y)
    ? [Plot.areaY(sorted, { x: at(x), y1: end(y.low, y), y2: end(y.high, y), z: of, fill: of, fillOpacity: 0.16 })]
    : [];
  return [
    ...band,
    Plot.lineY(sorted, { x: at(x), y: at(y), z: of, stroke: of, strokeWidth: 2 }),
    Plot.dot(sorted, { x: at(x), y: at(y), fill: of, symbol: of, r: 3 }),
    ...labels(frame, rows),
    tip(frame, sorted),
  ];
}

function labels({ figure, x }: Frame, rows: readonly Row[]): Plot.Markish[] {
  const { label } = figure;
  if (label === undefined) return [];
  const middle = x ? (figure.x.scale === 'log' ? Math.sqrt(x[0] * x[1]) : (x[0] + x[1]) / 2) : Number.POSITIVE_INFINITY;
  const side = (right: boolean) =>
    Plot.text(
      rows.filter((row) => Number(row[figure.x.key]) > middle === right),
      {
        x: at(figure.x),
        y: at(figure.y),
        text: (row: Row) => formatValue(row[label]),
        textAnchor: right ? 'end' : 'start',
        dx: right ? -8 : 8,
        dy: -7,
        fill: 'var(--ink)',
        stroke: 'var(--paper)',
        strokeWidth: 4,
      },
    );
  return [side(false), side(true)];
}

function points(frame: Frame, rows: Row[]): Plot.Markish[] {
  const { x, y } = frame.figure;
  const stroke = ofSeries(frame.figure);
  const whiskers: Plot.Markish[] = [];
  if (hasInterval(y))
    whiskers.push(Plot.ruleX(rows, { x: at(x), y1: end(y.low, y), y2: end(y.high, y), stroke, strokeWidth: 1.5 }));
  if (hasInterval(x))
    whiskers.push(Plot.ruleY(rows, { y: at(y), x1: end(x.low, x), x2: end(x.high, x), stroke, strokeWidth: 1.5 }));
  return [
    ...whiskers,
    Plot.dot(rows, { x: at(x), y: at(y), fill: stroke, symbol: stroke, r: 4.5, stroke: 'var(--paper)' }),
    ...labels(frame, rows),
    tip(frame, rows),
  ];
}

/** Pixels by which a series is moved so that those of one category do not hide each other. */
const lane = (frame: Frame, index: number, step: number) => (index - (Math.max(frame.series.length, 1) - 1) / 2) * step;

function bySeries(frame: Frame, rows: Row[]): Row[][] {
  if (frame.series.length === 0) return [rows];
  const of = ofSeries(frame.figure);
  return frame.series.map((name) => rows.filter((row) => of(row) === name));
}

function intervals(frame: Frame, rows: Row[]): Plot.Markish[] {
  const { x, y } = frame.figure;
  const stroke = ofSeries(frame.figure);
  return bySeries(frame, rows).flatMap((some, i) => {
    const dy = lane(frame, i, laneStep);
    const whisker = hasInterval(x)
      ? [
          Plot.ruleY(some, {
            y: at(y),
            x1: end(x.low, x),
            x2: end(x.high, x),
            stroke,
            strokeWidth: 2,
            strokeLinecap: 'round',
            dy,
          }),
        ]
      : [];
    const dot = Plot.dot(some, { x: at(x), y: at(y), fill: stroke, symbol: stroke, r: 5, stroke: 'var(--paper)', dy });
    return [...whisker, dot, tip(frame, some, at(x), { dy })];
  });
}

function bars(frame: Frame, rows: Row[]): Plot.Markish[] {
  const { x, y } = frame.figure;
  const fill = ofSeries(frame.figure);
  const flat = y.scale === 'category';
  const count = Math.max(frame.series.length, 1);
  const thick = flat ? laneStep : Math.max(4, Math.min(28, 180 / (count * Math.max(frame.xs.length, 1))));
  // A rule as thick as a bar, for the lanes of a category are moved by pixels.
  return bySeries(frame, rows).flatMap((some, i) => {
    const move = lane(frame, i, thick + 2);
    if (flat) {
      const whisker = hasInterval(x)
        ? [Plot.ruleY(some, { y: at(y), x1: end(x.low, x), x2: end(x.high, x), stroke: 'var(--ink)', dy: move })]
        : [];
      const bar = Plot.ruleY(some, { y: at(y), x1: 0, x2: at(x), stroke: fill, strokeWidth: thick, dy: move });
      return [bar, ...whisker, tip(frame, some, at(x), { dy: move })];
    }
    const whisker = hasInterval(y)
      ? [Plot.ruleX(some, { x: at(x), y1: end(y.low, y), y2: end(y.high, y), stroke: 'var(--ink)', dx: move })]
      : [];
    const bar = Plot.ruleX(some, { x: at(x), y1: 0, y2: at(y), stroke: fill, strokeWidth: thick, dx: move });
    return [bar, ...whisker, tip(frame, some, at(x), { dx: move })];
  });
}

const mostTold = 150; // cells whose values are written in them

function cells(frame: Frame, rows: Row[]): Plot.Markish[] {
  const { x, y, value = 'value' } = frame.figure;
  const [low = 0, high = 1] = extent(rows, (row) => Number(row[value]));
  // Dark cells of the light theme and light ones of the dark theme are both the high ones.
  const isHigh = (row: Row) => Number(row[value]) > (low + high) / 2;
  const text = (row: Row) => (typeof row[value] === 'number' ? formatNumber(row[value], 3) : formatValue(row[value]));
  const told =
    rows.length > mostTold
      ? []
      : [false, true].map((up) => {
          const some = rows.filter((row) => isHigh(row) === up);
          return Plot.text(some, { x: at(x), y: at(y), text, fill: up ? 'var(--paper)' : 'var(--ink)' });
        });
  return [Plot.cell(rows, { x: at(x), y: at(y), fill: (row: Row) => row[value], inset: 0.5 }), ...told, tip(frame, rows)];
}

export const drawers: Record<Mark, (frame: Frame, rows: Row[]) => Plot.Markish[]> = {
  line: lines,
  point: points,
  bar: bars,
  interval: intervals,
  heat: cells,
};

export function rules(figure: Figure): Plot.Markish[] {
  const style = { stroke: 'var(--muted)', strokeDasharray: '4 3' };
  const said = { fill: 'var(--muted)', stroke: 'var(--paper)', strokeWidth: 4 };
  return (figure.rules ?? []).flatMap((rule) => {
    const text = () => rule.label ?? null;
    return rule.axis === 'x'
      ? [
          Plot.ruleX([rule.at], style),
          Plot.text([rule.at], { x: (at) => at, text, frameAnchor: 'top', textAnchor: 'start', dx: 5, dy: 2, ...said }),
        ]
      : [
          Plot.ruleY([rule.at], style),
          Plot.text([rule.at], { y: (at) => at, text, frameAnchor: 'right', textAnchor: 'end', dy: -8, ...said }),
        ];
  });
}
