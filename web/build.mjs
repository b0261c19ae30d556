// Builds the page: node build.mjs [--out DIR] [--dev]. Writes index.html, app.js, app.css and offline.js (the service
// worker), nothing else, so that the binary can embed them by name. --dev leaves the script readable.
import { build } from 'esbuild';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: { out: { type: 'string' }, dev: { type: 'boolean', default: false } },
});
const out = resolve(values.out ?? join(here, '../build/web'));

await rm(join(out, 'app.css'), { force: true });
await mkdir(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: 'src/app/main.tsx', offline: 'src/app/offline_worker.ts' },
  outdir: out,
  bundle: true,
  format: 'esm',
  target: ['chrome109', 'firefox115', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: !values.dev,
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
});
// The style sheet is linked, not injected: the page runs under a content security policy without inline styles.
await build({
  absWorkingDir: here,
  entryPoints: { app: 'src/styles/app.css' },
  outdir: out,
  bundle: true,
  target: ['chrome109', 'firefox115', 'safari16.4'],
  minify: !values.dev,
  logLevel: 'warning',
});
await copyFile(join(here, 'index.html'), join(out, 'index.html'));
