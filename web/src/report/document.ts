// A report as docs/reference/report.md defines it, and reading one: what is wrong is said with its place.

export type Value = number | string | boolean | null;
export type Row = Readonly<Record<string, Value>>;

export interface Column {
  key: string;
  label: string;
  unit?: string;
  digits?: number;
  low?: string;
  high?: string;
  note?: string;
}

export interface Table {
  columns: Column[];
  rows: Row[];
}

export interface Axis {
  key: string;
  label?: string;
  unit?: string;
  scale?: 'linear' | 'log' | 'category';
  low?: string;
  high?: string;
}

export interface Rule {
  axis: 'x' | 'y';
  at: number;
  label?: string;
}

export const marks = ['line', 'point', 'bar', 'interval', 'heat'] as const;
export type Mark = (typeof marks)[number];

export interface Figure {
  title: string;
  caption?: string;
  table: string;
  where?: Record<string, Value | Value[]>;
  mark: Mark;
  x: Axis;
  y: Axis;
  value?: string;
  series?: string;
  facet?: string;
  label?: string;
  rules?: Rule[];
}

/** Tokens of a text, in lists of one length. */
export interface Tokens {
  text: string[];
  /** "shoulder", "mid", "toe", or null where no curve was at work. */
  region?: (string | null)[];
  /** What the model gives to it at temperature 1, and what the sampler gave. */
  p?: number[];
  q?: number[];
}

/** One prompt and how it went on, side by side. */
export interface Passage {
  prompt: string;
  columns: { label: string; tokens: Tokens }[];
}

export interface Section {
  id: string;
  title: string;
  text?: string[];
  texts?: Passage[];
  figures?: Figure[];
  tables?: string[];
}

export interface Report {
  format: 'hlg-report';
  version: number;
  kind: string;
  title: string;
  findings?: string[];
  made?: { hlg?: string; engine?: string | null; command?: string; date?: string; machine?: string; seconds?: number };
  inputs?: Record<string, unknown>[];
  settings?: unknown;
  seeds?: Record<string, number>;
  tables: Record<string, Table>;
  sections: Section[];
}

const version = 1;

/** Why a text is no report that this page can show; one line, for people. */
export class ReportError extends Error {}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function need(holds: boolean, what: string): asserts holds {
  if (!holds) throw new ReportError(what);
}

function checkTable(table: unknown, place: string) {
  need(isObject(table) && Array.isArray(table.columns) && Array.isArray(table.rows), `${place} needs columns and rows`);
  for (const column of table.columns)
    need(
      isObject(column) && typeof column.key === 'string' && typeof column.label === 'string',
      `${place}: a column needs key and label`,
    );
  need(table.rows.every(isObject), `${place}: a row is an object`);
}

function checkFigure(figure: unknown, tables: Record<string, unknown>, place: string) {
  need(isObject(figure) && typeof figure.title === 'string', `${place} needs a title`);
  need(
    marks.some((mark) => mark === figure.mark),
    `${place}: mark is ${JSON.stringify(figure.mark)}, known are ${marks.join(', ')}`,
  );
  need(typeof figure.table === 'string' && figure.table in tables, `${place}: there is no table ${JSON.stringify(figure.table)}`);
  for (const side of ['x', 'y']) {
    const axis = figure[side];
    need(isObject(axis) && typeof axis.key === 'string', `${place}: ${side} needs a key`);
  }
}

function checkPassage(passage: unknown, place: string) {
  need(isObject(passage) && typeof passage.prompt === 'string', `${place} needs a prompt`);
  need(Array.isArray(passage.columns), `${place} needs columns`);
  for (const column of passage.columns) {
    need(isObject(column) && typeof column.label === 'string', `${place}: a column needs a label`);
    const { tokens } = column;
    need(isObject(tokens) && Array.isArray(tokens.text), `${place}: a column needs tokens with text`);
    const { length } = tokens.text;
    need(
      Object.values(tokens).every((list) => Array.isArray(list) && list.length === length),
      `${place}: the lists of a column's tokens have one length`,
    );
  }
}

function checkSection(section: unknown, tables: Record<string, unknown>, place: string) {
  need(isObject(section) && typeof section.id === 'string' && typeof section.title === 'string', `${place} needs id and title`);
  const { figures = [], tables: shown = [], text = [], texts = [] } = section;
  need(
    [figures, shown, text, texts].every((list) => Array.isArray(list)),
    `${place}: figures, tables, text and texts are lists`,
  );
  (texts as unknown[]).forEach((passage, i) => {
    checkPassage(passage, `${place}, text ${i + 1}`);
  });
  (figures as unknown[]).forEach((figure, i) => {
    checkFigure(figure, tables, `${place}, figure ${i + 1}`);
  });
  for (const id of shown as unknown[])
    need(typeof id === 'string' && id in tables, `${place}: there is no table ${JSON.stringify(id)}`);
}

/** The report in a text; throws ReportError. */
export function readReport(text: string): Report {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ReportError(`This is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  need(isObject(json) && json.format === 'hlg-report', 'This is JSON, but no report of hlg: its "format" is not "hlg-report"');
  need(typeof json.version === 'number' && json.version >= 1, 'The report tells no version');
  need(
    json.version <= version,
    `The report has version ${json.version}, and this page knows ${version}: open it with a newer hlg`,
  );
  need(typeof json.title === 'string', 'The report has no title');
  const { tables, sections } = json;
  need(isObject(tables), 'The report has no tables');
  need(Array.isArray(sections), 'The report has no sections');
  for (const [id, table] of Object.entries(tables)) checkTable(table, `Table ${id}`);
  sections.forEach((section, i) => {
    checkSection(section, tables, `Section ${i + 1}`);
  });
  return json as unknown as Report;
}
