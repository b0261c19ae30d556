// node check_layers.mjs ROOT: checks each file of src/, native/, apps/ and web/src; one line a violation.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { checkCpp, checkRoomList, checkWeb } from './layers.mjs';

async function filesBelow(dir, pattern) {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path, pattern);
      return pattern.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat().sort();
}

const root = process.argv[2] ?? '.';
let files = 0;
let violations = 0;

async function check(path, checker) {
  const name = relative(root, path).split(sep).join('/');
  files += 1;
  for (const { line, text } of checker(name, await readFile(path, 'utf8'))) {
    violations += 1;
    console.log(`${name}:${line}: ${text}`);
  }
}

for (const folder of ['src', 'native', 'apps']) {
  for (const path of await filesBelow(join(root, folder), /\.(h|cc)$/)) await check(path, checkCpp);
}
for (const path of await filesBelow(join(root, 'web/src'), /\.(ts|tsx)$/)) await check(path, checkWeb);
await check(join(root, 'CMakeLists.txt'), (_, text) => checkRoomList(text));

console.log(`check_layers: ${files} files, ${violations} violation${violations === 1 ? '' : 's'}`);
process.exit(violations ? 1 : 0);
