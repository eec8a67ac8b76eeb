// The report viewer with made-up numbers: as the server's page that opens a file, and as a file of its own.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assertAccessible, assertFits, keepPicture, openBrowser, openPage } from './browser.mjs';
import { serve } from './server.mjs';

const report = new URL('made_up_report.json', import.meta.url).pathname;
const text = readFileSync(report, 'utf8');

let server;
let browser;
let folder;
let mailed;
before(async () => {
  [server, browser] = await Promise.all([serve(), openBrowser()]);
  folder = mkdtempSync(join(tmpdir(), 'report-'));
  // As report_page() does, which has its own test.
  const viewer = await (await fetch(`${server.url}/report`)).text();
  const page = viewer.replace('id="report">', () => `id="report">${text.replaceAll('<', '\\u003c')}`);
  writeFileSync(join(folder, 'report.html'), page);
  mailed = pathToFileURL(join(folder, 'report.html')).href;
});
after(async () => {
  rmSync(folder, { recursive: true });
  await browser.close();
  await server.stop();
});

async function open(t, url, options) {
  const { page, problems, close } = await openPage(browser, url, options);
  t.after(async () => {
    assert.deepEqual(problems, []);
    await close();
  });
  return page;
}

// Each has a page of its own, and waits more than it works.
describe('the report viewer', { concurrency: 3 }, () => {
  test('a mailed report shows all that it holds', async (t) => {
    const page = await open(t, mailed);
    const { title, findings, sections } = JSON.parse(text);
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), title);
    assert.deepEqual(await page.locator('.findings li').allTextContents(), findings);
    const figures = sections.flatMap((section) => section.figures ?? []);
    assert.deepEqual(
      await page.locator('.figure h3').allTextContents(),
      figures.map((figure) => figure.title),
    );
    await page.locator('.plot').nth(figures.length).waitFor(); // one figure has two facets
    assert.equal(await page.locator('.plot').count(), figures.length + 1);
    // Lines, bands and points of the first facet: three series of seven.
    const first = page.locator('.plot').first();
    assert.equal(await first.locator('[data-part=\"line\"] path').count(), 3);
    assert.equal(await first.locator('[data-part=\"area\"] path').count(), 3);
    assert.equal(await first.locator('[data-part=\"dot\"] path').count(), 21);
    assert.match(await first.textContent(), /KL to the model \(nats\)/);
    assert.match(await first.textContent(), /entropy at T = 1/);
    assert.match(await page.locator('.prose').last().textContent(), /miller's daughter/);
    assert.match(await page.locator('.command').first().textContent(), /^hlg eval kl/);
  });

  test('texts stand side by side, and each token shows what became of it', async (t) => {
    const page = await open(t, mailed);
    const passage = page.locator('.passage');
    assert.equal(await passage.count(), 1);
    assert.deepEqual(await passage.locator('h3').allTextContents(), ['temperature', 'invented curve']);
    assert.deepEqual(await passage.locator('.written').allTextContents(), [' there was a king.', ' there lived an owl.']);
    const owl = passage.locator('.token-text', { hasText: 'owl' });
    assert.match(await owl.getAttribute('class'), /toe.*down/);
    assert.match(await owl.getAttribute('title'), /^toe: model 0.00100, drawn with 0.000100$/);
    assert.match(await passage.locator('.token-text', { hasText: 'lived' }).getAttribute('class'), /mid.*up/);
  });

  test('the numbers are below each figure, sorted as one likes', async (t) => {
    const page = await open(t, mailed);
    const figure = page.locator('.figure').first();
    await figure.getByText('Show data').click();
    assert.equal(await figure.locator('tbody tr').count(), 42);
    assert.match(await figure.locator('tbody tr').first().textContent(), /0\.00600 \[0\.00510, 0\.00708\]/);
    await figure.getByRole('button', { name: 'KL to the model (nats)' }).click();
    const values = (await figure.locator('tbody tr td:nth-child(4)').allTextContents()).map((cell) => Number.parseFloat(cell));
    assert.deepEqual(
      values,
      [...values].sort((a, b) => b - a),
    );
    assert.equal(await figure.locator('th[aria-sort="descending"]').count(), 1);
  });

  test('a figure is saved as a picture on its own', async (t) => {
    const page = await open(t, mailed);
    await page.locator('.plot').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as SVG' }).first().click(),
    ]);
    assert.equal(download.suggestedFilename(), 'kl-to-the-model-over-mean-entropy.svg');
    const svg = readFileSync(await download.path(), 'utf8');
    const seen = await page.evaluate((source) => {
      const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
      return { broken: parsed.querySelector('parsererror') !== null, text: parsed.documentElement.textContent };
    }, svg);
    assert.equal(seen.broken, false);
    assert.match(seen.text, /KL to the model over mean entropy.*HLG balanced.*model-a/);
    assert.doesNotMatch(svg, /var\(|light-dark|class=/);
  });

  test('a point tells what it is', async (t) => {
    const page = await open(t, mailed);
    await page.locator('.plot').nth(3).scrollIntoViewIfNeeded();
    await page.locator('.plot').nth(3).locator('[data-part=\"dot\"] path').first().hover({ force: true });
    await page.locator('.plot').nth(3).locator('[aria-label="tip"]', { hasText: 'Dissimilarity' }).waitFor();
  });

  test('the server shows the viewer, which opens files', async (t) => {
    const page = await open(t, `${server.url}/report`);
    await page.getByRole('heading', { name: 'Report viewer' }).waitFor();
    await assertAccessible(page, 'the empty viewer');
    const choose = (name, content) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
    await choose('later.json', text.replace('"version": 1', '"version": 2'));
    await page.getByRole('alert').filter({ hasText: 'later.json: The report has version 2' }).waitFor();
    await choose('report.json', text);
    await page.locator('.plot').first().waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  test('a report is dropped onto it', async (t) => {
    const page = await open(t, `${server.url}/report`);
    await page.getByRole('heading', { name: 'Report viewer' }).waitFor();
    await page.evaluate((json) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([json], 'report.json', { type: 'application/json' }));
      dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
    }, text);
    await page.locator('.plot').first().waitFor();
  });

  for (const [name, options] of Object.entries({
    light: { colorScheme: 'light' },
    dark: { colorScheme: 'dark' },
    phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  })) {
    test(`everyone can read it: ${name}`, async (t) => {
      const page = await open(t, mailed, options);
      await page.locator('.plot').nth(6).waitFor();
      await assertFits(page);
      await keepPicture(page, `report-${name}`, { fullPage: true });
      await assertAccessible(page, name);
    });
  }
});
