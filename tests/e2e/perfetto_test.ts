// Open in Perfetto: the documented hand-over, against a page that speaks Perfetto's side of it; no request leaves the machine.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kDeck, kDesk, kSkip, openDrill, useStage, visit } from './support';
import { exportFrom } from './steps';

const stage = useStage();

// What ui.perfetto.dev does with a PING and a posted trace; it is deaf for a moment, as a page that loads is.
const kPerfettoPage = `<!doctype html><title>Perfetto</title><script>
setTimeout(() => addEventListener('message', (event) => {
  if (event.data === 'PING') { event.source.postMessage('PONG', '*'); return; }
  if (event.data && event.data.perfetto) window.got = event.data.perfetto;
}), 300);
</script>`;

test(
  'the trace on screen is handed to ui.perfetto.dev, byte for byte the exported file',
  { skip: kSkip },
  async () => {
    const { context, page, complaints } = await visit(stage.browser, kDesk);
    await context.route('https://ui.perfetto.dev/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: kPerfettoPage }),
    );
    await openDrill(page, stage.server, `${kDeck}/1`);
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Open in Perfetto' }).click();
    const tab = await opening;
    await tab.waitForFunction(() => (window as unknown as { got?: object }).got !== undefined);
    const got = await tab.evaluate(() => {
      const { title, fileName, buffer } = (
        window as unknown as { got: { title: string; fileName: string; buffer: ArrayBuffer } }
      ).got;
      return { title, fileName, text: new TextDecoder().decode(buffer) };
    });
    assert.equal(got.title, `${kDeck}/1`);
    const saved = await exportFrom(page, stage.folder);
    assert.ok(saved.endsWith(got.fileName));
    assert.ok(got.text === readFileSync(saved, 'utf8'), 'the same bytes');
    assert.deepEqual(complaints, []);
    await context.close();
  },
);

test('a blocked tab says what to do instead', { skip: kSkip }, async () => {
  const { context, page } = await visit(stage.browser, kDesk);
  await page.addInitScript(() => (window.open = () => null));
  await openDrill(page, stage.server, `${kDeck}/1`);
  await page.getByRole('button', { name: 'Open in Perfetto' }).click();
  await page
    .getByRole('alert')
    .getByText(/Allow pop-ups/)
    .waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  assert.equal(await page.getByRole('alert').count(), 0);
  await context.close();
});
