// Colours and shapes of a figure's series: told apart by both, so that neither print nor eyes need to see colours.
import type { Value } from './document';
import { formatValue } from './format';

const colours = 8;
export const shapes = ['circle', 'square', 'triangle', 'diamond', 'star', 'cross', 'wye', 'hexagon'] as const;

/** The scale's value of rows without a series. */
export const single = '';

export const seriesName = (value: Value | undefined): string => (value === undefined ? single : formatValue(value));
export const seriesColour = (index: number): string => `var(--series-${index % colours})`;
export const seriesShape = (index: number): (typeof shapes)[number] => shapes[index % shapes.length] ?? 'circle';

/** Plot's scales for these series. */
export function seriesScales(names: readonly string[]) {
  const domain = names.length > 0 ? [...names] : [single];
  return {
    color: { type: 'ordinal' as const, domain, range: domain.map((_, i) => seriesColour(i)) },
    symbol: { type: 'ordinal' as const, domain, range: domain.map((_, i) => seriesShape(i)) },
  };
}
