// Prints what a frame of the viewer costs: node bench.mjs. First in Node (the draw list alone, CPU time), then, if there is
// a browser (TD_CHROMIUM), with a real canvas: our own work of each frame, the time between frames, and the same trace
// drawn slice by slice. --check fails if our own work is above 8 ms, median or 95th percentile.
import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const kLimitMs = 8;
const here = dirname(fileURLToPath(import.meta.url));
const cache = join(here, 'node_modules/.cache/bench');
const common = { absWorkingDir: here, bundle: true, format: 'esm', logLevel: 'warning' };

const inNode = join(cache, 'draw_list_bench.mjs');
await build({
  ...common,
  entryPoints: ['bench/draw_list_bench.ts'],
  outfile: inNode,
  platform: 'node',
  target: 'node18',
});
await import(pathToFileURL(inNode).href);

const executablePath = process.env.TD_CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  console.log(`no browser at ${executablePath}: frames are not measured`);
  process.exit(0);
}
const inPage = join(cache, 'frame_bench.js');
await build({ ...common, entryPoints: ['bench/frame_bench.ts'], outfile: inPage, target: 'es2022' });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.addStyleTag({ content: await readFile(join(here, 'src/styles/tokens.css'), 'utf8') });
await page.addScriptTag({ content: await readFile(inPage, 'utf8'), type: 'module' });
await page.waitForFunction(() => window.frameBench !== undefined);
const found = await page.evaluate(() => window.frameBench(360));
await browser.close();

const at = (times, share) => {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
};
const text = (times) => `median ${at(times, 0.5).toFixed(2)} ms, p95 ${at(times, 0.95).toFixed(2)} ms`;
console.log(
  `${found.slices} slices, 16 rows, 1136 x 700 px, ${found.ownMs.length} frames of zooming and panning:`,
);
console.log(`  our own work a frame   ${text(found.ownMs)} (the least of three of each frame)`);
console.log(`  from frame to frame    ${text(found.wallMs)}`);
console.log(`  drawing every slice    ${text(found.everySliceMs)}`);
if (process.argv.includes('--check') && at(found.ownMs, 0.95) > kLimitMs) {
  console.error(`our own work is above ${kLimitMs} ms`);
  process.exit(1);
}
