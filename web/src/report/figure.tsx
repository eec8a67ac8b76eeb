// A figure: its title, one plot or small ones beside each other, and the numbers below.
import * as Plot from '@observablehq/plot';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { download, fileName } from '../shared/download';
import { useWidth } from '../shared/width';
import type { Figure, Row, Table } from './document';
import { plotOptions } from './drawing';
import { formatNumber, formatValue, labelOf } from './format';
import { type Frame, frameOf } from './frame';
import { chosen, distinct, placed } from './rows';
import { seriesColour, seriesShape } from './series';
import { standalone } from './svg';
import { DataTable } from './table';

function OnePlot({ frame, rows, name }: { frame: Frame; rows: readonly Row[]; name: string }) {
  const { element, width } = useWidth();
  useEffect(() => {
    if (!element.current || width === 0) return;
    const plot = Plot.plot(plotOptions(frame, rows, width));
    plot.setAttribute('role', 'img');
    plot.setAttribute('aria-label', `${frame.figure.title}${name && `, ${name}`}. The numbers follow as a table.`);
    // A picture's parts have no names of their own; ours tell tests and styles what they are.
    for (const part of plot.querySelectorAll('[aria-label]')) {
      part.setAttribute('data-part', part.getAttribute('aria-label') ?? '');
      part.removeAttribute('aria-label');
    }
    element.current.replaceChildren(plot);
  }, [frame, rows, name, width]);
  return (
    <div class="facet">
      {name && <h4>{name}</h4>}
      <div class="canvas" ref={element} />
    </div>
  );
}

/** A series' mark as the plots draw it. */
function Swatch({ index, line }: { index: number; line: boolean }) {
  const paths: Record<string, string> = {
    circle: 'M4 0a4 4 0 1 1-8 0 4 4 0 1 1 8 0',
    square: 'M-3.5-3.5h7v7h-7z',
    triangle: 'M0-4.5 4.2 3h-8.4z',
    diamond: 'M0-5 3.5 0 0 5-3.5 0z',
    star: 'M0-5 1.2-1.6 4.8-1.6 1.9.6 3 4 0 1.9-3 4-1.9.6-4.8-1.6-1.2-1.6z',
    cross: 'M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z',
    wye: 'M-1.5 4.5v-4l-3.3-1.9 1.5-2.6L0-2.1l3.3-1.9 1.5 2.6L1.5.5v4z',
    hexagon: 'M0-4.5 3.9-2.2v4.4L0 4.5-3.9 2.2v-4.4z',
  };
  return (
    <svg width="24" height="12" viewBox="-12 -6 24 12" aria-hidden="true">
      {line && <path d="M-12 0h24" stroke={seriesColour(index)} stroke-width="2" />}
      <path d={paths[seriesShape(index)]} fill={seriesColour(index)} />
    </svg>
  );
}

function HeatLegend({ figure, table, rows }: { figure: Figure; table: Table; rows: readonly Row[] }) {
  const column = table.columns.find(({ key }) => key === (figure.value ?? 'value'));
  const values = rows.map((row) => row[figure.value ?? 'value']).filter((value) => typeof value === 'number');
  if (values.length === 0) return null;
  return (
    <div class="legend">
      <span>{column && labelOf(column)}</span>
      <span>{formatNumber(Math.min(...values))}</span>
      <span class="ramp" />
      <span>{formatNumber(Math.max(...values))}</span>
    </div>
  );
}

const manyNames = 12; // categories below each other, beside which names need room

export function FigureView({ figure, table }: { figure: Figure; table: Table }) {
  const holder = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => chosen(table, figure.where), [figure, table]);
  const frame = useMemo(() => frameOf(figure, table, rows), [figure, table, rows]);
  const facets = useMemo(() => {
    if (figure.facet === undefined) return [{ name: '', rows }];
    const key = figure.facet;
    return distinct(rows, key).map((value) => ({
      name: formatValue(value),
      rows: rows.filter((row) => (row[key] ?? null) === value),
    }));
  }, [figure, rows]);
  const lost = rows.length - placed(frame.figure, rows).length;

  const save = () => {
    const plots = [...(holder.current?.querySelectorAll<SVGSVGElement>('.canvas > svg') ?? [])];
    const named = plots.map((svg, i) => ({ svg, name: facets[i]?.name ?? '' }));
    const swatches = [...(holder.current?.parentElement?.querySelectorAll<SVGSVGElement>('.legend li > svg') ?? [])];
    const legend = swatches.map((svg, i) => ({ svg, name: frame.series[i] ?? '' }));
    download(`${fileName(figure.title)}.svg`, standalone(figure.title, named, legend), 'image/svg+xml');
  };
  return (
    <figure
      class={`figure ${facets.length > 1 || (frame.figure.y.scale === 'category' && frame.ys.length > manyNames) ? 'wide' : ''}`}
    >
      <h3>{figure.title}</h3>
      {figure.caption && <figcaption>{figure.caption}</figcaption>}
      {frame.series.length > 0 && (
        <ul class="legend">
          {frame.series.map((name, i) => (
            <li key={name}>
              <Swatch index={frame.looks[i] ?? i} line={figure.mark === 'line'} />
              {name}
            </li>
          ))}
        </ul>
      )}
      {figure.mark === 'heat' && <HeatLegend figure={figure} table={table} rows={rows} />}
      <div class={facets.length > 1 ? 'facets' : 'facets one'} ref={holder}>
        {facets.map((facet) => (
          <OnePlot key={facet.name} frame={frame} rows={facet.rows} name={facet.name} />
        ))}
      </div>
      {lost > 0 && <p class="note">{`${lost} of ${rows.length} rows have no place on these axes; the table has them.`}</p>}
      <div class="figure-tools">
        <details>
          <summary>Show data</summary>
          <DataTable table={{ columns: table.columns, rows }} name={figure.title} />
        </details>
        <button type="button" class="button quiet" onClick={save}>
          Save as SVG
        </button>
      </div>
    </figure>
  );
}
