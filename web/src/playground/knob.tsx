// One number of the settings: a slider, a field, and where it can be, "off".
import { useId } from 'preact/hooks';

interface KnobProps {
  label: string;
  hint: string;
  value: number;
  low: number;
  high: number;
  /** Equal steps of the slider are equal ratios. */
  ratio?: boolean;
  step?: number;
  off?: boolean;
  colour?: string;
  onValue(value: number): void;
}

const positions = 1000;
const rounded = (value: number) => Number(value.toPrecision(3));

export function Knob({ label, hint, value, low, high, ratio = false, step = 0.05, off = false, colour, onValue }: KnobProps) {
  const id = useId();
  const isOff = value === Infinity;
  const inside = Math.min(Math.max(isOff ? high : value, low), high);
  const share = ratio ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
  const at = (position: number) =>
    ratio
      ? rounded(low * (high / low) ** (position / positions))
      : Math.round((low + ((high - low) * position) / positions) / step) * step;
  return (
    <div class="knob" style={colour ? { '--knob': colour } : undefined}>
      <label for={id} title={hint}>
        {label}
      </label>
      <input
        type="range"
        aria-label={`${label}, slider`}
        aria-valuetext={isOff ? 'off' : String(value)}
        min={0}
        max={positions}
        value={share * positions}
        disabled={isOff}
        title={hint}
        onInput={(event) => onValue(rounded(at(event.currentTarget.valueAsNumber)))}
      />
      <input
        id={id}
        type="number"
        step={step}
        value={isOff ? '' : rounded(value)}
        placeholder="off"
        disabled={isOff}
        onChange={(event) => {
          const given = event.currentTarget.valueAsNumber;
          if (Number.isFinite(given)) onValue(given);
        }}
      />
      {off ? (
        <button
          type="button"
          class="chip tiny"
          aria-pressed={isOff}
          aria-label={`${label} off`}
          onClick={() => onValue(isOff ? rounded((low * high) ** 0.5) : Infinity)}
        >
          off
        </button>
      ) : (
        <span />
      )}
    </div>
  );
}
