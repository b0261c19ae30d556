// The clock, the form, and what lies between commit and reveal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kDeck, kDesk, kSkip, openDrill, shoot, useStage, visit } from './support';
import { commitDiagnosis, reveal } from './steps';

const stage = useStage();

test(
  'the clock: said at 1:00, 0:20 and 0:00; then a miss that may be finished',
  { skip: kSkip },
  async () => {
    const { context, page, complaints } = await visit(stage.browser, kDesk);
    await page.clock.install();
    await openDrill(page, stage.server, `${kDeck}/1`);
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
  const { context, page } = await visit(stage.browser, kDesk);
  await openDrill(page, stage.server, `${kDeck}/1`);
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

test('Esc keeps what was entered; a digit in a field stays in the field', { skip: kSkip }, async () => {
  const { context, page } = await visit(stage.browser, kDesk);
  await openDrill(page, stage.server, `${kDeck}/1`);
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

test(
  'a measurement costs its price; what it will print, a note and a recording wait for the reveal',
  { skip: kSkip },
  async () => {
    const { context, page, complaints } = await visit(stage.browser, kDesk);
    await openDrill(page, stage.server, `${kDeck}/1`);
    const seconds = async () => {
      const [minutes = 0, rest = 0] = ((await page.locator('.clock b').textContent()) ?? '')
        .split(':')
        .map(Number);
      return minutes * 60 + rest;
    };
    const before = await seconds();
    await page.getByRole('button', { name: /^SM clocks.*for 10 s of the clock$/ }).click();
    await page.locator('.paid .out').getByText(/MHz/).waitFor();
    assert.ok(before - (await seconds()) >= 10, 'ten seconds are gone');
    await page.getByText('spent 10 s').waitFor();
    await page.getByRole('button', { name: 'Record the read' }).click();
    await page.getByText('Recording; it stays in this browser.').waitFor();
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByText('Recorded; played at the reveal.').waitFor();
    await shoot(page, 'measured', kDesk);

    await page.keyboard.press('4');
    await page.keyboard.press('b');
    await page.keyboard.press('Escape');
    await commitDiagnosis(page, 'cannot');
    await page.getByLabel(/What will it print/).fill('350 GB/s of busbw');
    await page.getByLabel(/The read, in your words/).fill('steps, gaps, overlap, kernel');
    await reveal(page);
    await page.locator('.ev .said').getByText('350 GB/s of busbw').waitFor();
    await page.locator('.read').getByText('steps, gaps, overlap, kernel').waitFor();
    assert.match((await page.locator('.read audio').getAttribute('src')) ?? '', /^blob:/);
    await page
      .locator('.ev .out')
      .getByText(/all_reduce_perf/)
      .first()
      .waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  },
);
