// Runs the tests of a folder: node test.mjs FOLDER [NAME PART...] [--node-option...]. Bundles each *_test.ts by esbuild and gives the
// result to Node's own runner, so that the same tests run on Node 18, which cannot read TypeScript.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const given = process.argv.slice(2);
const nodeOptions = given.filter((one) => one.startsWith('--'));
const [folder = 'src', ...only] = given.filter((one) => !one.startsWith('--'));
const root = resolve(here, folder);

async function testsIn(dir) {
  const entries = await readdir(dir, { withFileTypes: true });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) return testsIn(path);
      return /_test\.tsx?$/.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat().sort();
}

const tests = (await testsIn(root)).filter(
  (path) => !only.length || only.some((part) => path.includes(part)),
);
if (!tests.length) {
  console.error(`test.mjs: no *_test.ts under ${folder}${only.length ? ` matching ${only.join(', ')}` : ''}`);
  process.exit(1);
}

// Inside node_modules, so that packages left out of the bundle are found from there, also for tests outside web/.
const out = join(here, 'node_modules/.cache/tests', basename(root));
await rm(out, { recursive: true, force: true });
await build({
  absWorkingDir: here,
  entryPoints: tests,
  outdir: out,
  outbase: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node18',
  format: 'esm',
  packages: 'external',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  sourcemap: 'inline',
  logLevel: 'warning',
});
const bundles = tests.map((path) => join(out, relative(root, path).replace(/\.tsx?$/, '.mjs')));
const run = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...nodeOptions, ...bundles], {
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
