// The playground against the real server and the demo model.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createServer, request as forward } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { assertAccessible, assertFits, keepPicture, openBrowser, openPage } from './browser.mjs';
import { serve } from './server.mjs';

const story = 'Once upon a time there was a miller who';
// Half as long as the page's own, for the tests' sake.
const short = { prompt: story, tokens: 40, seed: 7, selected: 0, panes: [{}] };
const hashOf = (state) => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const heaviest = 400_000; // bytes of the page as it is sent
const slowest = 1000; // ms to the first paint

let server;
let browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), openBrowser()]);
});
after(async () => {
  await browser.close();
  await server.stop();
});

async function ask(path, body) {
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(response.status, 200);
  return response.json();
}

/** A page of the test's own, closed after it, that did nothing wrong. */
async function playground(t, { url = server.url, hash = hashOf(short), ...options } = {}) {
  const { page, problems, close } = await openPage(browser, `${url}/${hash}`, options);
  t.after(async () => {
    assert.deepEqual(problems, []);
    await close();
  });
  return page;
}

const ready = (page) => page.locator('.model.ready').waitFor();
const request = async (page) => JSON.parse(await page.locator('.request').textContent());

/** Lets all panes write, until every token's place is known. */
async function generate(page) {
  await page.getByRole('button', { name: 'Generate' }).click();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  await page.locator('.token-text.unknown').first().waitFor({ state: 'detached' });
}

/** Drags a handle of the curve by so many pixels. */
async function drag(page, name, x, y) {
  const box = await page.locator(`[data-handle="${name}"]`).boundingBox();
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + x, from.y + y, { steps: 8 });
  await page.mouse.up();
}

/** The chart's rows: token, share under the model and as drawn. */
const rows = (page) =>
  page.locator('.bar-row').evaluateAll((all) => {
    const share = (row, which) => Number.parseFloat(/[\d.]+/.exec(row.querySelector(`.p${which}`).textContent)[0]);
    return all.map((row) => ({
      name: row.querySelector('.name').textContent,
      before: share(row, '.before'),
      after: share(row, '.after'),
    }));
  });

test('the page is light, early and under a strict policy', async (t) => {
  const sent = await fetch(server.url, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(sent.headers.get('content-encoding'), 'gzip');
  assert.ok(Number(sent.headers.get('content-length')) < heaviest);
  assert.match(
    sent.headers.get('content-security-policy'),
    /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; connect-src 'self';/,
  );
  const plain = await fetch(server.url, { headers: { 'accept-encoding': 'identity' } });
  assert.equal(plain.headers.get('content-encoding'), null);
  assert.match(await plain.text(), /^<!doctype html>/);
  const page = await playground(t);
  await ready(page);
  const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  t.diagnostic(`first paint after ${painted.toFixed(0)} ms`);
  assert.ok(painted < slowest);
});

test('moves with the hand', async (t) => {
  const page = await playground(t);
  await ready(page);
  await page.locator('.bar-row').first().waitFor();
  // How long the page works on a step of a drag, which has 16.7 ms at 60 pictures a second. Other tests run beside this one: the
  // tenth of the steps that they disturbed least says it.
  const work = await page.evaluate(async () => {
    const handle = document.querySelector('[data-handle="pivot"]');
    const { x, y, width, height } = handle.getBoundingClientRect();
    const at = (type, dx) =>
      handle.dispatchEvent(
        new PointerEvent(type, { pointerId: 1, clientX: x + width / 2 + dx, clientY: y + height / 2 - dx, bubbles: true }),
      );
    handle.setPointerCapture = () => {};
    at('pointerdown', 0);
    const times = [];
    for (let i = 0; i < 60; ++i) {
      const start = performance.now();
      at('pointermove', i / 2);
      // Behind what the step has made waiting, and without the rest that timers take.
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(0);
      });
      document.body.getBoundingClientRect();
      times.push(performance.now() - start);
    }
    at('pointerup', 30);
    return times.sort((a, b) => a - b)[Math.floor(times.length / 10)];
  });
  t.diagnostic(`a step of a drag takes ${work.toFixed(1)} ms`);
  assert.ok(work < 16.7);
});

// Each has a page of its own, and waits more than it works.
describe('the playground', { concurrency: 3 }, () => {
  test('what is typed goes on as the server says', async (t) => {
    const page = await playground(t);
    await ready(page);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('The king had three sons');
    await page.getByLabel('Tokens', { exact: true }).fill('40');
    await page.getByLabel('Seed', { exact: true }).fill('11');
    await page.getByLabel('Seed', { exact: true }).press('Tab');
    await generate(page);
    const { choices } = await ask('/v1/completions', {
      prompt: 'The king had three sons',
      max_tokens: 40,
      seed: 11,
      hlg: { preset: 'balanced' },
    });
    assert.equal((await page.locator('.token-text').allTextContents()).join(''), choices[0].text);
    assert.equal((await page.locator('.pane footer').textContent()).trim(), '40 tokens, as long as asked');
  });

  test('keys alone write, look and choose', async (t) => {
    const page = await playground(t);
    await ready(page);
    await page.getByRole('textbox', { name: 'Prompt' }).press('Control+Enter');
    await page.locator('.pane footer', { hasText: '40 tokens' }).waitFor();
    await page.locator('.token-text.unknown').first().waitFor({ state: 'detached' });
    const list = page.getByRole('listbox');
    await list.focus();
    for (let i = 0; i < 3; ++i) await list.press('ArrowRight');
    assert.equal(await list.getAttribute('aria-activedescendant'), await page.locator('.token-text').nth(2).getAttribute('id'));
    assert.equal(await page.locator('.token-text[aria-selected="true"]').count(), 1);
    const third = await page.locator('.token-text').nth(2).textContent();
    assert.equal(await page.locator('.inspector mark').textContent(), third.replaceAll(' ', '␣'));
    const other = page.locator('.bar-row:not(.chosen)').first();
    const chosen = await other.locator('.name').textContent();
    await other.focus();
    await other.press('Enter');
    await page.locator('.pane footer', { hasText: '40 tokens' }).waitFor();
    assert.equal((await page.locator('.token-text').nth(2).textContent()).replaceAll(' ', '␣'), chosen);
    assert.notEqual(chosen, third.replaceAll(' ', '␣'));
  });

  test('a token that is pointed at shows its place as the server inspects it', async (t) => {
    const page = await playground(t);
    await ready(page);
    await generate(page);
    await page.locator('.token-text').nth(5).hover();
    const before = (await page.locator('.token-text').allTextContents()).slice(0, 5).join('');
    await page.locator('.inspector q', { hasText: before.slice(-12).trim() }).waitFor();
    const { tokens, statistics } = await ask('/v1/hlg/inspect', {
      prompt: story + before,
      hlg: { preset: 'balanced' },
      top_n: 12,
    });
    const seen = await rows(page);
    for (const [i, token] of tokens.slice(0, 10).entries()) {
      assert.equal(seen[i].name, token.text.replaceAll(' ', '␣').replaceAll('\n', '⏎'));
      assert.ok(Math.abs(seen[i].before / (100 * token.probability.model) - 1) < 0.06, `${token.text} under the model`);
      assert.ok(Math.abs(seen[i].after / (100 * token.probability.draw) - 1) < 0.06, `${token.text} as drawn`);
    }
    assert.match(await page.locator('.facts').textContent(), new RegExp(`→ ${statistics.draw.entropy.toPrecision(3)}`));
    const regions = await page.locator('.token-text').evaluateAll((all) => all.map((one) => one.classList[1]));
    assert.ok(regions.every((region) => ['shoulder', 'mid', 'toe'].includes(region)));
    assert.equal(new Set(regions).size, 3, 'a text has tokens of every region');
  });

  describe('the curve', () => {
    test('is dragged, and the request says so', async (t) => {
      const page = await playground(t);
      await ready(page);
      assert.deepEqual((await request(page)).hlg, { preset: 'balanced' });
      await drag(page, 'upper knot', 30, -30);
      const wide = (await request(page)).hlg;
      assert.ok(wide.width > 2.2 && wide.width < 4, JSON.stringify(wide));
      assert.deepEqual(
        { ...wide, width: 0 },
        { pivot: 'entropy', pivot_offset: 1.7, width: 0, shoulder: 0.6, toe: 2, toe_shape: 'fade' },
      );
      await drag(page, 'pivot', 20, -20);
      assert.ok((await request(page)).hlg.pivot_offset < 1.2);
      await drag(page, 'shoulder', 0, -20);
      assert.ok((await request(page)).hlg.shoulder > 0.8);
      await drag(page, 'toe', 0, -15);
      assert.ok((await request(page)).hlg.toe > 2.5);
      await page.locator('[data-handle="shoulder"]').press('ArrowDown');
      await page.getByRole('button', { name: 'gentle' }).click();
      assert.deepEqual((await request(page)).hlg, { preset: 'gentle' });
    });

    test('what the page computes while it moves is what the server would draw', async (t) => {
      const page = await playground(t);
      await ready(page);
      await page.locator('.bar-row').first().waitFor();
      for (const [name, x, y] of [
        ['pivot', 15, -15],
        ['upper knot', 12, -12],
        ['toe', 0, 12],
        ['shoulder', 0, 10],
      ]) {
        await drag(page, name, x, y);
        const sent = await request(page);
        const { tokens, statistics } = await ask('/v1/hlg/inspect', {
          prompt: story,
          temperature: sent.temperature,
          hlg: sent.hlg,
          top_n: 12,
        });
        const seen = await rows(page);
        for (const [i, token] of tokens.slice(0, 10).entries())
          assert.ok(
            Math.abs(seen[i].after / (100 * token.probability.draw) - 1) < 0.02,
            `${name}, ${token.text}: ${seen[i].after}% and ${token.probability.draw}`,
          );
        const entropy = Number(/→ ([\d.]+) nats/.exec(await page.locator('.facts').textContent())[1]);
        assert.ok(Math.abs(entropy - statistics.draw.entropy) < 0.02, `${name}: ${entropy} and ${statistics.draw.entropy}`);
      }
    });
  });

  test('the presets are those of the program', async (t) => {
    const { stderr } = spawnSync(process.env.HLG_PROGRAM, ['curve', '--hlg-preset', '?'], { encoding: 'utf8' });
    const names = /must be (\S+), got/.exec(stderr)[1].split('|');
    const page = await playground(t);
    assert.deepEqual((await page.locator('.presets button').allTextContents()).sort(), names.sort());
  });

  test('panes compare, and match their entropies', async (t) => {
    const page = await playground(t);
    await ready(page);
    await page.getByRole('button', { name: '+ Compare' }).click();
    await generate(page);
    assert.equal(await page.locator('.comparison tbody tr').count(), 2);
    const cells = await page.locator('.comparison tbody td').allTextContents();
    assert.ok(
      cells.every((cell) => Number.parseFloat(cell) >= 0),
      cells.join(' '),
    );
    const [, second] = await page.locator('.pane .text').all();
    assert.notEqual(await page.locator('.pane .text').first().textContent(), await second.textContent());
    await page.getByRole('button', { name: 'Match entropy to A' }).click();
    const told = page.locator('.pane footer', { hasText: 'residual' });
    await told.waitFor();
    assert.match(await told.textContent(), /matched to A over 40 tokens, residual under 0\.0001 nats/);
    assert.notEqual((await request(page)).temperature, 1);
    await keepPicture(page, 'playground-compare', { fullPage: true });
    await page.getByRole('button', { name: 'Remove B' }).click();
    assert.equal(await page.locator('.pane').count(), 1);
  });

  test('a link shows what one sees', async (t) => {
    const page = await playground(t);
    await ready(page);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Größe: "<b>☃</b>"');
    await page.getByLabel('Seed', { exact: true }).fill('123');
    await page.getByLabel('Seed', { exact: true }).press('Tab');
    await drag(page, 'upper knot', 30, -30);
    await page.getByRole('button', { name: 'Toe off' }).click();
    await page.getByRole('button', { name: '+ Compare' }).click();
    await page.getByLabel('top_p', { exact: true }).fill('0.9');
    await page.getByLabel('top_p', { exact: true }).press('Tab');
    await page.waitForFunction(() => location.hash.length > 100);
    await page.waitForTimeout(400); // the address follows a little later
    const hash = await page.evaluate(() => location.hash);
    const again = await playground(t, { hash });
    await ready(again);
    assert.equal(await again.locator('.pane').count(), 2);
    assert.deepEqual(await request(again), await request(page));
    await again.getByRole('button', { name: 'Settings of A' }).click();
    await page.getByRole('button', { name: 'Settings of A' }).click();
    const first = await request(again);
    assert.deepEqual(first, await request(page));
    assert.equal(first.hlg.toe, 'off');
    assert.equal(first.prompt, 'Größe: "<b>☃</b>"');
    const broken = await playground(t, { hash: '#bm90IGEgc3RhdGU' });
    await ready(broken);
    assert.equal((await request(broken)).prompt, story);
  });

  test('the request is told in five ways', async (t) => {
    const page = await playground(t);
    await ready(page);
    const as = async (kind) => {
      await page.getByLabel('Written as').selectOption(kind);
      return page.locator('.request').textContent();
    };
    assert.equal(
      await as('command line'),
      `hlg run -p '${story}' -n 40 --seed 7 --temp 1 --hlg-sampling on --hlg-preset balanced`,
    );
    // Both are what a shell makes of them: the program and the server say what the page says.
    await generate(page);
    const text = (await page.locator('.token-text').allTextContents()).join('');
    const shell = (command) => execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const program = `'${process.env.HLG_PROGRAM}'`;
    assert.equal(shell((await as('command line')).replace('hlg', program)).trim(), text.trim());
    assert.match(await as('curl'), /^curl http:\/\/127.*\/v1\/completions -d '{"prompt":/);
    assert.match(await as('Python'), /extra_body={"hlg": {"preset": "balanced"}}/);
    assert.match(await as('TypeScript'), /await fetch\('http:\/\/127.*completions'/);
  });

  test('a text keeps its prompt, whatever is typed after it', async (t) => {
    const page = await playground(t);
    await ready(page);
    await generate(page);
    const before = await page.locator('.token-text').first().textContent();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Dear diary,');
    await page.locator('.token-text').nth(1).click();
    assert.equal(await page.locator('.given').textContent(), story);
    assert.match(await page.locator('.inspector q').textContent(), /a miller who/);
    await page.locator('.bar-row:not(.chosen)').first().click();
    await page.locator('.pane footer', { hasText: '40 tokens' }).waitFor();
    assert.equal(await page.locator('.given').textContent(), story);
    assert.equal(await page.locator('.token-text').first().textContent(), before);
  });

  test('it works below a path of a proxy', async (t) => {
    const proxy = createServer((asked, answer) => {
      const to = forward(
        `${server.url}${asked.url.replace(/^\/below/, '')}`,
        { method: asked.method, headers: asked.headers },
        (got) => {
          answer.writeHead(got.statusCode, got.headers);
          got.pipe(answer);
        },
      );
      asked.pipe(to);
    });
    await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    const page = await playground(t, { url: `http://127.0.0.1:${proxy.address().port}/below` });
    await ready(page);
    await generate(page);
    assert.equal(await page.locator('.token-text').count(), 40);
  });

  test('a text can be stopped', async (t) => {
    const page = await playground(t, { hash: hashOf({ ...short, tokens: 900 }) });
    await ready(page);
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.locator('.token-text').nth(5).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.pane footer', { hasText: 'stopped' }).waitFor();
    const count = await page.locator('.token-text').count();
    assert.ok(count < 900);
    await page.waitForTimeout(200);
    assert.equal(await page.locator('.token-text').count(), count);
  });

  test('a model that loads is waited for', async (t) => {
    const loading = { error: { message: 'the model is loading' } };
    const page = await playground(t, {
      before: (page) => page.route('**/v1/models', (route) => route.fulfill({ status: 503, json: loading }), { times: 1 }),
    });
    await page.getByRole('alert').filter({ hasText: 'the model is loading' }).waitFor();
    await ready(page);
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  test('an error is told in the words of the server', async (t) => {
    const page = await playground(t);
    await ready(page);
    await page.getByLabel('Temperature', { exact: true }).fill('200');
    await page.getByLabel('Temperature', { exact: true }).press('Tab');
    await page.getByRole('button', { name: 'Generate' }).click();
    const { error } = await (
      await fetch(`${server.url}/v1/completions`, { method: 'POST', body: JSON.stringify({ prompt: 'a', temperature: 200 }) })
    ).json();
    await page.getByRole('alert').filter({ hasText: error.message }).waitFor();
  });

  test('a key is asked for, and used', async (t) => {
    const guarded = await serve('--api-key', 'secret');
    t.after(() => guarded.stop());
    const page = await playground(t, { url: guarded.url });
    await page.getByRole('alert').filter({ hasText: 'a key is needed' }).waitFor();
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Use', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('API key').fill('secret');
    await page.getByLabel('API key').press('Enter');
    await ready(page);
    assert.equal(await page.getByRole('alert').count(), 0);
    await generate(page);
    assert.ok((await page.locator('.token-text').count()) > 0);
  });

  for (const [name, options] of Object.entries({
    light: { colorScheme: 'light' },
    dark: { colorScheme: 'dark' },
    phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true },
  })) {
    test(`everyone can use it: ${name}`, async (t) => {
      const page = await playground(t, options);
      await ready(page);
      await generate(page);
      await page.locator('.token-text').nth(7).click();
      await assertFits(page);
      await keepPicture(page, `playground-${name}`, { fullPage: true });
      await assertAccessible(page, name);
    });
  }
});
