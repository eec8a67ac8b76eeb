// A whole report: findings first, then the sections, last where it comes from.
import type { Report, Section, Table } from './document';
import { FigureView } from './figure';
import { formatNumber, formatValue } from './format';
import { DataTable } from './table';
import { Texts } from './texts';

function SectionView({ section, tables }: { section: Section; tables: Record<string, Table> }) {
  return (
    <section class="section" id={section.id} aria-labelledby={`${section.id}-title`}>
      <h2 id={`${section.id}-title`}>{section.title}</h2>
      {(section.text ?? []).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {section.texts && <Texts texts={section.texts} />}
      <div class="figures">
        {(section.figures ?? []).map((figure, i) => {
          const table = tables[figure.table];
          return table && <FigureView key={`${figure.title} ${i}`} figure={figure} table={table} />;
        })}
      </div>
      {(section.tables ?? []).map((id) => {
        const table = tables[id];
        return table && <DataTable key={id} table={table} name={`${section.title}, ${id}`} />;
      })}
    </section>
  );
}

const detail = (value: unknown) =>
  Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : formatValue(value as never);

/** Objects of a list as a table, one column a key. */
function Inputs({ inputs }: { inputs: Record<string, unknown>[] }) {
  const keys = [...new Set(inputs.flatMap((input) => Object.keys(input)))];
  const rows = inputs.map((input) =>
    Object.fromEntries(
      keys.map((key) => [
        key,
        typeof input[key] === 'number' ? input[key] : input[key] === undefined ? null : detail(input[key]),
      ]),
    ),
  );
  return <DataTable table={{ columns: keys.map((key) => ({ key, label: key })), rows }} name="Inputs" />;
}

function Origin({ report }: { report: Report }) {
  const { made = {}, inputs = [], settings, seeds } = report;
  return (
    <section class="section" aria-labelledby="origin-title">
      <h2 id="origin-title">How this was made</h2>
      {made.command && (
        <pre class="command">
          <code>{made.command}</code>
        </pre>
      )}
      <p class="note">
        {[
          made.hlg && `hlg ${made.hlg}`,
          made.engine,
          made.machine,
          made.date?.replace('T', ' ').replace('Z', ' UTC'),
          made.seconds !== undefined && `${formatNumber(made.seconds, 3)} s`,
          seeds &&
            Object.entries(seeds)
              .map(([name, seed]) => `seed ${name} ${seed}`)
              .join(', '),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {inputs.length > 0 && <Inputs inputs={inputs} />}
      {settings !== undefined && (
        <details>
          <summary>Settings as they were resolved</summary>
          <pre class="command">
            <code>{JSON.stringify(settings, null, 2)}</code>
          </pre>
        </details>
      )}
    </section>
  );
}

export function ReportView({ report }: { report: Report }) {
  const { findings = [], sections } = report;
  return (
    <main class="report">
      <header class="head">
        <p class="kind">{report.kind}</p>
        <h1>{report.title}</h1>
        {findings.length > 0 && (
          <ol class="findings">
            {findings.map((finding) => (
              <li key={finding}>{finding}</li>
            ))}
          </ol>
        )}
      </header>
      {sections.length > 2 && (
        <nav class="contents" aria-label="Sections">
          {sections.map((section) => (
            <a key={section.id} href={`#${section.id}`}>
              {section.title}
            </a>
          ))}
        </nav>
      )}
      {sections.map((section) => (
        <SectionView key={section.id} section={section} tables={report.tables} />
      ))}
      <Origin report={report} />
    </main>
  );
}
