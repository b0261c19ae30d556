// Once served, the page opens without its trainer: it says what it cannot do, and shows what it keeps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertAccessible,
  kDeck,
  kDesk,
  kPhone,
  kSkip,
  openDrill,
  shoot,
  startServer,
  useStage,
  visit,
} from './support';
import { commitDiagnosis, reveal } from './steps';

const stage = useStage();

for (const screen of [kDesk, kPhone]) {
  test(`${screen.width} px: the page works without the trainer that served it`, { skip: kSkip }, async () => {
    const server = await startServer();
    const { context, page, complaints } = await visit(stage.browser, screen, 'allow');
    try {
      await openDrill(page, server, `${kDeck}/1`);
      await commitDiagnosis(page, 'cannot');
      await reveal(page);
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
      });
      // The policy allows the worker, and nothing else was complained of.
      assert.deepEqual(complaints, []);
      const kept = await page.evaluate(async () => {
        const cache = await caches.open('tracedrills-page-1');
        return (await cache.keys()).map((request) => new URL(request.url).pathname).sort();
      });
      assert.deepEqual(kept, ['/', '/api/v1/math_reference', '/app.css', '/app.js'], 'no drill is kept');

      await server.stop();
      await page.goto(`${server.url}/#/`);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('n');
      const alert = page.getByRole('alert');
      await alert.getByText('The trainer does not answer').waitFor();
      await assertAccessible(page, 'home without a trainer');

      await page.goto(`${server.url}/#/drill/${kDeck}/2`);
      await alert.getByRole('heading', { name: `${kDeck}/2: not opened` }).waitFor();
      await shoot(page, 'offline-drill', screen);
      await alert.getByRole('link', { name: 'your attempts' }).click();
      await page.getByText(`${kDeck}/1`, { exact: true }).first().waitFor();
      await shoot(page, 'offline-history', screen);
      await assertAccessible(page, 'the history without a trainer');
      await page.goto(`${server.url}/#/reference`);
      await page.getByRole('heading', { name: 'Reference' }).waitFor();
    } finally {
      await server.stop();
      await context.close();
    }
  });
}
