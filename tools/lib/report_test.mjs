// What ./test counts and how it ends: a failure in any form must reach the closing line and the exit code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const lib = dirname(fileURLToPath(import.meta.url));

// Runs shell lines after the sourced files, in an empty folder.
function run(lines) {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  try {
    const script = `set -euo pipefail\nsource ${lib}/build.sh\nsource ${lib}/report.sh\n${lines}\nfinish`;
    const { status, stdout } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
    return { status, last: stdout.trimEnd().split('\n').at(-1), stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a step without counts is one', () => {
  const { status, last } = run('step "gate" true');
  assert.equal(status, 0);
  assert.equal(last, '1 passed, 0 failed');
});

test('counts of ctest and of node are added up', () => {
  const { status, last } = run(`
    step "unit" echo "97% tests passed, 3 tests failed out of 100"
    step "node 18" printf '# pass 5\\n# fail 1\\n'
    step "node 20" printf 'ℹ pass 7\\nℹ fail 0\\n'`);
  assert.equal(status, 1);
  assert.equal(last, '109 passed, 4 failed');
});

test('a command that fails without a failed test is one failure, and the rest still runs', () => {
  const { status, last, stdout } = run(`
    step "crash" bash -c 'echo "# pass 5"; exit 3'
    step "after" true`);
  assert.equal(status, 1);
  assert.equal(last, '6 passed, 1 failed');
  assert.match(stdout, /^failed: crash: build\/log\/crash\.log$/m);
});

test('an error of the shell itself is one failure', () => {
  const { status, last } = run(`
    broken() { local text; text=$(<no/such/file); }
    step "broken" broken
    step "after" true`);
  assert.equal(status, 1);
  assert.equal(last, '1 passed, 1 failed');
});

test('what was left out is said before the closing line', () => {
  const { stdout } = run('note "browser tests skipped"\nstep "gate" true');
  assert.match(stdout, /^note: browser tests skipped\n1 passed, 0 failed$/m);
});
