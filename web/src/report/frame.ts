// What all plots of a figure share, so that small ones beside each other compare.
import type { Axis, Figure, Row, Table } from './document';
import { formatValue } from './format';
import { distinct, placed, span } from './rows';
import { looks, seriesName } from './series';

export interface Frame {
  figure: Figure;
  series: string[];
  /** Of each series the number of its colour and shape. */
  looks: number[];
  x: [number, number] | undefined;
  y: [number, number] | undefined;
  /** The categories of an axis that has them. */
  xs: string[];
  ys: string[];
}

/** An axis takes from its column what it does not say itself. */
function completed(axis: Axis, table: Table): Axis {
  const column = table.columns.find((one) => one.key === axis.key);
  const { label, unit, low, high } = column ?? {};
  return {
    ...(label !== undefined && { label }),
    ...(unit !== undefined && { unit }),
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
    ...axis,
  };
}

/** A series looks alike in all figures of a table, unless that has more than there are looks. */
function looksOf(series: readonly string[], figure: Figure, table: Table): number[] {
  const all = distinct(table.rows, figure.series).map((value) => seriesName(value));
  return series.map((name, i) => (all.length <= looks ? all.indexOf(name) : i));
}

export function frameOf(figure: Figure, table: Table, rows: readonly Row[]): Frame {
  const complete = { ...figure, x: completed(figure.x, table), y: completed(figure.y, table) };
  if (figure.mark === 'interval' || figure.mark === 'heat') complete.y.scale ??= 'category';
  if (figure.mark === 'heat' || (figure.mark === 'bar' && complete.y.scale !== 'category')) complete.x.scale ??= 'category';
  const shown = placed(complete, rows);
  const series = distinct(shown, figure.series).map((value) => seriesName(value));
  return {
    figure: complete,
    series,
    looks: looksOf(series, figure, table),
    x: span(complete, 'x', shown),
    y: span(complete, 'y', shown),
    xs: distinct(shown, figure.x.key).map((value) => formatValue(value)),
    ys: distinct(shown, figure.y.key).map((value) => formatValue(value)),
  };
}
