// The mental-math pages in a browser: a sum by keyboard, a slip, a storm, cards, the reference, and the bridge.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  assertAccessible,
  assertTouchable,
  callApi,
  isPhone,
  kScreens,
  kSkip,
  launch,
  openDrill,
  shoot,
  startServer,
  visit,
  type Server,
} from './support';

let server: Server;
let browser: Browser;

before(async () => {
  if (kSkip !== false) return;
  server = await startServer();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

interface Graded {
  readonly answer: { readonly value?: number; readonly unit?: string; readonly verdict?: string };
  readonly answer_text: string;
  readonly asks: string;
  readonly category: string;
  readonly question: string;
  readonly title?: string;
}

const graded = (problem: string): Promise<Graded> =>
  callApi(server, 'math_answer', { problem, answer: null }) as Promise<Graded>;

// A ring all-reduce that asks for a time: the slips of a link's directions are known.
async function ringProblem(): Promise<string> {
  for (let seed = 0; seed < 50; seed += 1) {
    const request = { category: 'ring_all_reduce', seed };
    const opened = (await callApi(server, 'math_open', request)) as { problem: string; unit: string };
    if (opened.unit === 'ms') return opened.problem;
  }
  throw new Error('no ring all-reduce in ms');
}

const answerField = (page: Page) => page.getByRole('textbox', { name: 'Your answer' });

for (const screen of kScreens) {
  const where = `${screen.width} ${screen.scheme}`;
  test(`a slip is named and the working shown: ${where}`, { skip: kSkip }, async () => {
    const { page, context, complaints } = await visit(browser, screen);
    const problem = await ringProblem();
    const truth = await graded(problem);
    await page.goto(`${server.url}/#/math/problem/${problem}`);
    await answerField(page).waitFor();
    const before = await page.locator('main').innerText();
    assert.ok(!before.includes('all-reduce time') && !before.includes(truth.answer_text));
    assert.ok(!before.includes(truth.category), 'the category is hidden until the answer');
    await shoot(page, 'math-asked', screen);
    await assertAccessible(page, `math ${where}`);
    if (isPhone(screen)) await assertTouchable(page, `math ${where}`);

    await answerField(page).fill('5 apples');
    await page.keyboard.press('Enter');
    await page.getByText('no unit "apples": expected a time such as 10 ms').waitFor();
    await answerField(page).fill(`${(truth.answer.value! / 2).toFixed(4)} ms`);
    await page.keyboard.press('Enter');
    await page.getByText(/^Slip: both directions/).waitFor();
    await page.getByRole('heading', { name: 'Worked' }).waitFor();
    await page.getByText('Ring all-reduce', { exact: true }).waitFor();
    await shoot(page, 'math-graded', screen);
    await assertAccessible(page, `math graded ${where}`);
    if (isPhone(screen)) await assertTouchable(page, `math graded ${where}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wide, false, 'nothing sticks out sideways');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test(`reference and cards: ${where}`, { skip: kSkip }, async () => {
    const { page, context, complaints } = await visit(browser, screen);
    await page.goto(`${server.url}/#/reference`);
    await page.getByRole('heading', { name: 'Formulas' }).waitFor();
    await page.getByRole('rowheader', { name: 'H100 SXM' }).waitFor();
    await shoot(page, 'math-reference', screen);
    await assertAccessible(page, `reference ${where}`);
    await page.goto(`${server.url}/#/math/cards`);
    await answerField(page).waitFor();
    await answerField(page).press('Enter');
    await page.getByText('Numbers').waitFor();
    await shoot(page, 'math-card', screen);
    assert.deepEqual(complaints, []);
    await context.close();
  });
}

const kDesk = kScreens[0]!;

test(
  'right answers one after another, by keyboard; they are counted after a reload',
  { skip: kSkip },
  async () => {
    const { page, context, complaints } = await visit(browser, kDesk);
    let problem = '';
    page.on('request', (request) => {
      if (!request.url().endsWith('/math_open')) return;
      problem = (JSON.parse(request.postData() ?? '{}') as { problem: string }).problem;
    });
    await page.goto(`${server.url}/#/math`);
    for (let round = 0; round < 3; round += 1) {
      await answerField(page).waitFor();
      const truth = await graded(problem);
      assert.ok((await page.locator('main').innerText()).includes(truth.question.slice(0, 40)));
      const { value, unit, verdict } = truth.answer;
      // A person sees the field and the button before they type: so does the test, however busy the machine is.
      await page.waitForFunction(() => document.activeElement?.id === 'sum-answer');
      await page.keyboard.type(verdict ?? `${value} ${unit}`);
      await page.keyboard.press('Enter');
      await page.locator('.sum-grade .chip[data-grade="right"]').waitFor();
      await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Next'));
      await page.keyboard.press(round === 0 ? 'Enter' : 'n');
    }
    await page.reload();
    await page.getByRole('heading', { name: 'Last 3' }).waitFor();
    await page.goto(`${server.url}/#/math/weakest`);
    await answerField(page).waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  },
);

test('the reference makes an attempt open-book, and the sum is still there', { skip: kSkip }, async () => {
  const { page, context } = await visit(browser, kDesk);
  await page.goto(`${server.url}/#/math`);
  await answerField(page).waitFor();
  const question = await page.locator('.sum-text').innerText();
  await page.getByRole('link', { name: 'Open the reference' }).click();
  await page.getByRole('heading', { name: 'Formulas' }).waitFor();
  await page.getByRole('link', { name: 'Back to the sum' }).click();
  await answerField(page).waitFor();
  assert.equal(await page.locator('.sum-text').innerText(), question);
  await answerField(page).press('Enter');
  await page.locator('.sum-grade').getByText('open-book').waitFor();
  await page.keyboard.press('n');
  await answerField(page).press('Enter');
  await page.locator('.sum-grade').waitFor();
  assert.equal(await page.locator('.sum-grade').getByText('open-book').count(), 0);
  await context.close();
});

test('over two minutes is a miss', { skip: kSkip }, async () => {
  const { page, context } = await visit(browser, kDesk);
  await page.clock.install();
  await page.goto(`${server.url}/#/math`);
  await page.clock.runFor(1000);
  await answerField(page).waitFor();
  await page.clock.fastForward(121_000);
  await page.getByText('a miss; may be finished').waitFor();
  await answerField(page).press('Enter');
  await page.clock.runFor(1000);
  await page.locator('.sum-grade .chip').getByText('miss').waitFor();
  await context.close();
});

test('a storm: keyboard alone, three minutes, accuracy and pace', { skip: kSkip }, async () => {
  const { page, context, complaints } = await visit(browser, kDesk);
  await page.clock.install();
  await page.goto(`${server.url}/#/math/storm`);
  await page.getByRole('button', { name: /^Start/ }).waitFor();
  await page.keyboard.press('Enter');
  for (let round = 0; round < 2; round += 1) {
    await page.clock.runFor(500);
    await answerField(page).waitFor();
    const asked = await page.locator('.sum-text').innerText();
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      (old) => {
        const text = document.querySelector<HTMLElement>('.sum-text');
        return text === null || text.innerText !== old;
      },
      asked,
      { polling: 50 },
    );
  }
  await page.clock.runFor(500);
  await answerField(page).waitFor();
  await shoot(page, 'math-storm', kDesk);
  await page.clock.fastForward(181_000);
  await page.getByText('0 of 2 right (0 %), 1:30 each').waitFor();
  await shoot(page, 'math-storm-end', kDesk);
  await assertAccessible(page, 'the end of a storm');
  assert.deepEqual(complaints, []);
  await context.close();
});

test(
  'a drill asks its own sum beside the timeline, and a sum leads to its drill',
  { skip: kSkip },
  async () => {
    const { page, context, complaints } = await visit(browser, kDesk);
    const drill = 'core.1/1';
    await openDrill(page, server, drill);
    await page.getByRole('button', { name: 'Sum', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'The sum of this trace' });
    await answerField(page).waitFor();
    const truth = await graded(drill);
    assert.ok((await dialog.innerText()).includes(truth.question.slice(0, 60)));
    await shoot(page, 'math-bridge', kDesk);
    await assertAccessible(page, 'the sum beside a timeline');
    await answerField(page).fill(`${truth.answer.value} ${truth.answer.unit}`);
    await page.keyboard.press('Enter');
    await dialog.locator('.chip[data-grade="right"]').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.locator('main.drill').count(), 1, 'the drill is still open');

    await page.goto(`${server.url}/#/math/problem/${drill}/rate`);
    await answerField(page).waitFor();
    await answerField(page).press('Enter');
    await page.getByRole('heading', { name: 'From a trace' }).waitFor();
    assert.equal(
      await page.getByRole('link', { name: drill, exact: true }).getAttribute('href'),
      `#/drill/${drill}`,
    );
    assert.deepEqual(complaints, []);
    await context.close();
  },
);
