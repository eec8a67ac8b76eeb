// A pane's sampler settings, and how requests and command lines spell them.
import { type Knobs, presets } from './curve';

export interface Settings {
  temperature: number;
  /** Whether the curve is the sampler; else top_p, top_k and min_p are. */
  curve: boolean;
  knobs: Knobs;
  topP: number;
  topK: number;
  minP: number;
}

const balanced = presets.find(({ name }) => name === 'balanced') ?? presets[0];
if (!balanced) throw new Error('there are no presets');

export const plain: Settings = { temperature: 1, curve: false, knobs: balanced.knobs, topP: 1, topK: 0, minP: 0 };
export const curved: Settings = { ...plain, curve: true };

/** The preset with these knobs, if there is one. */
export const presetOf = (knobs: Knobs): string | undefined =>
  presets.find((preset) => Object.entries(preset.knobs).every(([key, value]) => knobs[key as keyof Knobs] === value))?.name;

const written = (value: number): number | 'off' => (value === Infinity ? 'off' : value);

/** The request's field `hlg`. */
function hlgField({ curve, knobs }: Settings): unknown {
  if (!curve) return false;
  const preset = presetOf(knobs);
  if (preset) return { preset };
  return {
    pivot: knobs.pivot,
    pivot_offset: knobs.offset,
    width: written(knobs.width),
    shoulder: written(knobs.shoulder),
    toe: written(knobs.toe),
    toe_shape: knobs.shape,
  };
}

/** The sampling fields of a request; all that could come from the server's own settings are told. */
export function samplingFields(settings: Settings): Record<string, unknown> {
  const { temperature, topP, topK, minP } = settings;
  const classic = settings.curve ? {} : { top_p: topP, top_k: topK, min_p: minP };
  return { temperature, ...classic, hlg: hlgField(settings) };
}

/** Flags of `hlg run` and `hlg serve`. */
export function samplingFlags(settings: Settings): string[] {
  const { temperature, curve, knobs, topP, topK, minP } = settings;
  const flags = ['--temp', String(temperature), '--hlg-sampling', curve ? 'on' : 'off'];
  if (!curve) {
    if (topP < 1) flags.push('--top-p', String(topP));
    if (topK > 0) flags.push('--top-k', String(topK));
    if (minP > 0) flags.push('--min-p', String(minP));
    return flags;
  }
  const preset = presetOf(knobs);
  if (preset) return [...flags, '--hlg-preset', preset];
  const lengths = { width: knobs.width, shoulder: knobs.shoulder, toe: knobs.toe };
  return [
    ...flags,
    ...['--hlg-pivot', knobs.pivot, '--hlg-pivot-offset', String(knobs.offset)],
    ...Object.entries(lengths).flatMap(([name, value]) => [`--hlg-${name}`, String(written(value))]),
    ...['--hlg-toe-shape', knobs.shape],
  ];
}

/** Whether they ask the server for the same. */
export const sameSettings = (a: Settings, b: Settings): boolean =>
  a === b || JSON.stringify(samplingFields(a)) === JSON.stringify(samplingFields(b));

const short = (value: number) => (value === Infinity ? 'off' : String(Number(value.toPrecision(3))));

/** A pane's settings in a few words. */
export function summary({ temperature, curve, knobs, topP, topK, minP }: Settings): string {
  const words = [`T ${short(temperature)}`];
  if (curve) return [`HLG ${presetOf(knobs) ?? 'own curve'}`, ...words].join(' · ');
  if (topP < 1) words.push(`top_p ${short(topP)}`);
  if (topK > 0) words.push(`top_k ${topK}`);
  if (minP > 0) words.push(`min_p ${short(minP)}`);
  return [words.length > 1 ? 'classic' : 'temperature', ...words].join(' · ');
}
