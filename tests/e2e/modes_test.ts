// Other ways to meet a drill: blind, in Perfetto only, the walked example, another level.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertAccessible,
  assertTouchable,
  callApi,
  drillWith,
  isPhone,
  kDeck,
  kDesk,
  kPhone,
  kScreens,
  kSkip,
  shoot,
  truthOf,
  useStage,
  visit,
} from './support';
import { commitDiagnosis, reveal, type OpenedOf } from './steps';

const stage = useStage();

for (const screen of [kDesk, kPhone]) {
  test(`${screen.width} px: a blind drill names nothing before the commit`, { skip: kSkip }, async () => {
    const drill = `${kDeck}/2`;
    const opened = (await callApi(stage.server, 'open', { drill })) as OpenedOf;
    const { context, page, complaints } = await visit(stage.browser, screen);
    await page.goto(`${stage.server.url}/#/drill/${drill}/blind`);
    await page.locator('main.drill .tl-canvas').first().waitFor();
    // The next slice is picked and said; even so nothing is named.
    await page.keyboard.press('.');
    await page.waitForTimeout(100);
    const html = await page.content();
    for (const name of [
      opened.prompt.slice(0, 24),
      'aten::',
      'ncclDev',
      'ProfilerStep',
      'cudaLaunch',
      'pt_main_thread',
    ])
      assert.ok(!html.includes(name), `the page names ${name}`);
    assert.equal(await page.getByRole('button', { name: /Perfetto/ }).count(), 0);
    await shoot(page, 'blind', screen);
    await assertAccessible(page, 'a blind drill');
    if (isPhone(screen)) await assertTouchable(page, 'a blind drill');
    await commitDiagnosis(page, 'strag');
    await reveal(page);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test(
    `${screen.width} px: Perfetto only shows neither prompt nor timeline before the commit`,
    { skip: kSkip },
    async () => {
      const drill = await drillWith(stage.server, kDeck, 'straggler');
      const truth = await truthOf(stage.server, drill);
      const opened = (await callApi(stage.server, 'open', { drill })) as OpenedOf;
      const { context, page, complaints } = await visit(stage.browser, screen);
      await page.goto(`${stage.server.url}/#/drill/${drill}/perfetto`);
      await page.getByRole('heading', { name: 'Read it in Perfetto' }).waitFor();
      assert.equal(await page.locator('canvas').count(), 0);
      assert.ok(!(await page.content()).includes(opened.prompt.slice(0, 24)));
      await shoot(page, 'perfetto-only', screen);
      await assertAccessible(page, 'Perfetto only');
      if (isPhone(screen)) await assertTouchable(page, 'Perfetto only');
      // The place, as Perfetto's ruler has it: ms from the first event of the exported trace.
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export to Perfetto (.json)' }).click();
      await (await saved).path();
      const [place] = truth.evidence.filter((one) => truth.headline.includes(`rank ${one.rank}`));
      await page.getByLabel('rank', { exact: true }).fill('99');
      await page.getByText(/Expected a rank/).waitFor();
      await page.getByLabel('rank', { exact: true }).fill(String(place?.rank ?? 0));
      await page.getByLabel('from, ms').fill('1');
      await page.getByLabel('to, ms').fill('2.5');
      await page.getByRole('combobox', { name: 'Diagnosis' }).fill('strag');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Enter');
      await page
        .locator('.locked')
        .getByText(`rank ${place?.rank ?? 0}, all rows`)
        .waitFor();
      await reveal(page);
      assert.deepEqual(complaints, []);
      await context.close();
    },
  );
}

for (const screen of kScreens) {
  test(`the walked example at ${screen.width} px, ${screen.scheme}`, { skip: kSkip }, async () => {
    const { context, page, complaints } = await visit(stage.browser, screen);
    await page.goto(stage.server.url);
    await page.getByRole('link', { name: 'Walk through it' }).click();
    const now = page.locator('.stations [aria-current="step"] b');
    await now.getByText('The prompt').waitFor();
    const titles = [];
    for (;;) {
      titles.push(await now.textContent());
      if (titles.length === 4) {
        await page.waitForTimeout(150);
        await shoot(page, 'walk', screen);
        await assertAccessible(page, `the walk, ${screen.width} px, ${screen.scheme}`);
        if (isPhone(screen)) await assertTouchable(page, 'the walk');
      }
      const next = page.getByRole('button', { name: /^Next: / });
      if ((await next.count()) === 0) break;
      await next.click();
    }
    assert.deepEqual(titles, [
      'The prompt',
      'Step boundary',
      'Gap analysis',
      'Overlap',
      'Longest kernel',
      'Commit',
      'Compare',
    ]);
    await page.getByRole('button', { name: /^Your turn/ }).click();
    await page.locator('main.drill .clock, .clock').first().waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });
}

test('level and mode are remembered and stand in the address of a new trace', { skip: kSkip }, async () => {
  const { context, page } = await visit(stage.browser, kDesk);
  await page.goto(stage.server.url);
  await page.getByLabel('Level').selectOption('hard');
  await page.getByLabel('Shown as').selectOption('blind');
  await page.reload();
  assert.equal(await page.getByLabel('Level').inputValue(), 'hard');
  await page.keyboard.press('n');
  await page.locator('main.drill').waitFor();
  assert.match(page.url(), /#\/drill\/hard\.\d+\/\d+\/blind$/);
  await context.close();
});
