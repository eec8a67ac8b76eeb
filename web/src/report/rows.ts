// Which rows a figure draws, and what its axes have to hold.
import { extent } from 'd3-array';
import type { Axis, Figure, Row, Table, Value } from './document';

/** Rows that the figure's `where` lets through. */
export function chosen(table: Table, where: Figure['where']): Row[] {
  const wanted = Object.entries(where ?? {}).map(([key, values]) => [key, Array.isArray(values) ? values : [values]] as const);
  return table.rows.filter((row) => wanted.every(([key, values]) => values.includes(row[key] ?? null)));
}

/** The different values of a column, in the order in which they come. */
export function distinct(rows: readonly Row[], key: string | undefined): Value[] {
  if (key === undefined) return [];
  return [...new Set(rows.map((row) => row[key] ?? null))];
}

/** Whether the axis can show the value. */
export function drawable(axis: Axis, value: Value | undefined): boolean {
  if (axis.scale === 'category') return value !== null && value !== undefined;
  return typeof value === 'number' && Number.isFinite(value) && (axis.scale !== 'log' || value > 0);
}

/** Rows that have a place on both axes. */
export function placed(figure: Figure, rows: readonly Row[]): Row[] {
  return rows.filter((row) => drawable(figure.x, row[figure.x.key]) && drawable(figure.y, row[figure.y.key]));
}

/** What a numeric axis has to span, intervals and rules included; undefined if there is nothing. */
export function span(figure: Figure, side: 'x' | 'y', rows: readonly Row[]): [number, number] | undefined {
  const axis = figure[side];
  const keys = [axis.key, axis.low, axis.high].filter((key) => key !== undefined);
  const values = rows.flatMap((row) => keys.map((key) => row[key])).filter((value) => drawable(axis, value));
  const rules = (figure.rules ?? []).filter((rule) => rule.axis === side).map((rule) => rule.at);
  if (figure.mark === 'bar' && axis.scale !== 'log') rules.push(0);
  const [low, high] = extent([...(values as number[]), ...rules.filter((at) => drawable(axis, at))]);
  if (low === undefined || high === undefined) return undefined;
  return low === high ? pad(axis, low) : [low, high];
}

function pad(axis: Axis, at: number): [number, number] {
  if (axis.scale === 'log') return [at / 2, at * 2];
  const room = Math.abs(at) * 0.1 || 1;
  return [at - room, at + room];
}
