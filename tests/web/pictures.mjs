// The README's pictures of the playground. Usage, through scripts/web.sh pictures PROGRAM: pictures.mjs FOLDER
import { openBrowser, openPage } from './browser.mjs';
import { serve } from './server.mjs';

const folder = process.argv[2];
const server = await serve();
const browser = await openBrowser();

async function picture(name, { state, colorScheme, height, show }) {
  const hash = `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
  const { page, close } = await openPage(browser, `${server.url}/${hash}`, { colorScheme, viewport: { width: 1140, height } });
  await page.locator('.model.ready').waitFor();
  await page.getByRole('button', { name: 'Generate' }).click();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  await page.locator('.token-text.unknown').first().waitFor({ state: 'detached' });
  await show(page);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await close();
}

const mild = { temperature: 0.8 };
await picture('playground', {
  state: { prompt: 'When the moon had risen, the fox', tokens: 64, seed: 5, selected: 0, panes: [mild] },
  colorScheme: 'light',
  height: 800,
  show: (page) => page.locator('.token-text').nth(4).click(),
});
await picture('compare', {
  state: {
    prompt: 'In a little house by the sea there lived',
    tokens: 64,
    seed: 3,
    selected: 0,
    panes: [mild, { curve: false }],
  },
  colorScheme: 'dark',
  height: 720,
  show: async (page) => {
    await page.getByRole('button', { name: 'Match entropy to A' }).click();
    await page.locator('footer', { hasText: 'residual' }).waitFor();
    await page.locator('.pane').first().locator('.token-text').nth(8).click();
  },
});
await browser.close();
await server.stop();
