// Every state of a drill on each screen: accessible, touchable, no wider than the screen, with its picture.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertAccessible,
  assertTouchable,
  drillWith,
  isPhone,
  kDeck,
  kScreens,
  kSkip,
  openDrill,
  shoot,
  shotPath,
  useStage,
  visit,
} from './support';

const stage = useStage();

for (const screen of kScreens) {
  const name = `${screen.width} px, ${screen.scheme}`;
  test(`${name}: every state is accessible and has its picture`, { skip: kSkip }, async () => {
    const drill = await drillWith(stage.server, kDeck, 'straggler');
    const { context, page, complaints } = await visit(stage.browser, screen);
    const stop = async (state: string) => {
      await shoot(page, state, screen);
      await assertAccessible(page, `${state}, ${name}`);
      if (isPhone(screen)) await assertTouchable(page, `${state}, ${name}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${state}, ${name}: ${wide} px wider than the screen`);
    };
    await page.goto(stage.server.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await stop('home');
    await openDrill(page, stage.server, drill);
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
