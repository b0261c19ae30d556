// tracedrills convert: a reading does not depend on the format, and what is refused is said.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { run } from './run.mjs';

let folder;
const at = (name) => join(folder, name);

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'convert-'));
  const made = run('generate', '--scenario', 'straggler_clock', '--seed', '3', '--out', at('drill'));
  assert.equal(made.code, 0, made.err);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const ranks = () => Array.from({ length: 8 }, (_, rank) => at(`drill/rank${rank}.json`));

// A reading without the names of the files that it came from.
function reading(...files) {
  const { code, out, err } = run('read', '--json', '--facts', at('drill/drill.json'), ...files);
  assert.equal(code, 0, err);
  const json = JSON.parse(out);
  delete json.files;
  return json;
}

test('JSON, protobuf and packed JSON of one job are read alike', () => {
  const expected = reading(...ranks());
  assert.equal(expected.findings[0].cause, 'straggler');
  for (const name of ['job.json', 'job.pftrace', 'job.json.gz']) {
    const { code, out, err } = run('convert', ...ranks(), '-o', at(name));
    assert.equal(code, 0, err);
    assert.match(out, /: 8 ranks, \d+ slices\n$/);
    assert.equal(err, '');
    assert.deepEqual(reading(at(name)), expected, name);
  }
  assert.equal(gunzipSync(readFileSync(at('job.json.gz'))).toString(), readFileSync(at('job.json'), 'utf8'));
});

test('there and back gives the same bytes', () => {
  for (const [from, to] of [['job.pftrace', 'again.json'], ['again.json', 'again.pftrace']])
    assert.equal(run('convert', at(from), '-o', at(to)).code, 0);
  assert.ok(readFileSync(at('again.pftrace')).equals(readFileSync(at('job.pftrace'))));
});

test('--json says what was done', () => {
  const { code, out } = run('convert', at('drill/rank0.json'), '-o', at('one.pftrace'), '--json');
  assert.equal(code, 0);
  const { slices, ...rest } = JSON.parse(out);
  assert.ok(slices > 100);
  assert.deepEqual(rest, {
    schema_version: 1,
    out: at('one.pftrace'),
    format: 'pftrace',
    ranks: 1,
    problems: [],
    unread_files: [],
  });
});

test('a name without a known ending, and a file that is not there, leave nothing behind', () => {
  const unknown = run('convert', at('drill/rank0.json'), '-o', at('job.csv'));
  assert.equal(unknown.code, 2);
  assert.match(unknown.err, /expected a name that ends in \.json, \.pftrace/);
  const missing = run('convert', at('none.json'), '-o', at('none.pftrace'));
  assert.equal(missing.code, 1);
  assert.match(missing.err, /none\.json/);
  for (const name of ['job.csv', 'none.pftrace']) assert.ok(!existsSync(at(name)), name);
});
