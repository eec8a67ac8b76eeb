import { expect, test } from 'vitest';
import type { Figure } from '../src/report/document';
import { frameOf } from '../src/report/frame';
import { chosen, distinct, placed, span } from '../src/report/rows';

const rows = [
  { sampler: 'a', x: 1, y: 2, low: 1, high: 5 },
  { sampler: 'a', x: 2, y: 0, low: -1, high: 1 },
  { sampler: 'b', x: 3, y: null, low: null, high: null },
  { sampler: null, x: 4, y: 3, low: 2, high: 4 },
];
const table = { columns: [{ key: 'y', label: 'Y', unit: 'nats', low: 'low', high: 'high' }], rows };
const figure: Figure = { title: '', table: 't', mark: 'point', x: { key: 'x' }, y: { key: 'y' } };

test('where keeps rows by one value, by several, and by null', () => {
  expect(chosen(table, undefined)).toEqual(rows);
  expect(chosen(table, { sampler: 'a' })).toEqual(rows.slice(0, 2));
  expect(chosen(table, { sampler: ['b', null] })).toEqual(rows.slice(2));
  expect(chosen(table, { sampler: 'a', x: 2 })).toEqual([rows[1]]);
});

test('categories keep the order in which they come', () => {
  expect(distinct(rows, 'sampler')).toEqual(['a', 'b', null]);
});

test('a row without a value has no place, nor one that a logarithm refuses', () => {
  expect(placed(figure, rows)).toEqual([rows[0], rows[1], rows[3]]);
  expect(placed({ ...figure, y: { key: 'y', scale: 'log' } }, rows)).toEqual([rows[0], rows[3]]);
});

test('an axis spans values, intervals and rules', () => {
  const { figure: complete } = frameOf(figure, table, rows);
  expect(complete.y).toMatchObject({ label: 'Y', unit: 'nats', low: 'low', high: 'high' });
  expect(span(figure, 'y', rows)).toEqual([0, 3]);
  expect(span(complete, 'y', rows)).toEqual([-1, 5]);
  expect(span({ ...complete, rules: [{ axis: 'y', at: 9 }] }, 'y', rows)).toEqual([-1, 9]);
  expect(span({ ...complete, y: { key: 'y', scale: 'log', low: 'low', high: 'high' } }, 'y', rows)).toEqual([1, 5]);
});

test('bars begin at 0, and one value alone still has an axis', () => {
  expect(span({ ...figure, mark: 'bar' }, 'x', rows)).toEqual([0, 4]);
  const [low, high] = span(figure, 'x', rows.slice(0, 1)) ?? [0, 0];
  expect(low).toBeLessThan(1);
  expect(high).toBeGreaterThan(1);
  expect(span(figure, 'x', [])).toBeUndefined();
});

test('a series looks alike in every figure of its table', () => {
  const looks = (where: Figure['where'], all = rows) => {
    const some = { columns: [], rows: all };
    return frameOf({ ...figure, series: 'sampler' }, some, chosen(some, where)).looks;
  };
  expect(looks(undefined)).toEqual([0, 2]); // b has no value to be drawn
  expect(looks({ sampler: [null] })).toEqual([2]);
  const many = Array.from({ length: 9 }, (_, i) => ({ sampler: `s${i}`, x: i, y: i, low: i, high: i }));
  expect(looks({ sampler: 's8' }, many)).toEqual([0]);
});
