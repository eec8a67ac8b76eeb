// The curve, drawn: axes, the model's tokens on it, and handles for hand and keys.
import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { useRef } from 'preact/hooks';
import { useWidth } from '../shared/width';
import type { Inspection } from './client';
import { type Knobs, regionOf } from './curve';
import {
  anchors,
  clamp,
  domains,
  dragged,
  type Handle,
  handlesOf,
  nudged,
  onCurve,
  type Point,
  segments,
} from './curve_geometry';
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

interface Frame {
  x: ScaleLinear<number, number>;
  y: ScaleLinear<number, number>;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const height = 300;
const unknownWidth = 380;
const narrowest = 200; // what is being laid out may have no width for a moment
const tokensShown = 40;
const tickCount = 6;

function frameOf(width: number, domain: Point): Frame {
  const [left, right, top, bottom] = [36, width - 12, 12, height - 34];
  return { x: scaleLinear(domain, [left, right]), y: scaleLinear(domain, [bottom, top]), left, right, top, bottom };
}

const signed = (value: number) => String(value).replace('-', '−');

function Axes({ frame: { x, y, left, right, top, bottom }, anchor }: { frame: Frame; anchor: string }) {
  return (
    <>
      {x.ticks(tickCount).map((at) => (
        <g key={at} class="tick">
          <path d={`M${x(at)} ${top}V${bottom}`} />
          <text x={x(at)} y={bottom + 14} text-anchor="middle">
            {signed(at)}
          </text>
        </g>
      ))}
      {y.ticks(tickCount).map((at) => (
        <g key={at} class="tick">
          <path d={`M${left} ${y(at)}H${right}`} />
          <text x={left - 6} y={y(at) + 4} text-anchor="end">
            {signed(at)}
          </text>
        </g>
      ))}
      <text class="axis-label" x={(left + right) / 2} y={height - 4} text-anchor="middle">
        logit − {anchor} (nats)
      </text>
    </>
  );
}

/** The curve beside plain temperature, and what lies between them. */
function Lines({ frame: { x, y, top, bottom }, knobs, domain }: { frame: Frame; knobs: Knobs; domain: Point }) {
  const path = line<Point>(
    ([a]) => x(a),
    ([, b]) => y(b),
  );
  const parts = segments(knobs, domain).filter(({ points }) => points.length > 0);
  const back = (points: Point[]) => points.toReversed().map(([a]): Point => [a, a]);
  return (
    <>
      {parts.map(({ region, points }) => (
        <path key={region} class={`gap ${region}`} d={`${path([...points, ...back(points)])}Z`} />
      ))}
      <path class="plain" d={path(domain.map((at): Point => [at, at])) ?? ''} />
      <path class="pivot-line" d={`M${x(-knobs.offset)} ${top}V${bottom}`} />
      {parts.map(({ region, points }) => (
        <path key={region} class={`curve ${region}`} d={path(points) ?? ''} />
      ))}
    </>
  );
}

/** The place's likeliest tokens where the curve takes them, large where they are likely. */
function Tokens({ frame: { x, y }, knobs, place, vocabulary, chosen }: Omit<CurvePlotProps, 'onKnobs'> & { frame: Frame }) {
  if (!place) return null;
  const pivot = anchorOf(contextOf(place, vocabulary), knobs.pivot) - knobs.offset;
  return (
    <>
      {place.tokens.slice(0, tokensShown).map((token) => {
        const z = token.logit - pivot;
        const [a, b] = onCurve(z, knobs);
        const classes = `token ${regionOf(z, knobs)} ${token.id === chosen ? 'chosen' : ''}`;
        return (
          <circle key={token.id} class={classes} cx={x(a)} cy={y(b)} r={1.5 + 7 * Math.sqrt(Math.exp(token.logprob))}>
            <title>{visible(token.text)}</title>
          </circle>
        );
      })}
    </>
  );
}

interface HandleProps {
  handle: Handle;
  frame: Frame;
  onHold(event: PointerEvent): void;
  onNudge(sign: number): void;
}

const most = 10000; // what a slider that is off tells as its number
const signs: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

function HandleView({ handle: { name, at, value, label }, frame, onHold, onNudge }: HandleProps) {
  const x = clamp(frame.x(at[0]), frame.left, frame.right);
  const y = clamp(frame.y(at[1]), frame.top, frame.bottom);
  const bend = name === 'shoulder' || name === 'toe';
  return (
    <g
      class={`handle ${name.replace(' ', '-')}`}
      data-handle={name}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={name === 'pivot' ? -10000 : 0}
      aria-valuemax={10000}
      aria-valuenow={Math.min(value, most)}
      aria-valuetext={value === Infinity ? 'off' : `${value} nats`}
      transform={`translate(${x} ${y})`}
      onPointerDown={onHold}
      onKeyDown={(event) => {
        const sign = signs[event.key];
        if (!sign) return;
        event.preventDefault();
        onNudge(sign);
      }}
    >
      <title>{`${label}: drag, or use the arrow keys`}</title>
      <circle class="grip" r="14" />
      {bend ? (
        <rect x="-5" y="-5" width="10" height="10" rx="2" transform="rotate(45)" />
      ) : (
        <circle r={name === 'pivot' ? 7 : 6} />
      )}
    </g>
  );
}

/** Follows a pointer from its press on an element until it is let go. */
function follow(event: PointerEvent, onMove: (event: PointerEvent) => void) {
  const target = event.currentTarget as SVGElement;
  const end = () => {
    target.removeEventListener('pointermove', onMove);
    for (const name of ['pointerup', 'pointercancel']) target.removeEventListener(name, end);
  };
  target.setPointerCapture(event.pointerId);
  target.addEventListener('pointermove', onMove);
  for (const name of ['pointerup', 'pointercancel']) target.addEventListener(name, end);
  event.preventDefault();
  target.focus();
}

export function CurvePlot({ knobs, place, vocabulary, chosen, onKnobs }: CurvePlotProps) {
  const { element, width } = useWidth(unknownWidth);
  const svg = useRef<SVGSVGElement>(null);
  const domain = domains[knobs.pivot];
  const frame = frameOf(Math.max(width, narrowest), domain);
  // A drag outlives the picture that it began on.
  const latest = useRef(knobs);
  latest.current = knobs;
  const hold = (event: PointerEvent, name: Handle['name']) =>
    follow(event, ({ clientX, clientY }) => {
      const box = svg.current?.getBoundingClientRect();
      if (!box) return;
      const to: Point = [frame.x.invert(clientX - box.left), frame.y.invert(clientY - box.top)];
      onKnobs(dragged(name, latest.current, to, domain));
    });
  const { left, right, top, bottom } = frame;
  return (
    <div class="curve-plot" ref={element}>
      <svg ref={svg} width={Math.max(width, narrowest)} height={height} aria-label="The curve; its handles are sliders">
        <defs>
          <clipPath id="curve-area">
            <rect x={left} y={top} width={right - left} height={bottom - top} />
          </clipPath>
        </defs>
        <Axes frame={frame} anchor={anchors[knobs.pivot]} />
        <g clip-path="url(#curve-area)">
          <Lines frame={frame} knobs={knobs} domain={domain} />
          <Tokens frame={frame} knobs={knobs} place={place} vocabulary={vocabulary} chosen={chosen} />
        </g>
        {handlesOf(knobs, domain).map((handle) => (
          <HandleView
            key={handle.name}
            handle={handle}
            frame={frame}
            onHold={(event) => hold(event, handle.name)}
            onNudge={(sign) => onKnobs(nudged(handle.name, knobs, sign))}
          />
        ))}
      </svg>
    </div>
  );
}
