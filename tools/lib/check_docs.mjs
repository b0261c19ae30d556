// node check_docs.mjs ROOT BUILD: each relative link of each page leads to a file, and each block marked ```sh run``` is
// executed by bash -e in an empty folder with BUILD on the PATH and must exit 0.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const [root = '.', build = 'build'] = process.argv.slice(2);
const pages = spawnSync('git', ['-C', root, 'ls-files', '*.md'], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);

let problems = 0;
let links = 0;
let commands = 0;

function problem(page, text) {
  problems += 1;
  console.log(`${page}: error: ${text}`);
}

async function run(page, script) {
  commands += 1;
  const folder = await mkdtemp(join(tmpdir(), 'docs-'));
  const result = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, PATH: `${resolve(build)}:${process.env.PATH}`, TD_CHECKOUT: resolve(root) },
  });
  await rm(folder, { recursive: true, force: true });
  if (result.status !== 0) problem(page, `exit ${result.status} from: ${script.trim()}\n${result.stderr}`);
}

for (const page of pages) {
  if (!existsSync(join(root, page))) continue;
  const text = await readFile(join(root, page), 'utf8');
  for (const [, script] of text.matchAll(/^```sh run\n([\s\S]*?)^```$/gm)) await run(page, script);
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  for (const [, target] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:|^#/.test(target)) continue;
    links += 1;
    if (!existsSync(join(root, dirname(page), target.split('#')[0]))) problem(page, `no such file: ${target}`);
  }
}
console.log(`check_docs: ${pages.length} pages, ${links} links, ${commands} commands, ${problems} problems`);
process.exit(problems ? 1 : 0);
