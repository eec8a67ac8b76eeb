import { expect, test } from 'vitest';
import { formatCell, formatNumber, formatValue, labelOf } from '../src/report/format';

test.each([
  [0, undefined, '0'],
  [130560, undefined, '130,560'],
  [200, 2, '200'],
  [-1.37, 3, '−1.37'],
  [0.1, 3, '0.100'],
  [0.123456, undefined, '0.1235'],
  [0.5, undefined, '0.5'],
  [3.2e-6, 2, '3.2e−6'],
  [-3.2e-6, 2, '−3.2e−6'],
  [1.5e12, 2, '1.5e12'],
  [Number.POSITIVE_INFINITY, 2, '∞'],
])('%d with %s digits is %s', (value, digits, text) => {
  expect(formatNumber(value, digits)).toBe(text);
});

test('what is no number', () => {
  expect([null, undefined, true, false, 'top_p'].map((value) => formatValue(value))).toEqual(['–', '–', 'yes', 'no', 'top_p']);
});

test('a cell has its interval beside it', () => {
  const column = { key: 'kl', label: 'KL', digits: 2, low: 'from', high: 'to' };
  expect(formatCell({ kl: 0.123, from: 0.1, to: 0.15 }, column)).toEqual({ value: '0.12', interval: '[0.10, 0.15]' });
  expect(formatCell({ kl: 0.123, from: null, to: null }, column)).toEqual({ value: '0.12' });
  expect(formatCell({ kl: 0.123, from: null, to: 0.15 }, column)).toEqual({ value: '0.12', interval: '[–, 0.15]' });
});

test('labels have their unit', () => {
  expect(labelOf({ key: 'h', label: 'Entropy', unit: 'nats' })).toBe('Entropy (nats)');
  expect(labelOf({ key: 'h' })).toBe('h');
});
