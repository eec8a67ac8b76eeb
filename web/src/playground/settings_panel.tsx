// The selected pane's settings: the curve to drag, and its numbers.
import { defaultOffset, type Knobs, presets } from './curve';
import { CurvePlot } from './curve_plot';
import { Knob } from './knob';
import { mostPanes } from './link';
import { letter } from './pane_view';
import { place } from './places';
import { RequestPanel } from './request_panel';
import { presetOf } from './settings';
import { addPane, change, changeKnobs, model, pane, panes, selected } from './state';

function Choice<Word extends string>({
  label,
  words,
  value,
  onWord,
}: {
  label: string;
  words: readonly Word[];
  value: Word;
  onWord(word: Word): void;
}) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {words.map((word) => (
        <label key={word} class={word === value ? 'on' : ''}>
          <input type="radio" name={label} checked={word === value} onChange={() => onWord(word)} />
          {word}
        </label>
      ))}
    </fieldset>
  );
}

function PaneTabs() {
  const several = panes.value.length > 1;
  return (
    <div class="tabs">
      {several &&
        panes.value.map((one, i) => (
          <button
            key={one.key}
            type="button"
            class="tab"
            aria-pressed={i === selected.value}
            aria-label={`Settings of ${letter(i)}`}
            onClick={() => {
              selected.value = i;
            }}
          >
            {letter(i)}
          </button>
        ))}
      {!several && <h2>Sampler</h2>}
      <span class="spring" />
      <button type="button" class="button quiet small" disabled={panes.value.length >= mostPanes} onClick={addPane}>
        {several ? '+ Another' : '+ Compare'}
      </button>
    </div>
  );
}

function CurveSettings({ knobs }: { knobs: Knobs }) {
  const name = presetOf(knobs);
  return (
    <>
      <div class="presets">
        {presets.map((preset) => (
          <button
            key={preset.name}
            type="button"
            class="chip"
            aria-pressed={preset.name === name}
            title={preset.summary}
            onClick={() => changeKnobs(preset.knobs)}
          >
            {preset.name}
          </button>
        ))}
      </div>
      <p class="summary">{presets.find((preset) => preset.name === name)?.summary ?? 'A curve of your own.'}</p>
      <CurvePlot
        knobs={knobs}
        place={place.value?.inspection ?? null}
        vocabulary={model.value?.vocabulary ?? 0}
        chosen={place.value?.token?.id}
        onKnobs={changeKnobs}
      />
      <Knob
        label="Pivot"
        hint="How many nats below its anchor the curve turns"
        value={knobs.offset}
        low={-6}
        high={12}
        onValue={(offset) => changeKnobs({ offset })}
      />
      <Knob
        label="Width"
        hint="Nats around the pivot that stay as they are"
        value={knobs.width}
        low={0}
        high={8}
        off
        onValue={(width) => changeKnobs({ width: Math.max(width, 0) })}
      />
      <Knob
        label="Shoulder"
        hint="Above the knot: the smaller, the more favourites are compressed"
        value={knobs.shoulder}
        low={0.05}
        high={20}
        ratio
        off
        colour="var(--shoulder)"
        onValue={(shoulder) => changeKnobs({ shoulder: Math.max(shoulder, 0.01) })}
      />
      <Knob
        label="Toe"
        hint={
          knobs.shape === 'fade'
            ? 'Below the knot: the smaller, the faster the tail fades'
            : 'Below the knot: the smaller, the more the tail is lifted'
        }
        value={knobs.toe}
        low={0.05}
        high={20}
        ratio
        off
        colour="var(--toe)"
        onValue={(toe) => changeKnobs({ toe: Math.max(toe, 0.01) })}
      />
      <div class="choices">
        <Choice label="Toe shape" words={['fade', 'log']} value={knobs.shape} onWord={(shape) => changeKnobs({ shape })} />
        <Choice
          label="Anchor"
          words={['entropy', 'top', 'median']}
          value={knobs.pivot}
          onWord={(pivot) => changeKnobs({ pivot, offset: defaultOffset(pivot) })}
        />
      </div>
    </>
  );
}

export function SettingsPanel() {
  const one = pane.value;
  if (!one) return null;
  const { temperature, curve, knobs, topP, topK, minP } = one.settings.value;
  return (
    <aside class="settings" aria-label="Sampler settings">
      <PaneTabs />
      <div class="sampler">
        <Choice
          label="Sampler"
          words={['HLG curve', 'classic']}
          value={curve ? 'HLG curve' : 'classic'}
          onWord={(word) => change({ curve: word === 'HLG curve' })}
        />
        <Knob
          label="Temperature"
          hint="The slope of the middle; 0 is greedy"
          value={temperature}
          low={0}
          high={2}
          onValue={(value) => change({ temperature: Math.max(value, 0) })}
        />
      </div>
      {curve ? (
        <CurveSettings knobs={knobs} />
      ) : (
        <>
          <Knob
            label="top_p"
            hint="Keeps the likeliest tokens up to this mass; 1 is off"
            value={topP}
            low={0}
            high={1}
            step={0.01}
            onValue={(value) => change({ topP: Math.min(Math.max(value, 0), 1) })}
          />
          <Knob
            label="top_k"
            hint="Keeps so many tokens; 0 is off"
            value={topK}
            low={0}
            high={200}
            step={1}
            onValue={(value) => change({ topK: Math.max(Math.round(value), 0) })}
          />
          <Knob
            label="min_p"
            hint="Keeps tokens of this share of the likeliest's probability; 0 is off"
            value={minP}
            low={0}
            high={1}
            step={0.005}
            onValue={(value) => change({ minP: Math.min(Math.max(value, 0), 1) })}
          />
        </>
      )}
      <RequestPanel />
    </aside>
  );
}
