// Each cause of the deck: read, commit by keyboard, reveal, export, read the file back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  callApi,
  drillWith,
  kDeck,
  kDesk,
  kSkip,
  openDrill,
  shoot,
  truthOf,
  useStage,
  visit,
} from './support';
import {
  commitByKeyboard,
  dragEvidence,
  exportFrom,
  findingOf,
  walkThrough,
  type CatalogOf,
  type OpenedOf,
} from './steps';

const kCauses = ['straggler', 'bandwidth_bound_collective', 'healthy'] as const;

const stage = useStage();

for (const cause of kCauses) {
  test(
    `${cause}: read, commit by keyboard, reveal, export, read the file back`,
    { skip: kSkip },
    async () => {
      const drill = await drillWith(stage.server, kDeck, cause);
      const truth = await truthOf(stage.server, drill);
      const catalog = (await callApi(stage.server, 'catalog', {})) as CatalogOf;
      const opened = (await callApi(stage.server, 'open', { drill })) as OpenedOf;
      const { context, page, complaints } = await visit(stage.browser, kDesk);
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/api/')) asked.push(request.url().replace(/.*\//, ''));
      });

      await openDrill(page, stage.server, drill);
      await page.getByText(opened.prompt.slice(0, 20)).first().waitFor();
      if (truth.evidence.length > 0) {
        await dragEvidence(page, truth, opened.view);
        await page.keyboard.press('p');
        await shoot(page, `place-${cause}`, kDesk);
      }
      await commitByKeyboard(page, truth, catalog);
      await page.getByRole('button', { name: /^Reveal/ }).waitFor();
      assert.ok(!asked.includes('reveal'), 'nothing is revealed by the commit itself');
      await page.keyboard.press('r');
      await page.getByRole('heading', { level: 1, name: truth.headline }).waitFor();

      const grades = await page.$$eval('.parts tbody tr', (rows) =>
        rows.map((row) => [
          row.querySelector('th')?.textContent,
          row.querySelector('.chip')?.getAttribute('data-grade'),
        ]),
      );
      const byPart = Object.fromEntries(grades) as Record<string, string>;
      for (const part of ['Diagnosis', 'Number', 'Measure', 'Fix', 'Win', 'Time']) {
        assert.equal(byPart[part], 'right', `${part} of ${drill}: ${JSON.stringify(byPart)}`);
      }
      if (cause === 'straggler') assert.equal(byPart.Place, 'right');

      // Each letter, by focus alone, frames its place and no other.
      for (const { letter } of truth.evidence) {
        const button = page.locator(`[data-letter="${letter}"]`).first();
        await button.focus();
        await page.locator(`[data-letter="${letter}"][data-on="true"]`).first().waitFor();
        assert.equal(await page.locator(`.letter[data-on="true"]:not([data-letter="${letter}"])`).count(), 0);
      }
      await page.waitForTimeout(100);
      await shoot(page, `revealed-${cause}`, kDesk);
      if (truth.evidence.length > 0) {
        await walkThrough(page, truth);
        await page.getByRole('button', { name: 'Whole trace' }).click();
        await page.locator('.rv-whole .tl-canvas').waitFor();
        await shoot(page, `whole-${cause}`, kDesk);
        await page.getByRole('button', { name: 'Before and after' }).click();
      }

      const finding = findingOf(stage.folder, await exportFrom(page, stage.folder), opened.facts_json);
      assert.equal(finding.cause, truth.cause, `tracedrills read on the export of ${drill}`);
      assert.deepEqual(complaints, []);
      await context.close();
    },
  );
}
