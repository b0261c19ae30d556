// A wrong command line ends with 2 and says what would be right; failed work ends with 1; both on one line of stderr.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, run } from './run.mjs';

function expectUsageError(args, pattern) {
  const { code, out, err } = run(...args);
  assert.equal(code, 2, args.join(' '));
  assert.equal(out, '');
  assert.match(err, pattern);
  assert.equal(err.split('\n').length, 2, `one line: ${err}`);
}

test('a misspelt command suggests the right one', () => {
  expectUsageError(['sreve'], /^tracedrills: no command "sreve"; did you mean "serve"\?/);
});

test('an unknown command lists the valid ones', () => {
  expectUsageError(['profile-everything'], /expected one of .*serve/);
});

test('no command, unknown options, missing and bad values', () => {
  expectUsageError([], /^tracedrills: no command given; see `tracedrills --help`/);
  expectUsageError(['--colour'], /"--colour".*tracedrills --help/);
  expectUsageError(['serve', '--prot', '1'], /^tracedrills serve: .*--prot.*tracedrills serve --help/);
  expectUsageError(['serve', '--port'], /--port/);
  expectUsageError(['serve', '--port', '65536'], /"65536" is no port, expected 0 to 65535/);
  expectUsageError(['serve', '--port', '-1'], /port/);
  expectUsageError(['serve', 'extra'], /extra/);
});

test('an empty directory to write to is named by its option', () => {
  expectUsageError(['generate', '--scenario', 'healthy', '--seed', '1', '--out', ''], /^tracedrills generate: --out: is empty, expected a directory/);
});

test('a fabric that is none, or not that of the job, is the command line\'s fault', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tracedrills-'));
  try {
    assert.equal(run('generate', '--scenario', 'healthy', '--seed', '1', '--out', dir).code, 0);
    const { facts } = JSON.parse(readFileSync(join(dir, 'drill.json'), 'utf8'));
    const rank = join(dir, 'rank0.json');
    expectUsageError(['read', '--fabric', 'bogus', rank], /^tracedrills read: --fabric: .*"bogus": unknown link/);
    expectUsageError(['read', '--fabric', '4x8:ib400x8', rank], new RegExp(`gives 32 ranks, the job has ${facts.world_size}`));
    expectUsageError(['generate', '--scenario', 'healthy', '--seed', 'x', '--out', dir], /seed/);
    assert.equal(run('read', '--facts', join(dir, 'none.json'), rank).code, 1);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('a hostile argument cannot write to the terminal', () => {
  const { err } = run('\u001b[31mred\nline');
  assert.ok(!err.includes('\u001b'));
  assert.equal(err.split('\n').length, 2);
});

test('a port in use is named, with the way out', async () => {
  const other = createServer((socket) => socket.end('not http')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address();
  const child = spawn(binary, ['serve', '--port', String(port)]);
  let err = '';
  child.stderr.on('data', (bytes) => (err += bytes));
  const [code] = await once(child, 'close');
  other.close();
  assert.equal(code, 1);
  assert.match(err, new RegExp(`^tracedrills serve: 127.0.0.1:${port}: port ${port} is in use; take another with --port N`));
});

test('an address that is not ours is an error, not a hang', () => {
  const { code, err } = run('serve', '--host', '203.0.113.7', '--port', '0');
  assert.equal(code, 1);
  assert.match(err, /203\.0\.113\.7/);
});
