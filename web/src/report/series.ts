// Colours and shapes of a figure's series: told apart by both, so that neither print nor eyes need to see colours.
import type { Value } from './document';
import { formatValue } from './format';

/** How many series look different. */
export const looks = 8;
export const shapes = ['circle', 'square', 'triangle', 'diamond', 'star', 'cross', 'wye', 'hexagon'] as const;

/** The scale's value of rows without a series. */
export const single = '';

export const seriesName = (value: Value | undefined): string => (value === undefined ? single : formatValue(value));
export const seriesColour = (index: number): string => `var(--series-${index % looks})`;
export const seriesShape = (index: number): (typeof shapes)[number] => shapes[index % shapes.length] ?? 'circle';

/** Plot's scales for these series, each with the number of its look. */
export function seriesScales(names: readonly string[], numbers: readonly number[]) {
  const domain = names.length > 0 ? [...names] : [single];
  return {
    color: { type: 'ordinal' as const, domain, range: domain.map((_, i) => seriesColour(numbers[i] ?? i)) },
    symbol: { type: 'ordinal' as const, domain, range: domain.map((_, i) => seriesShape(numbers[i] ?? i)) },
  };
}
