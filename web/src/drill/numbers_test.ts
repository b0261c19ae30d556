import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDecidingNumber, parseWin } from './numbers';

const number = (text: string, unit: string) => {
  const parsed = parseDecidingNumber(text, unit);
  return parsed.ok ? parsed.value : parsed.error;
};
const win = (text: string) => {
  const parsed = parseWin(text);
  return parsed.ok ? parsed.value : parsed.error;
};

test('an empty part is no answer and no error', () => {
  assert.equal(number('  ', 'ms a step'), undefined);
  assert.equal(win(''), undefined);
});

test('the unit may be left out, be the one asked, or one that converts to it', () => {
  assert.equal(number('22', 'ms a step'), 22);
  assert.equal(number('22,5', 'ms a step'), 22.5);
  assert.equal(number('22 ms a step', 'ms a step'), 22);
  assert.equal(number('0.022 s', 'ms a step'), 22);
  assert.equal(number('412', 'us'), 412);
  assert.equal(number('0.4 ms', 'us'), 400);
  assert.equal(number('12', 'a step'), 12);
  assert.equal(number('38 GB/s', 'GB/s'), 38);
  assert.equal(number('38000 MB/s', 'GB/s'), 38);
  assert.equal(number('12 %', '% of step'), 12);
});

test('another quantity says what was expected', () => {
  assert.match(String(number('22 GB', 'ms a step')), /Expected a time/);
  assert.match(String(number('12 ms', 'GB/s')), /Expected a rate/);
  assert.match(String(number('a lot', 'ms a step')), /Expected a time/);
});

test('a win is in % or in a time', () => {
  assert.deepEqual(win('22.6 %'), { value: 22.6, unit: 'percent' });
  assert.deepEqual(win('23ms'), { value: 23, unit: 'ms' });
  assert.deepEqual(win('0.5 s'), { value: 500, unit: 'ms' });
});

test('a bare number has no unit, but for 0', () => {
  assert.deepEqual(win('0'), { value: 0, unit: 'percent' });
  assert.match(String(win('22')), /Which unit/);
  assert.match(String(win('22 GB')), /Expected a win/);
});
