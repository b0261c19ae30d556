// What every journey shares: the server under test, a browser, and what must hold at each stop.
import axe from 'axe-core';
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before } from 'node:test';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

// Tests run as bundles, so the repository is found from the working directory.
function findRoot(from: string): string {
  if (existsSync(join(from, 'tests/e2e')) && existsSync(join(from, 'CMakeLists.txt'))) return from;
  if (dirname(from) === from) throw new Error('not inside the repository');
  return findRoot(dirname(from));
}

export const kRoot = findRoot(process.cwd());
export const kBinary = resolve(kRoot, process.env.TD_BINARY ?? 'build/tracedrills');
export const kChromium = process.env.TD_CHROMIUM ?? '/usr/bin/chromium';
export const kShots = resolve(kRoot, process.env.TD_SCREENSHOTS ?? 'build/screenshots');

// Why the journeys cannot run here; false if they can. A missing browser is a fact of the machine, a missing binary an
// error of the build.
export const kSkip = existsSync(kChromium)
  ? false
  : `no browser at ${kChromium} (TD_CHROMIUM names another one)`;

export interface Server {
  readonly url: string;
  /** Resolves once the server has ended. */
  readonly stop: () => Promise<void>;
}

export async function startServer(): Promise<Server> {
  assert.ok(existsSync(kBinary), `no binary at ${kBinary}; build it, or name it by TD_BINARY`);
  const child: ChildProcess = spawn(kBinary, ['serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((found, fail) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const address = /http:\/\/[\w.:[\]]+/.exec(text)?.[0];
      if (address !== undefined) found(address.replace(/\/$/, ''));
    });
    child.on('exit', (code) => fail(new Error(`serve ended with ${code}: ${text}`)));
    setTimeout(() => fail(new Error(`serve printed no address: ${text}`)), 10_000).unref();
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = (): Promise<void> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { url, stop };
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: kChromium,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // A microphone that hums, and no question about it.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  });
}

/** What every file of journeys has: a server, a browser, a folder for files. They stand while its tests run. */
export interface Stage {
  readonly server: Server;
  readonly browser: Browser;
  readonly folder: string;
}

export function useStage(): Stage {
  const stage: Partial<{ -readonly [K in keyof Stage]: Stage[K] }> = {};
  before(async () => {
    if (kSkip !== false) return;
    stage.server = await startServer();
    stage.browser = await launch();
    stage.folder = mkdtempSync(join(tmpdir(), 'tracedrills-e2e-'));
  });
  after(async () => {
    await stage.browser?.close();
    await stage.server?.stop();
    if (stage.folder) rmSync(stage.folder, { recursive: true, force: true });
  });
  return stage as Stage;
}

export interface Screen {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}
export const kScreens: readonly Screen[] = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
];
export const kDesk: Screen = { width: 1280, scheme: 'light' };
export const kPhone: Screen = { width: 390, scheme: 'light' };
/** The deck of three causes that does not change: seeds are found quickly in it. */
export const kDeck = 'first.1';
export const isPhone = (screen: Screen) => screen.width < 700;

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  // Everything the page complained of; a journey ends by asserting that it is empty.
  readonly complaints: string[];
}

// What the browser is made to say where the worker is blocked.
const kWorkerBlocked = 'Service Worker registration blocked by Playwright';

// Without the service worker, which would keep requests from being watched and cut off, but where it is the subject.
export async function visit(
  browser: Browser,
  screen: Screen,
  serviceWorkers: 'allow' | 'block' = 'block',
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: screen.width, height: isPhone(screen) ? 844 : 800 },
    deviceScaleFactor: isPhone(screen) ? 2 : 1,
    hasTouch: isPhone(screen),
    colorScheme: screen.scheme,
    acceptDownloads: true,
    serviceWorkers,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isOurs = message.text() !== kWorkerBlocked;
    if (isOurs && (message.type() === 'error' || message.type() === 'warning'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { context, page, complaints };
}

export function shotPath(name: string, screen: Screen): string {
  mkdirSync(kShots, { recursive: true });
  return join(kShots, `${name}-${screen.width}-${screen.scheme}.png`);
}

export async function shoot(page: Page, name: string, screen: Screen): Promise<void> {
  await page.screenshot({ path: shotPath(name, screen) });
}

// axe-core finds nothing serious or critical. Evaluated through the protocol: the page's own policy allows no inline
// script, and stays as it is.
export async function assertAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe: loaded } = window as unknown as { axe: { run: typeof axe.run } };
    const result = await loaded.run(document, { resultTypes: ['violations'] });
    return result.violations
      .filter((one) => one.impact === 'serious' || one.impact === 'critical')
      .map(
        (one) =>
          `${one.id}: ${one.nodes.map((node) => `${node.target.join(' ')} (${node.failureSummary})`).join('; ')}`,
      );
  });
  assert.deepEqual(found, [], `axe-core on ${where}`);
}

// No visible button, link or field is smaller than a finger on a phone; letters in running text have their own margin.
export async function assertTouchable(page: Page, where: string): Promise<void> {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a, input, [role="combobox"]')]
      .filter(
        (one) =>
          one.offsetParent !== null && !one.matches('.letter, .visually-hidden, .input > input, .tl *'),
      )
      .map((one) => ({ one, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < 39.5 || box.width < 36))
      .map(
        ({ one, box }) =>
          `${one.className || one.tagName} ${Math.round(box.width)}x${Math.round(box.height)}`,
      ),
  );
  assert.deepEqual(small, [], `touch targets on ${where}`);
}

export interface Revealed {
  readonly truth: {
    readonly cause: string;
    readonly title: string;
    readonly scenario: string;
    readonly headline: string;
    readonly summary: string;
    readonly signature: readonly { readonly text: string; readonly evidence: readonly string[] }[];
    readonly evidence: readonly {
      readonly letter: string;
      readonly rank: number;
      readonly track: number;
      readonly begin_ns: number;
      readonly end_ns: number;
      readonly text: string;
    }[];
    readonly win: { readonly win_frac: number };
    readonly number: { readonly value: number } | null;
    readonly confirm: { readonly id: string };
    readonly fix: { readonly id: string };
  };
}

function jsonOf(reply: Uint8Array): unknown {
  const bytes = Buffer.from(reply);
  if (bytes.subarray(0, 4).toString('latin1') !== 'TDR1') return JSON.parse(bytes.toString('utf8'));
  return JSON.parse(bytes.subarray(8, 8 + bytes.readUInt32LE(4)).toString('utf8'));
}

// Asks the API itself, past the page.
export async function callApi(server: Server, method: string, request: object): Promise<unknown> {
  const reply = await fetch(`${server.url}/api/v1/${method}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  });
  return jsonOf(new Uint8Array(await reply.arrayBuffer()));
}

export async function truthOf(server: Server, drill: string): Promise<Revealed['truth']> {
  const commit = { diagnosis: 'inconclusive', elapsed_ms: 1, paused: false };
  return ((await callApi(server, 'reveal', { drill, commit })) as Revealed).truth;
}

// The first drill of the deck, by rising seed, that has the cause.
export async function drillWith(server: Server, deck: string, cause: string): Promise<string> {
  for (let seed = 1; seed <= 60; seed += 1) {
    const drill = `${deck}/${seed}`;
    if ((await truthOf(server, drill)).cause === cause) return drill;
  }
  throw new Error(`no ${cause} among the first 60 seeds of ${deck}`);
}

export async function openDrill(page: Page, server: Server, drill: string): Promise<void> {
  await page.goto(`${server.url}/#/drill/${drill}`);
  await page.locator('main.drill').waitFor();
}
