// Before the commit no answer is anywhere: not in the network, the page, its memory or the file.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { drillWith, kDeck, kDesk, kRoot, kSkip, openDrill, truthOf, useStage, visit } from './support';
import { exportFrom } from './steps';

const stage = useStage();

test('no answer is in the network, the page or its memory before the commit', { skip: kSkip }, async () => {
  const drill = await drillWith(stage.server, kDeck, 'straggler');
  const truth = await truthOf(stage.server, drill);
  const scenarios = readdirSync(join(kRoot, 'src/drill/scenario'))
    .filter((name) => name.endsWith('.cc') && !name.endsWith('_test.cc'))
    .map((name) => name.replace(/\.cc$/, ''));
  assert.ok(scenarios.includes(truth.scenario), 'the scenario is one of the folder\u2019s');

  const { context, page } = await visit(stage.browser, kDesk);
  const bodies: { readonly url: string; readonly text: string }[] = [];
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    bodies.push({ url: route.request().url(), text: (await response.body()).toString('latin1') });
    await route.fulfill({ response });
  });
  await openDrill(page, stage.server, drill);
  await page
    .getByRole('button', { name: /^Rank [1-9]\b/ })
    .first()
    .click();
  const exported = readFileSync(await exportFrom(page, stage.folder), 'latin1');
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
