// What is remembered: attempts of this machine, the views over them, and how they are forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertAccessible,
  assertTouchable,
  drillWith,
  isPhone,
  kDeck,
  kDesk,
  kScreens,
  kSkip,
  openDrill,
  shotPath,
  useStage,
  visit,
} from './support';
import { commitDiagnosis, reveal } from './steps';

const stage = useStage();

test(
  'an attempt is kept over a reload, a retry does not count, and all can be forgotten',
  { skip: kSkip },
  async () => {
    const drill = await drillWith(stage.server, kDeck, 'straggler');
    const { context, page, complaints } = await visit(stage.browser, kDesk);
    await page.goto(`${stage.server.url}/#/history`);
    await page.getByRole('heading', { name: 'No attempts yet' }).waitFor();
    await openDrill(page, stage.server, drill);
    for (const diagnosis of ['band', 'strag']) {
      await page.locator('main.drill').waitFor();
      await commitDiagnosis(page, diagnosis);
      await reveal(page);
      await page.waitForTimeout(200);
      if (diagnosis === 'band') await page.getByRole('button', { name: 'Retry' }).click();
    }
    await page.goto(`${stage.server.url}/#/history`);
    await page.reload();
    const row = page.getByRole('region', { name: 'By cause' }).getByRole('row', { name: /^straggler rank/ });
    await row.getByText('0 % (0 of 1)').waitFor();
    await page.getByText('1 retry not counted').waitFor();
    const matrix = page.getByRole('region', { name: 'What is called what' });
    assert.equal(await matrix.locator('td[data-right="false"][data-few="true"]').textContent(), '1');
    assert.equal(await page.locator('.attempts tbody tr').count(), 2);
    await page.getByRole('link', { name: drill }).first().click();
    await page.locator('main.drill').waitFor();
    await page.goto(`${stage.server.url}/#/`);
    await page.getByRole('heading', { name: /^Last attempts/ }).waitFor();
    await page.goto(`${stage.server.url}/#/history`);
    await page.getByRole('button', { name: 'Forget all attempts' }).click();
    await page.getByRole('button', { name: 'Forget them' }).click();
    await page.getByRole('heading', { name: 'No attempts yet' }).waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  },
);

for (const screen of kScreens) {
  test(
    `history at ${screen.width} px, ${screen.scheme}, is accessible and has its picture`,
    { skip: kSkip },
    async () => {
      const { context, page, complaints } = await visit(stage.browser, screen);
      await page.goto(stage.server.url);
      await page.locator('main.home').waitFor();
      await page.evaluate(fillAttempts);
      await page.goto(`${stage.server.url}/#/history`);
      await page.locator('main.history').waitFor();
      await page.screenshot({ path: shotPath('history', screen), fullPage: true });
      await assertAccessible(page, `history, ${screen.width} px, ${screen.scheme}`);
      if (isPhone(screen)) await assertTouchable(page, 'history');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} px wider than the screen`);
      assert.deepEqual(complaints, []);
      await context.close();
    },
  );
}

// Runs in the page: a history of 60 attempts, more often right than not.
async function fillAttempts(): Promise<void> {
  const causes = [
    'straggler',
    'bandwidth_bound_collective',
    'healthy',
    'input_starvation',
    'recompilation',
    'sync_stalls',
    'launch_bound',
  ];
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('tracedrills');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const store = database.transaction('attempts', 'readwrite').objectStore('attempts');
  for (let n = 0; n < 60; n += 1) {
    const cause = causes[n % causes.length]!;
    const diagnosis = n % 3 === 0 ? causes[(n + 1) % causes.length]! : cause;
    const grade = diagnosis === cause ? 'right' : 'wrong';
    const parts = ['diagnosis', 'place', 'number', 'measurement', 'fix', 'win', 'confidence'];
    store.add({
      schema_version: 1,
      at_ms: 1_790_000_000_000 + n * 600_000,
      drill: `core.1/${n}`,
      mode: n % 5 === 0 ? 'blind' : 'full',
      cause,
      diagnosis,
      grades: Object.fromEntries(parts.map((part, at) => [part, at > 0 && n % 4 === 0 ? 'close' : grade])),
      right: grade === 'right' ? 6 : 1,
      of: 7,
      elapsed_ms: 40_000 + n * 1500,
      timed: n % 7 !== 0,
      paused: n % 7 === 0,
      in_time: n < 50,
      counts: n % 10 !== 9,
      confidence_percent: [50, 65, 80, 95][n % 4],
      commit: { diagnosis, elapsed_ms: 40_000, paused: false },
      bought: [],
      notes: { prints: '', spoken: n % 6 === 0 ? 'rank 5 is last in every step' : '' },
    });
  }
  await new Promise((resolve) => (store.transaction.oncomplete = resolve));
}
