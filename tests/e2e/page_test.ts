// The page around the drills: home, addresses, errors, what it weighs and whom it talks to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { availableParallelism, loadavg } from 'node:os';
import { gzipSync } from 'node:zlib';
import {
  assertAccessible,
  callApi,
  kDeck,
  kDesk,
  kPhone,
  kSkip,
  openDrill,
  shoot,
  useStage,
  visit,
} from './support';

const stage = useStage();

test('home draws a new trace by N and names it in the address', { skip: kSkip }, async () => {
  const { context, page, complaints } = await visit(stage.browser, kDesk);
  await page.goto(stage.server.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('n');
  await page.locator('main.drill').waitFor();
  assert.match(page.url(), /#\/drill\/core\.1\/\d{1,10}$/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test(
  'a drill that does not exist says so in the API\u2019s words, and a new trace is one key away',
  { skip: kSkip },
  async () => {
    const { context, page } = await visit(stage.browser, kDesk);
    for (const drill of ['nope.1/1', `${kDeck}/x`, `${kDeck}/99999999999`]) {
      await page.goto(`${stage.server.url}/#/drill/${drill}`);
      const alert = page.getByRole('alert');
      await alert.getByText(drill, { exact: false }).first().waitFor();
      const { error } = (await callApi(stage.server, 'open', { drill })) as { error: { message: string } };
      assert.ok((await alert.textContent())?.includes(error.message), `the message for ${drill}`);
    }
    await shoot(page, 'error', kDesk);
    await page.keyboard.press('n');
    await page.locator('main.drill').waitFor();
    await page.goto(`${stage.server.url}/#/nowhere`);
    await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor();
    await context.close();
  },
);

test('N without a server leaves the reveal on screen and says so', { skip: kSkip }, async () => {
  const { context, page } = await visit(stage.browser, kDesk);
  await openDrill(page, stage.server, `${kDeck}/1`);
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
  const { context, page } = await visit(stage.browser, kPhone);
  await page.goto(`${stage.server.url}/#/drill/${'a'.repeat(50_000)}`);
  await page.getByRole('alert').waitFor();
  assert.ok(((await page.locator('body').textContent()) ?? '').length < 2000, 'the page is short');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} px wider than the screen`);
  await context.close();
});

test('the page weighs little and talks to its own server alone', { skip: kSkip }, async () => {
  const { context, page, complaints } = await visit(stage.browser, kDesk);
  const hosts = new Set<string>();
  let bytes = 0;
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  page.on('response', async (response) => {
    if (!response.url().includes('/api/')) bytes += gzipSync(await response.body()).length;
  });
  await openDrill(page, stage.server, `${kDeck}/1`);
  await page.waitForTimeout(300);
  await page.goto(`${stage.server.url}/#/history`);
  await page.waitForTimeout(300);
  assert.deepEqual(
    [...hosts].filter((origin) => /^http/.test(origin)),
    [stage.server.url],
  );
  assert.ok(bytes > 10_000 && bytes < 300_000, `${bytes} bytes, compressed`);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('the first drill is on screen within a second of opening', { skip: kSkip }, async () => {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { context, page } = await visit(stage.browser, kDesk);
    await page.goto(`${stage.server.url}/#/drill/${kDeck}/${round + 1}`);
    await page.locator('main.drill .tl-canvas').first().waitFor();
    times.push(await page.evaluate(() => performance.now()));
    await context.close();
  }
  // The least of three, and no more than the page's share of a processor that others use too.
  const share = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
  assert.ok(Math.min(...times) < 1000 * share, `${times.map(Math.round).join(', ')} ms, share 1 in ${share}`);
});
