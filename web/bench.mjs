// Prints the viewer's own work per frame: node bench.mjs.
import { build } from 'esbuild';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const outfile = join(here, 'node_modules/.cache/bench/draw_list_bench.mjs');
await build({
  absWorkingDir: here,
  entryPoints: ['bench/draw_list_bench.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node18',
  format: 'esm',
  logLevel: 'warning',
});
await import(pathToFileURL(outfile).href);
