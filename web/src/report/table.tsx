// A table of a report: numbers right, intervals beside them, sorted by any column.
import { useMemo, useState } from 'preact/hooks';
import type { Column, Row, Table, Value } from './document';
import { formatCell, labelOf } from './format';

interface Order {
  key: string;
  down: boolean;
}

const longText = 80;
const longWord = 40; // as checksums are
const rowsAtFirst = 200;

function compare(a: Value | undefined, b: Value | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
  return String(a ?? '').localeCompare(String(b ?? ''));
}

function sorted(rows: readonly Row[], order: Order | undefined): readonly Row[] {
  if (!order) return rows;
  const sign = order.down ? -1 : 1;
  const empty = (row: Row) => Number((row[order.key] ?? null) === null);
  // What has no value comes last either way.
  return [...rows].sort((a, b) => empty(a) - empty(b) || sign * compare(a[order.key], b[order.key]));
}

type Kind = 'number' | 'prose' | 'word' | 'sum';

function kindOf(rows: readonly Row[], key: string): Kind {
  const values = rows.map((row) => row[key] ?? null).filter((value) => value !== null);
  if (values.length > 0 && values.every((value) => typeof value === 'number')) return 'number';
  const longest = (part: (text: string) => string[]) =>
    Math.max(0, ...values.flatMap((value) => (typeof value === 'string' ? part(value).map(({ length }) => length) : [])));
  if (longest((text) => text.split(/\s/)) > longWord) return 'sum';
  return longest((text) => [text]) > longText ? 'prose' : 'word';
}

function Head({
  column,
  kind,
  order,
  onOrder,
}: {
  column: Column;
  kind: Kind;
  order: Order | undefined;
  onOrder(order: Order): void;
}) {
  const active = order?.key === column.key;
  const sort = active ? (order.down ? 'descending' : 'ascending') : 'none';
  return (
    <th scope="col" class={kind} aria-sort={sort}>
      <button
        type="button"
        title={column.note}
        onClick={() => onOrder({ key: column.key, down: active ? !order.down : kind === 'number' })}
      >
        {labelOf(column)}
        <span aria-hidden="true" class="arrow">
          {active ? (order.down ? '↓' : '↑') : ''}
        </span>
      </button>
    </th>
  );
}

export function DataTable({ table, name }: { table: Table; name: string }) {
  const [order, setOrder] = useState<Order>();
  const rows = useMemo(() => sorted(table.rows, order), [table, order]);
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, rowsAtFirst);
  const kinds = useMemo(() => table.columns.map((column) => kindOf(table.rows, column.key)), [table]);
  const notes = table.columns.filter((column) => column.note);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section class="scroll" tabIndex={0} aria-label={`Table: ${name}`}>
        <table>
          <thead>
            <tr>
              {table.columns.map((column, i) => (
                <Head key={column.key} column={column} kind={kinds[i] ?? 'word'} order={order} onOrder={setOrder} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, i) => (
              <tr key={i}>
                {table.columns.map((column, j) => {
                  const { value, interval } = formatCell(row, column);
                  return (
                    <td key={column.key} class={kinds[j]}>
                      {value}
                      {interval && <span class="interval"> {interval}</span>}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < rows.length && (
        <button type="button" class="button quiet" onClick={() => setAll(true)}>
          {`Show all ${rows.length} rows`}
        </button>
      )}
      {notes.length > 0 && (
        <dl class="notes">
          {notes.map((column) => (
            <div key={column.key}>
              <dt>{column.label}</dt>
              <dd>{column.note}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
