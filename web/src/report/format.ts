// Numbers as people read them.
import type { Column, Row, Value } from './document';

const defaultDigits = 4;
const minus = (text: string) => text.replaceAll('-', '−');

/** So many significant digits; whole numbers whole; very large and small ones as 1.2e-6. */
export function formatNumber(value: number, digits?: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'not a number' : value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e9) return minus(value.toLocaleString('en'));
  const significant = Math.min(Math.max(digits ?? defaultDigits, 1), 17);
  if (size < 1e-4 || size >= 1e9) return minus(value.toExponential(significant - 1).replace('e+', 'e'));
  const options = digits === undefined ? {} : { minimumSignificantDigits: significant };
  return minus(value.toLocaleString('en', { maximumSignificantDigits: significant, ...options }));
}

/** A value as a cell shows it. */
export function formatValue(value: Value | undefined, digits?: number): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return formatNumber(value, digits);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value;
}

/** "label (unit)". */
export function labelOf(named: { key: string; label?: string; unit?: string }): string {
  const label = named.label ?? named.key;
  return named.unit ? `${label} (${named.unit})` : label;
}

/** A column's value in a row with its interval: "0.12 [0.10, 0.14]". */
export function formatCell(row: Row, column: Column): { value: string; interval?: string } {
  const value = formatValue(row[column.key], column.digits);
  const low = column.low === undefined ? null : (row[column.low] ?? null);
  const high = column.high === undefined ? null : (row[column.high] ?? null);
  if (low === null && high === null) return { value };
  return { value, interval: `[${formatValue(low, column.digits)}, ${formatValue(high, column.digits)}]` };
}
