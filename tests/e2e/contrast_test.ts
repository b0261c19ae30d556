// Contrast: two runs of one job on one scale, the commit, and the reveal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertTouchable,
  callApi,
  drillWith,
  isPhone,
  kDeck,
  kDesk,
  kPhone,
  kSkip,
  shoot,
  truthOf,
  useStage,
  visit,
} from './support';

const stage = useStage();

// What a run's canvas shows, as bytes: equal means that nothing has moved.
const pictureOf = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true }).locator('.tl-canvas').first().screenshot();

for (const screen of [kDesk, kPhone]) {
  test(`${screen.width} px: a contrast is read, committed to and revealed`, { skip: kSkip }, async () => {
    const drill = await drillWith(stage.server, kDeck, 'straggler');
    const truth = await truthOf(stage.server, drill);
    const commit = { diagnosis: 'straggler', side: 'a' };
    const { faulty } = (await callApi(stage.server, 'contrast_reveal', { drill, commit })) as {
      faulty: 'a' | 'b';
    };
    const { context, page, complaints } = await visit(stage.browser, screen);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${stage.server.url}/#/drill/${drill}/contrast`);
    await page.locator('main.contrast .tl-canvas').nth(1).waitFor();
    // Nothing of the answer is on the page, and nothing has been asked that would hold it.
    const html = await page.content();
    for (const told of [truth.headline, truth.summary, 'with the fault'])
      assert.ok(!html.includes(told), `the page tells "${told}"`);
    assert.ok(!asked.some((path) => /reveal|\/open$/.test(path)), asked.join(' '));
    await page.waitForTimeout(150);
    await shoot(page, 'contrast', screen);
    await assertAccessible(page, 'a contrast');
    if (isPhone(screen)) await assertTouchable(page, 'a contrast');

    // Both move together, whichever is under the pointer.
    const before = await pictureOf(page, 'Run B');
    await page.getByRole('region', { name: 'Run A', exact: true }).locator('.tl-canvas').first().hover();
    await page.keyboard.press('w');
    await page.waitForTimeout(250);
    assert.notDeepEqual(await pictureOf(page, 'Run B'), before, 'run B zooms with run A');

    await page.keyboard.press('1');
    for (let press = 0; press < (faulty === 'a' ? 1 : 2); press += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('2');
    await page.keyboard.type('strag');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: truth.headline }).waitFor();
    assert.equal(await page.locator('.parts .chip[data-grade="right"]').count(), 2);
    const own = page.getByRole('region', { name: faulty === 'a' ? 'Run A' : 'Run B', exact: true });
    await own.getByText('with the fault').waitFor();
    await page.getByText('the fix applied', { exact: true }).waitFor();
    await page.waitForTimeout(150);
    await shoot(page, 'contrast-reveal', screen);
    await assertAccessible(page, 'a revealed contrast');
    if (isPhone(screen)) await assertTouchable(page, 'a revealed contrast');
    assert.deepEqual(complaints, []);
    await context.close();
  });
}

test('the same stretch is measured in both runs', { skip: kSkip }, async () => {
  const { context, page } = await visit(stage.browser, kDesk);
  await page.goto(`${stage.server.url}/#/drill/${kDeck}/2/contrast`);
  const canvas = page.getByRole('region', { name: 'Run B', exact: true }).locator('.tl-canvas').first();
  await canvas.waitFor();
  const box = (await canvas.boundingBox())!;
  const y = box.y + box.height / 3;
  await page.mouse.move(box.x + box.width * 0.2, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.3, y, { steps: 4 });
  await page.mouse.move(box.x + box.width * 0.4, y, { steps: 4 });
  await page.mouse.up();
  const lengths = await page
    .locator('.ct-measure .tl-measure tr:first-child td:nth-child(2)')
    .allTextContents();
  assert.equal(lengths.length, 2);
  assert.equal(lengths[0], lengths[1], 'both are as long');
  await shoot(page, 'contrast-measure', kDesk);
  await context.close();
});
