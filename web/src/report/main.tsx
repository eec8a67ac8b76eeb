// The report viewer: shows the report inside this file, or one that is opened or dropped.
import { signal } from '@preact/signals';
import { render } from 'preact';
import '../shared/theme.css';
import { ThemeButton } from '../shared/theme';
import { type Report, ReportError, readReport } from './document';
import './report.css';
import { ReportView } from './report_view';

const report = signal<Report>();
const problem = signal<string>();
const dragging = signal(false);

function show(text: string, name: string) {
  try {
    report.value = readReport(text);
    problem.value = undefined;
    document.title = report.value.title;
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    problem.value = name ? `${name}: ${error.message}` : error.message;
  }
}

async function open(file: File | undefined) {
  if (file) show(await file.text(), file.name);
}

function OpenButton({ primary = false }) {
  return (
    <label class={`button ${primary ? 'primary' : 'quiet'} file`}>
      Open a report
      <input type="file" accept=".json,application/json" onChange={(event) => open(event.currentTarget.files?.[0])} />
    </label>
  );
}

function Welcome() {
  return (
    <main class="welcome">
      <h1>Report viewer</h1>
      <p>
        Open the <code>report.json</code> that <code>hlg eval</code> or <code>hlg compare</code> wrote, or drop it anywhere on
        this page. It stays on this machine.
      </p>
      <OpenButton primary />
    </main>
  );
}

function App() {
  return (
    <>
      <div class="bar">
        <span class="brand">HLG</span>
        <span class="spring" />
        {report.value && <OpenButton />}
        <ThemeButton />
      </div>
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {report.value ? <ReportView report={report.value} /> : <Welcome />}
      {dragging.value && <div class="drop">Drop the report to open it</div>}
    </>
  );
}

addEventListener('dragover', (event) => {
  event.preventDefault();
  dragging.value = true;
});
addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) dragging.value = false;
});
addEventListener('drop', (event) => {
  event.preventDefault();
  dragging.value = false;
  open(event.dataTransfer?.files[0]);
});

const inside = document.getElementById('report')?.textContent?.trim();
if (inside) show(inside, '');
const root = document.getElementById('app');
if (root) render(<App />, root);
