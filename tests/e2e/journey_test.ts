// Whole journeys through the page, in a browser, against the built binary.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  assertAccessible,
  assertTouchable,
  callApi,
  drillWith,
  isPhone,
  kBinary,
  kRoot,
  kScreens,
  kSkip,
  launch,
  openDrill,
  shoot,
  shotPath,
  startServer,
  truthOf,
  visit,
  type Revealed,
  type Server,
} from './support';

const kDeck = 'first.1';
const kDesk = kScreens[0]!;
const kPhone = kScreens[2]!;
const kCauses = ['straggler', 'bandwidth_bound_collective', 'healthy'] as const;

let server: Server;
let browser: Browser;
let folder: string;

before(async () => {
  if (kSkip !== false) return;
  server = await startServer();
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), 'tracedrills-e2e-'));
});
after(async () => {
  await browser?.close();
  server?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

type Truth = Revealed['truth'];
interface Titled {
  readonly id: string;
  readonly title: string;
}
interface CatalogOf {
  readonly diagnoses: readonly Titled[];
  readonly measurements: readonly Titled[];
  readonly fixes: readonly Titled[];
}

// Selects, by dragging on the row, the interval that the truth names for `letter`, on a rank opened for it.
async function dragEvidence(
  page: Page,
  truth: Truth,
  view: { begin_ns: number; end_ns: number },
): Promise<void> {
  const own = Number(/rank (\d+)/i.exec(truth.headline)?.[1] ?? 0);
  const target = truth.evidence.find((one) => one.rank === own) ?? truth.evidence[0]!;
  const header = page.getByRole('button', { name: new RegExp(`^Rank ${own}\\b`) });
  if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
  const row = page.getByRole('group', { name: new RegExp(`compute.*, rank ${own}$`) });
  await row.scrollIntoViewIfNeeded();
  const rowBox = (await row.boundingBox())!;
  const canvas = (await page.locator('.tl-canvas').boundingBox())!;
  const xOf = (ns: number) =>
    canvas.x + ((ns - view.begin_ns) / (view.end_ns - view.begin_ns)) * canvas.width;
  const y = rowBox.y + rowBox.height / 2;
  const clamp = (x: number) => Math.min(canvas.x + canvas.width - 2, Math.max(canvas.x + 2, x));
  await page.mouse.move(clamp(xOf(target.begin_ns)), y);
  await page.mouse.down();
  await page.mouse.move(clamp(xOf((target.begin_ns + target.end_ns) / 2)), y, { steps: 4 });
  await page.mouse.move(clamp(xOf(target.end_ns)), y, { steps: 4 });
  await page.mouse.up();
}

function letterFor(list: readonly Titled[], id: string): string {
  const index = list.findIndex((one) => one.id === id);
  assert.ok(index >= 0, `${id} is in the list`);
  return 'abcdefghijklmnopqrstuvwxyz'[index]!;
}

// Fills all seven parts with the truth, by keyboard alone, and commits.
async function commitByKeyboard(page: Page, truth: Truth, catalog: CatalogOf): Promise<void> {
  const title = catalog.diagnoses.find((one) => one.id === truth.cause)!.title;
  await page.keyboard.press('Enter');
  await page.keyboard.type(title.slice(0, 5));
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('combobox', { name: 'Diagnosis' }).inputValue(), title);
  await page.keyboard.press('Escape');
  await page.keyboard.press('4');
  await page.keyboard.press(letterFor(catalog.measurements, truth.confirm.id));
  await page.keyboard.press('5');
  await page.keyboard.press(letterFor(catalog.fixes, truth.fix.id));
  if (truth.number !== null) {
    await page.keyboard.press('3');
    await page.keyboard.type(String(truth.number.value));
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('6');
  await page.keyboard.type(`${(truth.win.win_frac * 100).toFixed(1)} %`);
  await page.keyboard.press('Tab');
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
  assert.equal(await page.getByRole('radio', { name: '80' }).getAttribute('aria-checked'), 'true');
  await page.keyboard.press('Control+Enter');
}

async function exportFrom(page: Page): Promise<string> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export to Perfetto (.json)' }).click();
  const download = await waiting;
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

// The first finding of `tracedrills read` on a file, with the facts that the prompt states.
function findingOf(path: string, facts: unknown): { cause: string } {
  const factsPath = join(folder, 'drill.json');
  writeFileSync(factsPath, JSON.stringify({ facts }));
  const text = execFileSync(kBinary, ['read', '--json', '--facts', factsPath, path], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const reading = JSON.parse(text) as { findings: { cause: string }[] };
  assert.ok(reading.findings.length > 0, 'the reading has a finding');
  return reading.findings[0]!;
}

// The walk goes through the fixed reading order; the letters come where the overlap is read.
async function walkThrough(page: Page, truth: Truth): Promise<void> {
  await page.getByRole('button', { name: 'Walk me through' }).click();
  const titles: string[] = [];
  for (;;) {
    titles.push((await page.locator('.walk b').textContent()) ?? '');
    const next = page.getByRole('button', { name: /^Next: / });
    if ((await next.count()) === 0) break;
    const label = (await next.textContent()) ?? '';
    await next.click();
    await page.locator('.walk b').getByText(label.replace('Next: ', ''), { exact: true }).waitFor();
  }
  const letters = titles.flatMap((title) => /^Overlap, (.)$/.exec(title)?.[1] ?? []);
  assert.deepEqual(
    titles.filter((title) => !title.startsWith('Overlap, ')),
    ['Step boundary', 'Gap analysis', 'Overlap', 'Longest kernel'],
  );
  assert.deepEqual(letters.sort(), truth.evidence.map((one) => one.letter).sort());
  assert.equal(titles.indexOf('Longest kernel'), titles.length - 1);
}

interface OpenedOf {
  readonly prompt: string;
  readonly facts_json: unknown;
  readonly view: { readonly begin_ns: number; readonly end_ns: number };
}

test('home draws a new trace by N and names it in the address', { skip: kSkip }, async () => {
  const { context, page, complaints } = await visit(browser, kDesk);
  await page.goto(server.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('n');
  await page.locator('main.drill').waitFor();
  assert.match(page.url(), /#\/drill\/core\.1\/\d{1,10}$/);
  assert.deepEqual(complaints, []);
  await context.close();
});

for (const cause of kCauses) {
  test(
    `${cause}: read, commit by keyboard, reveal, export, read the file back`,
    { skip: kSkip },
    async () => {
      const drill = await drillWith(server, kDeck, cause);
      const truth = await truthOf(server, drill);
      const catalog = (await callApi(server, 'catalog', {})) as CatalogOf;
      const opened = (await callApi(server, 'open', { drill })) as OpenedOf;
      const { context, page, complaints } = await visit(browser, kDesk);
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/api/')) asked.push(request.url().replace(/.*\//, ''));
      });

      await openDrill(page, server, drill);
      await page.getByText(opened.prompt.slice(0, 20)).first().waitFor();
      if (truth.evidence.length > 0) {
        await dragEvidence(page, truth, opened.view);
        await page.keyboard.press('p');
        await shoot(page, `place-${cause}`, kDesk);
      }
      await commitByKeyboard(page, truth, catalog);
      await page.getByRole('button', { name: /^Reveal/ }).waitFor();
      assert.ok(!asked.includes('reveal'), 'nothing is revealed by the commit itself');
      await page.keyboard.press('r');
      await page.getByRole('heading', { level: 1, name: truth.headline }).waitFor();

      const grades = await page.$$eval('.parts tbody tr', (rows) =>
        rows.map((row) => [
          row.querySelector('th')?.textContent,
          row.querySelector('.chip')?.getAttribute('data-grade'),
        ]),
      );
      const byPart = Object.fromEntries(grades) as Record<string, string>;
      for (const part of ['Diagnosis', 'Number', 'Measure', 'Fix', 'Win', 'Time']) {
        assert.equal(byPart[part], 'right', `${part} of ${drill}: ${JSON.stringify(byPart)}`);
      }
      if (cause === 'straggler') assert.equal(byPart.Place, 'right');

      // Each letter, by focus alone, frames its place and no other.
      for (const { letter } of truth.evidence) {
        const button = page.locator(`[data-letter="${letter}"]`).first();
        await button.focus();
        await page.locator(`[data-letter="${letter}"][data-on="true"]`).first().waitFor();
        assert.equal(await page.locator(`.letter[data-on="true"]:not([data-letter="${letter}"])`).count(), 0);
      }
      await page.waitForTimeout(100);
      await shoot(page, `revealed-${cause}`, kDesk);
      if (truth.evidence.length > 0) {
        await walkThrough(page, truth);
        await page.getByRole('button', { name: 'Whole trace' }).click();
        await page.locator('.rv-whole .tl-canvas').waitFor();
        await shoot(page, `whole-${cause}`, kDesk);
        await page.getByRole('button', { name: 'Before and after' }).click();
      }

      const finding = findingOf(await exportFrom(page), opened.facts_json);
      assert.equal(finding.cause, truth.cause, `tracedrills read on the export of ${drill}`);
      assert.deepEqual(complaints, []);
      await context.close();
    },
  );
}

test('no answer is in the network, the page or its memory before the commit', { skip: kSkip }, async () => {
  const drill = await drillWith(server, kDeck, 'straggler');
  const truth = await truthOf(server, drill);
  const scenarios = readdirSync(join(kRoot, 'src/drill/scenario'))
    .filter((name) => name.endsWith('.cc') && !name.endsWith('_test.cc'))
    .map((name) => name.replace(/\.cc$/, ''));
  assert.ok(scenarios.includes(truth.scenario), 'the scenario is one of the folder\u2019s');

  const { context, page } = await visit(browser, kDesk);
  const bodies: { readonly url: string; readonly text: string }[] = [];
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    bodies.push({ url: route.request().url(), text: (await response.body()).toString('latin1') });
    await route.fulfill({ response });
  });
  await openDrill(page, server, drill);
  await page
    .getByRole('button', { name: /^Rank [1-9]\b/ })
    .first()
    .click();
  const exported = readFileSync(await exportFrom(page), 'latin1');
  await page.keyboard.press('1');
  await page.keyboard.type('strag');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(300);

  const asked = bodies.map((one) => one.url.replace(/.*\//, '')).sort();
  assert.deepEqual([...new Set(asked)], ['catalog', 'export', 'open']);
  const sentences = [truth.headline, truth.summary, ...truth.signature.map((one) => one.text)];
  const secrets = [
    '"truth"',
    '"verdict"',
    '"evidence"',
    ...scenarios.filter((id) => id !== 'healthy'),
    ...sentences,
  ];
  for (const { url, text } of [...bodies, { url: 'the exported file', text: exported }]) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `${url} holds ${secret}`);
    if (!url.endsWith('/catalog')) {
      for (const cause of ['straggler', 'bandwidth_bound'])
        assert.ok(!text.includes(cause), `${url} names ${cause}`);
    }
  }
  const html = await page.content();
  for (const secret of [...sentences, truth.scenario])
    assert.ok(!html.includes(secret), `the page holds ${secret}`);

  const heap = await heapOf(page);
  assert.ok(heap.includes(opened20(html)), 'the snapshot holds what the page holds');
  for (const secret of [...sentences, truth.scenario]) {
    assert.ok(!heap.includes(JSON.stringify(secret).slice(1, -1)), `the memory of the page holds ${secret}`);
  }

  // The same search finds the answer once it has been revealed: the search itself works.
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('r');
  await page.locator('.reveal').waitFor();
  const after = await heapOf(page);
  for (const secret of sentences) assert.ok(after.includes(JSON.stringify(secret).slice(1, -1)));
  await context.close();
});

// A piece of the prompt, to show that the search of the heap finds what is there.
function opened20(html: string): string {
  const prompt = /aria-label="Prompt"><p>([^<]{12})/.exec(html)?.[1];
  assert.ok(prompt, 'the page shows a prompt');
  return prompt;
}

async function heapOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return chunks.join('');
}

test(
  'the clock: said at 1:00, 0:20 and 0:00; then a miss that may be finished',
  { skip: kSkip },
  async () => {
    const { context, page, complaints } = await visit(browser, kDesk);
    await page.clock.install();
    await openDrill(page, server, `${kDeck}/1`);
    const said = page.locator('.clock [role="status"]');
    const shown = page.locator('.clock b');
    assert.match((await shown.textContent()) ?? '', /^(2:00|1:5\d)$/);
    await page.clock.fastForward(61_000);
    await page.clock.runFor(400);
    await page.waitForFunction(() =>
      /One minute/.test(document.querySelector('.clock [role="status"]')?.textContent ?? ''),
    );
    await page.clock.fastForward(40_000);
    await page.clock.runFor(400);
    assert.match((await said.textContent()) ?? '', /20 seconds/);
    assert.equal(await page.locator('.clock').getAttribute('data-state'), 'low');
    await page.clock.fastForward(20_000);
    await page.clock.runFor(400);
    assert.match((await said.textContent()) ?? '', /miss/);
    assert.equal(await shown.textContent(), '0:00');
    await shoot(page, 'miss', kDesk);
    await page.keyboard.press('Enter');
    await page.keyboard.type('healthy');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/, a miss/).waitFor();
    await page.keyboard.press('r');
    await page.locator('.reveal').waitFor();
    assert.equal(await page.locator('.parts tbody tr:last-child .chip').textContent(), '\u2715 miss');
    assert.deepEqual(complaints, []);
    await context.close();
  },
);

test('a pause marks the attempt; without a clock the time is not graded', { skip: kSkip }, async () => {
  const { context, page } = await visit(browser, kDesk);
  await openDrill(page, server, `${kDeck}/1`);
  await page.getByRole('button', { name: /^Pause/ }).click();
  const stood = await page.locator('.clock b').textContent();
  await page.waitForTimeout(1300);
  assert.equal(await page.locator('.clock b').textContent(), stood);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('switch', { name: 'No clock' }).click();
  assert.equal(await page.locator('.clock').getAttribute('data-state'), 'free');
  await page.keyboard.press('1');
  await page.keyboard.type('cannot');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/no clock/)
    .first()
    .waitFor();
  await page.keyboard.press('r');
  await page.locator('.reveal').waitFor();
  assert.match(
    (await page.locator('.parts tbody tr:last-child').textContent()) ?? '',
    /no clock.*paused.*not timed/,
  );
  await context.close();
});

test(
  'a drill that does not exist says so in the API\u2019s words, and a new trace is one key away',
  { skip: kSkip },
  async () => {
    const { context, page } = await visit(browser, kDesk);
    for (const drill of ['nope.1/1', `${kDeck}/x`, `${kDeck}/99999999999`]) {
      await page.goto(`${server.url}/#/drill/${drill}`);
      const alert = page.getByRole('alert');
      await alert.getByText(drill, { exact: false }).first().waitFor();
      const { error } = (await callApi(server, 'open', { drill })) as { error: { message: string } };
      assert.ok((await alert.textContent())?.includes(error.message), `the message for ${drill}`);
    }
    await shoot(page, 'error', kDesk);
    await page.keyboard.press('n');
    await page.locator('main.drill').waitFor();
    await page.goto(`${server.url}/#/nowhere`);
    await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor();
    await context.close();
  },
);

test('N without a server leaves the reveal on screen and says so', { skip: kSkip }, async () => {
  const { context, page } = await visit(browser, kDesk);
  await openDrill(page, server, `${kDeck}/1`);
  await page.keyboard.press('1');
  await page.keyboard.type('cannot');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('r');
  await page.locator('main.reveal').waitFor();
  const address = page.url();
  await page.route('**/api/**', (route) => route.abort());
  await page.keyboard.press('n');
  const alert = page.getByRole('alert');
  await alert.getByText('No trace was drawn.').waitFor();
  assert.equal(page.url(), address);
  assert.equal(await page.locator('main.reveal').count(), 1, 'the reveal is still there');
  await assertAccessible(page, 'the notice');
  await alert.getByRole('button', { name: 'Close' }).click();
  assert.equal(await alert.count(), 0);
  await page.keyboard.press('n');
  await alert.getByText('No trace was drawn.').waitFor();
  await page.unroute('**/api/**');
  await page.keyboard.press('n');
  await page.locator('main.drill').waitFor();
  assert.notEqual(page.url(), address);
  assert.equal(await alert.count(), 0, 'the next success clears it');
  await context.close();
});

test('a name of 50,000 characters takes one line', { skip: kSkip }, async () => {
  const { context, page } = await visit(browser, kPhone);
  await page.goto(`${server.url}/#/drill/${'a'.repeat(50_000)}`);
  await page.getByRole('alert').waitFor();
  assert.ok(((await page.locator('body').textContent()) ?? '').length < 2000, 'the page is short');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} px wider than the screen`);
  await context.close();
});

test('Esc keeps what was entered; a digit in a field stays in the field', { skip: kSkip }, async () => {
  const { context, page } = await visit(browser, kDesk);
  await openDrill(page, server, `${kDeck}/1`);
  await page.keyboard.press('1');
  await page.keyboard.type('recom');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Reading order' }).waitFor();
  await page.keyboard.press('3');
  await page.keyboard.type('12');
  assert.equal(await page.locator('#part-number').inputValue(), '12');
  assert.equal(await page.getByRole('combobox', { name: 'Diagnosis' }).inputValue(), 'recompilation');
  await page.locator('#part-number').fill('12 GB/s');
  await page
    .getByText(/Expected a time/)
    .first()
    .waitFor();
  await page.keyboard.press('Control+Enter');
  assert.equal(await page.getByRole('button', { name: /^Reveal/ }).count(), 0);
  await context.close();
});

for (const screen of kScreens) {
  const name = `${screen.width} px, ${screen.scheme}`;
  test(`${name}: every state is accessible and has its picture`, { skip: kSkip }, async () => {
    const drill = await drillWith(server, kDeck, 'straggler');
    const { context, page, complaints } = await visit(browser, screen);
    const stop = async (state: string) => {
      await shoot(page, state, screen);
      await assertAccessible(page, `${state}, ${name}`);
      if (isPhone(screen)) await assertTouchable(page, `${state}, ${name}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${state}, ${name}: ${wide} px wider than the screen`);
    };
    await page.goto(server.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await stop('home');
    await openDrill(page, server, drill);
    await page.waitForTimeout(200);
    await stop('reading');
    await page.getByRole('button', { name: /^Commit/ }).click();
    await page.getByRole('combobox', { name: 'Diagnosis' }).fill('st');
    await stop('commit');
    await page.getByRole('option', { name: /straggler/ }).click();
    await page.locator('#part-number').fill('20 ms');
    await page.getByRole('combobox', { name: 'Confirming measurement' }).click();
    await stop('commit-list');
    await page.getByRole('option').first().click();
    await page.getByRole('radio', { name: '80' }).click();
    await page.getByRole('button', { name: /^Commit/ }).click();
    await page.getByRole('button', { name: /^Reveal/ }).waitFor();
    await stop('committed');
    await page.getByRole('button', { name: /^Reveal/ }).click();
    await page.locator('.reveal').waitFor();
    await page.waitForTimeout(200);
    await stop('reveal');
    if (isPhone(screen))
      await page.screenshot({ path: shotPath('reveal-whole-page', screen), fullPage: true });
    assert.deepEqual(complaints, []);
    await context.close();
  });
}

for (const screen of [kDesk, kPhone]) {
  test(
    `${screen.width} px: all ranks are on screen with the first one open; host rows unfold`,
    { skip: kSkip },
    async () => {
      const { context, page, complaints } = await visit(browser, screen);
      for (const seed of [1, 2, 3, 4, 5]) {
        await openDrill(page, server, `${kDeck}/${seed}`);
        const port = (await page.locator('.tl-rows').boundingBox())!;
        const ranks = page.getByRole('button', { name: /^Rank \d/ });
        assert.equal(await ranks.count(), 8);
        const last = (await ranks.last().boundingBox())!;
        assert.ok(
          last.y + last.height <= port.y + port.height + 1,
          `seed ${seed}: the last rank is in sight`,
        );
        if (isPhone(screen)) assert.ok(last.height >= 40);
      }
      const height = () => page.locator('.tl-content').evaluate((one) => one.scrollHeight);
      const thread = page.getByRole('button', { name: /^pt_main_thread .*rank 0$/ });
      const folded = await height();
      await page.keyboard.press('u');
      assert.equal(await thread.getAttribute('aria-expanded'), 'true');
      assert.ok((await height()) > folded);
      await page.keyboard.press('u');
      assert.equal(await height(), folded);
      if (isPhone(screen)) await page.getByRole('button', { name: 'Host rows of rank 0' }).tap();
      else await thread.click();
      assert.equal(await thread.getAttribute('aria-expanded'), 'true');
      await page.getByRole('button', { name: /^Rank 0/ }).click();
      await page.getByRole('button', { name: /^Rank 0/ }).click();
      assert.equal(await thread.getAttribute('aria-expanded'), 'true', 'closing a rank forgets nothing');
      await shoot(page, 'unfolded', screen);
      assert.deepEqual(complaints, []);
      await context.close();
    },
  );
}

test('finding a folded slice unfolds its row', { skip: kSkip }, async () => {
  const { context, page } = await visit(browser, kDesk);
  await openDrill(page, server, `${kDeck}/1`);
  const folded = page.locator('.tl-label-row[aria-expanded="false"]');
  const before = await folded.count();
  assert.ok(before > 0, 'a row is folded');
  // An operator inside operators: deeper than a folded row shows.
  await page.keyboard.press('/');
  await page.keyboard.type('aten::empty_strided');
  for (let press = 0; press < 40 && (await folded.count()) === before; press += 1)
    await page.keyboard.press('Enter');
  assert.ok((await folded.count()) < before, 'the row of the found slice is unfolded');
  await context.close();
});

test('phone: the sheet, the tick chips and a place by touch', { skip: kSkip }, async () => {
  const { context, page, complaints } = await visit(browser, kPhone);
  await openDrill(page, server, `${kDeck}/1`);
  const chip = page.getByRole('button', { name: /Steps$/ });
  await chip.tap();
  assert.equal(await chip.getAttribute('aria-pressed'), 'true');
  const sheet = page.locator('.side');
  assert.equal(await sheet.getAttribute('data-sheet'), 'peek');
  await page.locator('.grab').tap();
  assert.equal(await sheet.getAttribute('data-sheet'), 'half');
  await page.getByRole('switch', { name: 'No clock' }).waitFor();
  await shoot(page, 'sheet', kPhone);
  await page.locator('.grab').tap();
  await page.locator('.grab').tap();
  assert.equal(await sheet.getAttribute('data-sheet'), 'peek');

  // A long press, then a move: one finger alone would pan.
  const row = (await page.locator('.tl-label-row').filter({ hasText: 'Stream 7' }).first().boundingBox())!;
  const canvas = (await page.locator('.tl-canvas').boundingBox())!;
  const touch = await context.newCDPSession(page);
  const y = row.y + row.height / 2;
  const finger = (x: number) => [{ x: canvas.x + x, y }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: finger(80) });
  await page.waitForTimeout(700);
  for (const x of [100, 140, 180]) {
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: finger(x) });
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  // Emulated touch gives no click for the first tap after a long press; so the next two are clicks.
  await page.getByRole('button', { name: /^mark as place/ }).click();
  await page.getByText('marked as place').waitFor();
  await page.getByRole('button', { name: 'Commit' }).click();
  await page.locator('.place').getByText('rank 0, stream 7').waitFor();
  await shoot(page, 'place', kPhone);
  assert.deepEqual(complaints, []);
  await context.close();
});
