// The curve as a picture that can be dragged. Both axes are logits relative to the anchor, so that the model's tokens stay where
// they are while pivot and knots move over them.
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Inspection } from './client';
import { bendThrough, h, type Knobs, type Region, regionOf } from './curve';
import { anchorOf } from './distribution';
import { contextOf } from './place';
import { visible } from './tokens';

interface CurvePlotProps {
  knobs: Knobs;
  place: Inspection | null;
  vocabulary: number;
  chosen: number | undefined;
  onKnobs(part: Partial<Knobs>): void;
}

type Handle = 'pivot' | 'upper knot' | 'lower knot' | 'shoulder' | 'toe';

const height = 300;
const margin = { left: 36, right: 12, top: 12, bottom: 34 };
const domains: Record<Knobs['pivot'], [number, number]> = { top: [-15, 1.5], entropy: [-10, 6], median: [-10, 6] };
const anchors: Record<Knobs['pivot'], string> = { top: 'top logit', entropy: 'mean logit', median: 'median logit' };
const steepest = 0.05;
const flattest = 60; // nats; beyond it a bend cannot be seen, and is off
const reach = 3; // nats beyond the knot at which a bend is held
const samples = 60;

const tidy = (value: number) => Math.round(value * 100) / 100;
const bend = (value: number) => (value > flattest * 0.95 ? Infinity : Number(value.toPrecision(3)));
const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(380);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(260, Math.floor(entry?.contentRect.width ?? 380))));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/** Points of the curve from one z to another, relative to the anchor. */
function points(knobs: Knobs, from: number, to: number): [number, number][] {
  if (!(to > from)) return [];
  return Array.from({ length: samples + 1 }, (_, i) => {
    const z = from + ((to - from) * i) / samples;
    return [z - knobs.offset, h(z, knobs) - knobs.offset];
  });
}

function segments(knobs: Knobs, [low, high]: [number, number]): { region: Region; points: [number, number][] }[] {
  const { offset, width } = knobs;
  const [first, last] = [low + offset, high + offset];
  return [
    { region: 'toe', points: points(knobs, first, Math.min(-width, last)) },
    { region: 'mid', points: points(knobs, clamp(-width, first, last), clamp(width, first, last)) },
    { region: 'shoulder', points: points(knobs, Math.max(width, first), last) },
  ];
}

/** What dragging a handle to a point asks for. */
function dragged(handle: Handle, knobs: Knobs, [x, y]: [number, number], high: number): Partial<Knobs> {
  const z = x + knobs.offset;
  switch (handle) {
    case 'pivot':
      return { offset: tidy(clamp(-x, -10, 14)) };
    case 'upper knot':
      return { width: tidy(Math.max(z, 0)) };
    case 'lower knot':
      return { width: tidy(Math.max(-z, 0)) };
    case 'shoulder':
      return { shoulder: bend(bendThrough(shoulderZ(knobs, high), y + knobs.offset, knobs, steepest, flattest)) };
    case 'toe':
      return { toe: bend(bendThrough(-knobs.width - reach, y + knobs.offset, knobs, steepest, flattest)) };
  }
}

const shoulderZ = (knobs: Knobs, high: number) => Math.min(knobs.width + reach, high + knobs.offset - 0.3);

/** One step of an arrow key. */
function nudged(handle: Handle, knobs: Knobs, sign: number): Partial<Knobs> {
  const factor = 1.1 ** sign;
  switch (handle) {
    case 'pivot':
      return { offset: tidy(knobs.offset - 0.1 * sign) };
    case 'upper knot':
      return { width: tidy(Math.max(knobs.width + 0.1 * sign, 0)) };
    case 'lower knot':
      return { width: tidy(Math.max(knobs.width - 0.1 * sign, 0)) };
    case 'shoulder':
      return { shoulder: bend(clamp((knobs.shoulder === Infinity ? flattest : knobs.shoulder) * factor, steepest, flattest)) };
    case 'toe':
      return { toe: bend(clamp((knobs.toe === Infinity ? flattest : knobs.toe) * factor, steepest, flattest)) };
  }
}

export function CurvePlot({ knobs, place, vocabulary, chosen, onKnobs }: CurvePlotProps) {
  const { ref, width } = useWidth();
  const svg = useRef<SVGSVGElement>(null);
  const domain = domains[knobs.pivot];
  const [low, high] = domain;
  const x = scaleLinear(domain, [margin.left, width - margin.right]);
  const y = scaleLinear(domain, [height - margin.bottom, margin.top]);
  const path = line<[number, number]>(
    ([a]) => x(a),
    ([, b]) => y(b),
  );
  const anchor = place ? anchorOf(contextOf(place, vocabulary), knobs.pivot) : 0;
  const handles: { name: Handle; at: [number, number]; value: number; label: string }[] = [];
  const on = (z: number): [number, number] => [z - knobs.offset, h(z, knobs) - knobs.offset];
  if (knobs.width !== Infinity) {
    const nearTop = shoulderZ(knobs, high);
    if (nearTop > knobs.width + 0.25)
      handles.push({ name: 'shoulder', at: on(nearTop), value: knobs.shoulder, label: 'Shoulder' });
    handles.push({ name: 'toe', at: on(-knobs.width - reach), value: knobs.toe, label: 'Toe' });
    handles.push({ name: 'lower knot', at: on(-knobs.width), value: knobs.width, label: 'Width, at the lower knot' });
    handles.push({ name: 'upper knot', at: on(knobs.width), value: knobs.width, label: 'Width, at the upper knot' });
  }
  handles.push({ name: 'pivot', at: [-knobs.offset, -knobs.offset], value: knobs.offset, label: 'Pivot, nats below its anchor' });

  const hold = (event: PointerEvent, name: Handle) => {
    const target = event.currentTarget as SVGElement;
    target.setPointerCapture(event.pointerId);
    const move = (next: PointerEvent) => {
      const box = svg.current?.getBoundingClientRect();
      if (!box) return;
      onKnobs(dragged(name, latest.current, [x.invert(next.clientX - box.left), y.invert(next.clientY - box.top)], high));
    };
    const end = () => {
      target.removeEventListener('pointermove', move);
      target.removeEventListener('pointerup', end);
      target.removeEventListener('pointercancel', end);
    };
    target.addEventListener('pointermove', move);
    target.addEventListener('pointerup', end);
    target.addEventListener('pointercancel', end);
    event.preventDefault();
    target.focus();
  };
  // A drag outlives the picture that it began on.
  const latest = useRef(knobs);
  latest.current = knobs;

  return (
    <div class="curve-plot" ref={ref}>
      <svg ref={svg} width={width} height={height} aria-label="The curve; its handles are sliders">
        <defs>
          <clipPath id="curve-area">
            <rect
              x={margin.left}
              y={margin.top}
              width={width - margin.left - margin.right}
              height={height - margin.top - margin.bottom}
            />
          </clipPath>
        </defs>
        {x.ticks(6).map((at) => (
          <g key={at} class="tick">
            <path d={`M${x(at)} ${margin.top}V${height - margin.bottom}`} />
            <text x={x(at)} y={height - margin.bottom + 14} text-anchor="middle">
              {String(at).replace('-', '−')}
            </text>
          </g>
        ))}
        {y.ticks(6).map((at) => (
          <g key={at} class="tick">
            <path d={`M${margin.left} ${y(at)}H${width - margin.right}`} />
            <text x={margin.left - 6} y={y(at) + 4} text-anchor="end">
              {String(at).replace('-', '−')}
            </text>
          </g>
        ))}
        <text class="axis-label" x={(margin.left + width - margin.right) / 2} y={height - 4} text-anchor="middle">
          logit − {anchors[knobs.pivot]} (nats)
        </text>
        <g clip-path="url(#curve-area)">
          {segments(knobs, domain).map(({ region, points: some }) => (
            <path
              key={region}
              class={`gap ${region}`}
              d={
                some.length > 0
                  ? `${path(some)}L${some
                      .toReversed()
                      .map(([a]) => `${x(a)} ${y(a)}`)
                      .join('L')}Z`
                  : ''
              }
            />
          ))}
          <path class="plain" d={`M${x(low)} ${y(low)}L${x(high)} ${y(high)}`} />
          <path class="pivot-line" d={`M${x(-knobs.offset)} ${margin.top}V${height - margin.bottom}`} />
          {segments(knobs, domain).map(({ region, points: some }) => (
            <path key={region} class={`curve ${region}`} d={path(some) ?? ''} />
          ))}
          {place?.tokens.slice(0, 40).map((token) => {
            const z = token.logit - anchor + knobs.offset;
            const [a, b] = on(z);
            return (
              <circle
                key={token.id}
                class={`token ${regionOf(z, knobs)} ${token.id === chosen ? 'chosen' : ''}`}
                cx={x(a)}
                cy={y(b)}
                r={1.5 + 7 * Math.sqrt(Math.exp(token.logprob))}
              >
                <title>{visible(token.text)}</title>
              </circle>
            );
          })}
        </g>
        {handles.map(({ name, at, value, label }) => (
          <g
            key={name}
            class={`handle ${name.replace(' ', '-')}`}
            data-handle={name}
            role="slider"
            tabIndex={0}
            aria-label={label}
            aria-valuemin={name === 'pivot' ? -10000 : 0}
            aria-valuemax={10000}
            aria-valuenow={Math.min(value, 10000)}
            aria-valuetext={value === Infinity ? 'off' : `${value} nats`}
            transform={`translate(${clamp(x(at[0]), margin.left, width - margin.right)} ${clamp(y(at[1]), margin.top, height - margin.bottom)})`}
            onPointerDown={(event) => hold(event, name)}
            onKeyDown={(event) => {
              const sign = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
              if (!sign) return;
              event.preventDefault();
              onKnobs(nudged(name, knobs, sign));
            }}
          >
            <title>{`${label}: drag, or use the arrow keys`}</title>
            <circle class="grip" r="14" />
            {name === 'shoulder' || name === 'toe' ? (
              <rect x="-5" y="-5" width="10" height="10" rx="2" transform="rotate(45)" />
            ) : (
              <circle r={name === 'pivot' ? 7 : 6} />
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}
