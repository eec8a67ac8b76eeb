import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readReport } from '../src/report/document';

const text = readFileSync(new URL('../../tests/web/made_up_report.json', import.meta.url), 'utf8');

/** The made-up report with something changed. */
function changed(change: (report: Record<string, never>) => void): string {
  const report = JSON.parse(text);
  change(report);
  return JSON.stringify(report);
}

test('a report is read whole', () => {
  expect(readReport(text)).toEqual(JSON.parse(text));
});

test('fields that are not known do not matter', () => {
  const report = JSON.parse(text);
  report.later = { more: 1 };
  report.sections[0].figures[0].shine = true;
  expect(readReport(JSON.stringify(report)).title).toBe(report.title);
});

describe('what is refused says where', () => {
  const refused: [string, string | (() => string), RegExp][] = [
    ['no JSON', '{"format"', /not JSON/],
    [
      'tokens of two lengths',
      () =>
        changed((r: { sections?: { texts?: { columns: { tokens: { p: number[] } }[] }[] }[] }) =>
          r.sections?.at(-1)?.texts?.[0]?.columns[1]?.tokens.p.pop(),
        ),
      /text 1: the lists of a column's tokens have one length/,
    ],
    ['another JSON', '{"format": "csv"}', /no report of hlg/],
    ['a list', '[]', /no report of hlg/],
    ['a later version', () => changed((r) => Object.assign(r, { version: 2 })), /version 2.*newer/],
    ['no version', () => changed((r) => Object.assign(r, { version: null })), /no version/],
    ['no title', () => changed((r) => Object.assign(r, { title: 3 })), /no title/],
    ['no tables', () => changed((r) => Object.assign(r, { tables: [] })), /no tables/],
    ['a table without rows', () => changed((r) => Object.assign(r, { tables: { kl: { columns: [] } } })), /Table kl/],
    [
      'a figure of no table',
      () => changed((r) => Object.assign(r, { tables: {} })),
      /Section 1, figure 1: there is no table "kl"/,
    ],
    [
      'an unknown mark',
      () =>
        changed((r: { sections?: { figures: { mark: string }[] }[] }) =>
          Object.assign(r.sections?.[0]?.figures[1] ?? {}, { mark: 'pie' }),
        ),
      /figure 2: mark is "pie", known are line, point/,
    ],
  ];
  test.each(refused)('%s', (_, input, message) => {
    expect(() => readReport(typeof input === 'string' ? input : input())).toThrow(message);
  });
});
