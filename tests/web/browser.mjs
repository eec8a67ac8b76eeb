// A browser for the tests, and what every page must keep to: no request leaves the origin, nothing goes wrong in silence, no
// serious barrier for anyone.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pictures = process.env.HLG_SCREENSHOTS;

export async function openBrowser() {
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  // Its sandbox refuses to run as root, as in containers.
  const args = process.getuid() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

/** A page at this address, and what it did: `problems` must stay empty. `before` prepares it. */
export async function openPage(browser, url, { before = () => {}, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000); // tests share the machine with others
  const problems = [];
  page.on('console', (message) => {
    // A refused request is told by the page itself, and by the browser once more.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && origin !== new URL(url).origin) problems.push(`asked ${request.url()}`);
  });
  await before(page);
  await page.goto(url);
  return { page, problems, close: () => context.close() };
}

/** axe-core finds no serious fault. */
export async function assertAccessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = serious.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  );
  assert.deepEqual(told, [], `no serious fault in ${what}`);
}

/** Keeps a picture, where the tests' runner wants them. */
export async function keepPicture(page, name, options = {}) {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png`, ...options });
}

/** Nothing sticks out to the right. */
export async function assertFits(page) {
  const { wide, window } = await page.evaluate(() => ({ wide: document.scrollingElement.scrollWidth, window: innerWidth }));
  assert.ok(wide <= window, `${wide} px of page in ${window} px of window`);
}
