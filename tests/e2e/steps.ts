// Steps that several journeys share: an answer by keyboard, a place by dragging, a file by download.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { kBinary, type Revealed } from './support';

export type Truth = Revealed['truth'];
export interface Titled {
  readonly id: string;
  readonly title: string;
}
export interface CatalogOf {
  readonly diagnoses: readonly Titled[];
  readonly measurements: readonly Titled[];
  readonly fixes: readonly Titled[];
}

// Selects, by dragging on the row, the interval that the truth names for `letter`, on a rank opened for it.
export async function dragEvidence(
  page: Page,
  truth: Truth,
  view: { begin_ns: number; end_ns: number },
): Promise<void> {
  const own = Number(/rank (\d+)/i.exec(truth.headline)?.[1] ?? 0);
  const target = truth.evidence.find((one) => one.rank === own) ?? truth.evidence[0]!;
  const header = page.getByRole('button', { name: new RegExp(`^Rank ${own}\\b`) });
  if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
  const row = page.getByRole('group', { name: new RegExp(`compute.*, rank ${own}$`) });
  await row.scrollIntoViewIfNeeded();
  const rowBox = (await row.boundingBox())!;
  const canvas = (await page.locator('.tl-canvas').boundingBox())!;
  const xOf = (ns: number) =>
    canvas.x + ((ns - view.begin_ns) / (view.end_ns - view.begin_ns)) * canvas.width;
  const y = rowBox.y + rowBox.height / 2;
  const clamp = (x: number) => Math.min(canvas.x + canvas.width - 2, Math.max(canvas.x + 2, x));
  await page.mouse.move(clamp(xOf(target.begin_ns)), y);
  await page.mouse.down();
  await page.mouse.move(clamp(xOf((target.begin_ns + target.end_ns) / 2)), y, { steps: 4 });
  await page.mouse.move(clamp(xOf(target.end_ns)), y, { steps: 4 });
  await page.mouse.up();
}

function letterFor(list: readonly Titled[], id: string): string {
  const index = list.findIndex((one) => one.id === id);
  assert.ok(index >= 0, `${id} is in the list`);
  return 'abcdefghijklmnopqrstuvwxyz'[index]!;
}

// Fills all seven parts with the truth, by keyboard alone, and commits.
export async function commitByKeyboard(page: Page, truth: Truth, catalog: CatalogOf): Promise<void> {
  const title = catalog.diagnoses.find((one) => one.id === truth.cause)!.title;
  await page.keyboard.press('Enter');
  await page.keyboard.type(title.slice(0, 5));
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('combobox', { name: 'Diagnosis' }).inputValue(), title);
  await page.keyboard.press('Escape');
  await page.keyboard.press('4');
  await page.keyboard.press(letterFor(catalog.measurements, truth.confirm.id));
  await page.keyboard.press('5');
  await page.keyboard.press(letterFor(catalog.fixes, truth.fix.id));
  if (truth.number !== null) {
    await page.keyboard.press('3');
    await page.keyboard.type(String(truth.number.value));
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('6');
  await page.keyboard.type(`${(truth.win.win_frac * 100).toFixed(1)} %`);
  await page.keyboard.press('Tab');
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
  assert.equal(await page.getByRole('radio', { name: '80' }).getAttribute('aria-checked'), 'true');
  await page.keyboard.press('Control+Enter');
}

export async function exportFrom(page: Page, folder: string): Promise<string> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export to Perfetto (.json)' }).click();
  const download = await waiting;
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

// The first finding of `tracedrills read` on a file, with the facts that the prompt states.
export function findingOf(folder: string, path: string, facts: unknown): { cause: string } {
  const factsPath = join(folder, 'drill.json');
  writeFileSync(factsPath, JSON.stringify({ facts }));
  const text = execFileSync(kBinary, ['read', '--json', '--facts', factsPath, path], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const reading = JSON.parse(text) as { findings: { cause: string }[] };
  assert.ok(reading.findings.length > 0, 'the reading has a finding');
  return reading.findings[0]!;
}

// The walk goes through the fixed reading order; the letters come where the overlap is read.
export async function walkThrough(page: Page, truth: Truth): Promise<void> {
  await page.getByRole('button', { name: 'Walk me through' }).click();
  const titles: string[] = [];
  for (;;) {
    titles.push((await page.locator('.walk b').textContent()) ?? '');
    const next = page.getByRole('button', { name: /^Next: / });
    if ((await next.count()) === 0) break;
    const label = (await next.textContent()) ?? '';
    await next.click();
    await page.locator('.walk b').getByText(label.replace('Next: ', ''), { exact: true }).waitFor();
  }
  const letters = titles.flatMap((title) => /^Overlap, (.)$/.exec(title)?.[1] ?? []);
  assert.deepEqual(
    titles.filter((title) => !title.startsWith('Overlap, ')),
    ['Step boundary', 'Gap analysis', 'Overlap', 'Longest kernel'],
  );
  assert.deepEqual(letters.sort(), truth.evidence.map((one) => one.letter).sort());
  assert.equal(titles.indexOf('Longest kernel'), titles.length - 1);
}

export interface OpenedOf {
  readonly prompt: string;
  readonly facts_json: unknown;
  readonly view: { readonly begin_ns: number; readonly end_ns: number };
}

// Commits to one diagnosis and nothing else, and reveals.
export async function commitDiagnosis(page: Page, text: string): Promise<void> {
  await page.keyboard.press('1');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
}

export async function reveal(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Reveal/ }).click();
  await page.locator('main.reveal').waitFor();
}
