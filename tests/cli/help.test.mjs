// Every command explains itself, and the explanations are read before they change.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { commands, run } from './run.mjs';

function expectGolden(name, text) {
  const file = new URL(`golden/${name}.txt`, import.meta.url);
  if (process.env.UPDATE) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'), `golden/${name}.txt differs; UPDATE=1 renews it`);
}

test('the program lists its commands, examples and exit codes', () => {
  const { code, out, err } = run('--help');
  assert.equal(code, 0);
  assert.equal(err, '');
  for (const part of ['Usage:', 'Commands:', 'Examples:', 'Exit codes:']) assert.ok(out.includes(part), part);
  assert.ok(commands().includes('serve'));
});

test('each command has a summary, examples that name it, and help that fits a terminal', () => {
  for (const name of commands()) {
    const { code, out, err } = run(name, '--help');
    assert.equal(code, 0, name);
    assert.equal(err, '', name);
    assert.match(out, new RegExp(`^tracedrills ${name} - \\S`), name);
    const examples = out.split('Examples:\n')[1];
    assert.ok(examples, `${name} --help has no examples`);
    assert.match(examples, new RegExp(`^ {2}tracedrills ${name}`, 'm'), name);
    for (const line of out.split('\n')) assert.ok(line.length <= 100, `${name}: ${line}`);
  }
});

test('-h is --help', () => {
  assert.equal(run('serve', '-h').out, run('serve', '--help').out);
});

test('the version is one line', () => {
  const { code, out } = run('--version');
  assert.equal(code, 0);
  assert.match(out, /^tracedrills \d+\.\d+\.\d+\n$/);
});

for (const name of commands()) {
  test(`golden help of ${name}`, () => expectGolden(`help_${name}`, run(name, '--help').out));
}
