// The playground: what a sampler does to a model's text, seen token by token.
import { render } from 'preact';
import '../shared/theme.css';
import { Legend } from '../shared/tint';
import { Composer } from './composer';
import { Header } from './header';
import { Comparison, Inspector } from './inspector';
import { PaneView } from './pane_view';
import './playground.css';
import { SettingsPanel } from './settings_panel';
import { connect, generate, panes, stopAll, trouble } from './state';

function App() {
  return (
    <>
      <Header />
      {trouble.value && (
        <p class="problem wide" role="alert">
          {trouble.value.message}
        </p>
      )}
      <main>
        <Composer />
        <SettingsPanel />
        <div class="stage">
          <div class={`panes of-${panes.value.length}`}>
            {panes.value.map((pane, i) => (
              <PaneView key={pane.key} pane={pane} index={i} />
            ))}
          </div>
          <Legend />
          <Comparison />
          <Inspector />
        </div>
      </main>
    </>
  );
}

addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) generate();
  if (event.key === 'Escape') stopAll();
});

const root = document.getElementById('app');
if (root) render(<App />, root);
connect();
