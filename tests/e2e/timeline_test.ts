// The viewer: rows, folds, search, pins, cursors, touch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPhone, kDeck, kDesk, kPhone, kSkip, openDrill, shoot, useStage, visit } from './support';

const stage = useStage();

for (const screen of [kDesk, kPhone]) {
  test(
    `${screen.width} px: all ranks are on screen with the first one open; host rows unfold`,
    { skip: kSkip },
    async () => {
      const { context, page, complaints } = await visit(stage.browser, screen);
      for (const seed of [1, 2, 3, 4, 5]) {
        await openDrill(page, stage.server, `${kDeck}/${seed}`);
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
  const { context, page } = await visit(stage.browser, kDesk);
  await openDrill(page, stage.server, `${kDeck}/1`);
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
  const { context, page, complaints } = await visit(stage.browser, kPhone);
  await openDrill(page, stage.server, `${kDeck}/1`);
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

test('a pinned row stands above all; two cursors say how far apart they are', { skip: kSkip }, async () => {
  const { context, page, complaints } = await visit(stage.browser, kDesk);
  await openDrill(page, stage.server, `${kDeck}/1`);
  const row = page.getByRole('group', { name: /^Stream \d+ NCCL, rank 0$/ });
  await row.focus();
  await page.keyboard.press('t');
  await page.locator('.tl-pinned').waitFor();
  const canvas = page.locator('.tl-rows:not(.tl-pinned) .tl-canvas');
  const box = (await canvas.boundingBox())!;
  const pinned = (await page.locator('.tl-pinned .tl-canvas').boundingBox())!;
  assert.ok(pinned.y + pinned.height <= box.y, 'it stands above the rows');
  // Somewhere on the row a collective runs.
  const picked = page.getByRole('region', { name: 'Slice' }).getByText(/nccl/i);
  for (let share = 0.1; share < 1 && (await picked.count()) === 0; share += 0.04) {
    await page.mouse.click(pinned.x + pinned.width * share, pinned.y + pinned.height / 2);
    await page.waitForTimeout(50);
  }
  assert.ok((await picked.count()) > 0, 'a slice of the pinned row is picked');
  const said = page.locator('.tl-live');
  await page.mouse.move(box.x + 200, box.y + 60);
  await page.keyboard.press('c');
  await said.getByText('First cursor set').waitFor();
  await page.mouse.move(box.x + 500, box.y + 60);
  await page.keyboard.press('c');
  await said.getByText(/^Cursors [\d.]+ ms apart$/).waitFor();
  await shoot(page, 'pinned', kDesk);
  await page
    .getByRole('button', { name: /^Pin Stream .* NCCL, rank 0$/ })
    .last()
    .click();
  await page.locator('.tl-pinned').waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  await context.close();
});

test('the keys of a flow, a gap and a selection move and measure', { skip: kSkip }, async () => {
  const { context, page } = await visit(stage.browser, kDesk);
  await openDrill(page, stage.server, `${kDeck}/1`);
  const slice = page.getByRole('region', { name: 'Slice' });
  await page.getByRole('group', { name: /^Stream 7 compute/ }).focus();
  await page.keyboard.press('.');
  await slice.getByText('Correlation').waitFor();
  const kernel = await slice.locator('.tl-panel-head .tl-mono').textContent();
  await page.keyboard.press('[');
  await slice
    .getByText(/^cu(da)?\w*(Launch|Memcpy)/)
    .first()
    .waitFor();
  await page.keyboard.press(']');
  await slice
    .getByText(kernel ?? '', { exact: true })
    .first()
    .waitFor();
  await page.keyboard.press('m');
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.getByText('Busy').waitFor();
  await page.keyboard.press('f');
  await page.keyboard.press('g');
  await page.locator('.tl-live').getByText(/gap/i).waitFor();
  await context.close();
});
