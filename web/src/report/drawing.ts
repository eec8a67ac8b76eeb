// From a figure and its rows to the options of Observable Plot.
import type * as Plot from '@observablehq/plot';
import { axisY } from '@observablehq/plot';
import type { Axis, Row } from './document';
import { formatNumber, labelOf } from './format';
import type { Frame } from './frame';
import { drawers, laneStep, rules } from './marks';
import { placed } from './rows';
import { seriesScales } from './series';

function scale(
  side: 'x' | 'y',
  axis: Axis,
  domain: [number, number] | undefined,
  categories: string[],
  banded: boolean,
): Plot.ScaleOptions {
  const label = labelOf(axis);
  if (axis.scale === 'category')
    return {
      type: banded ? 'band' : 'point',
      domain: categories,
      label: side === 'x' || banded ? label : null,
      labelAnchor: side === 'x' ? 'center' : 'top',
      labelArrow: 'none',
      padding: banded ? 0 : 0.6,
    };
  const tickFormat = (value: number) => formatNumber(value);
  const type = axis.scale ?? 'linear';
  return {
    type,
    ...(domain && { domain, nice: type === 'linear' }),
    label,
    labelAnchor: 'center',
    labelArrow: 'none',
    grid: true,
    tickFormat,
    ...(type === 'log' && { ticks: 5 }),
  };
}

const fontSize = 12; // px
const letter = 6.6; // pixels of an average one at that size
const heightOf = (frame: Frame, width: number) => {
  if (frame.figure.y.scale !== 'category') return Math.round(Math.min(380, Math.max(240, width * 0.5)));
  const each = frame.figure.mark === 'heat' ? 34 : 16 + laneStep * Math.max(frame.series.length, 1);
  return 64 + each * frame.ys.length;
};

/** The options of one plot, `width` pixels wide. */
export function plotOptions(frame: Frame, rows: readonly Row[], width: number): Plot.PlotOptions {
  const { figure } = frame;
  const heat = figure.mark === 'heat';
  const longest = Math.max(0, ...frame.ys.map((name) => name.length));
  const room = figure.y.scale === 'category' ? Math.min(longest * letter + (heat ? 40 : 16), width * 0.45) : 56;
  const crowded = figure.x.scale === 'category' && frame.xs.join('').length * letter > width - room - 16 * frame.xs.length;
  // Names that are longer than their room end in an ellipsis.
  const named = figure.y.scale === 'category';
  const names = named ? [axisY({ lineWidth: (room - 14) / fontSize, textOverflow: 'ellipsis', tickSize: 4 })] : [];
  const colours = heat
    ? {
        color: {
          type: 'linear' as const,
          interpolate: (t: number) => `color-mix(in oklab, var(--heat-high) ${(t * 100).toFixed(1)}%, var(--heat-low))`,
        },
      }
    : seriesScales(frame.series, frame.looks);
  return {
    className: 'plot',
    width,
    height: heightOf(frame, width) + (crowded ? 50 : 0),
    marginLeft: Math.round(room),
    marginRight: 16,
    marginTop: 20,
    marginBottom: crowded ? 90 : 48,
    style: { fontSize: `${fontSize}px`, fontFamily: 'inherit', overflow: 'visible' },
    // What stands for a row stays whole at the picture's edge.
    ...(figure.mark === 'point' && { inset: 8 }),
    x: { ...scale('x', figure.x, frame.x, frame.xs, heat), ...(crowded && { tickRotate: -35 }) },
    y: { ...scale('y', figure.y, frame.y, frame.ys, heat), ...(named && { axis: null }) },
    ...colours,
    marks: [...names, ...rules(figure), ...drawers[figure.mark](frame, placed(figure, rows))],
  };
}
