import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actOf, type KeyPress } from './keys';

const press = (key: string, more: Partial<KeyPress> = {}) =>
  actOf({ key, ctrl: false, alt: false, inText: false, onControl: false, ...more });

test('digits go to the seven parts in their order', () => {
  assert.deepEqual(press('1'), { act: 'part', part: 'diagnosis' });
  assert.deepEqual(press('7'), { act: 'part', part: 'confidence' });
  assert.equal(press('8'), undefined);
  assert.equal(press('0'), undefined);
});

test('letters and digits typed into a field stay there', () => {
  for (const key of ['1', 'p', 'r', 'n', 'Enter']) assert.equal(press(key, { inText: true }), undefined);
});

test('Enter presses a control that has the focus and else opens the form', () => {
  assert.deepEqual(press('Enter'), { act: 'open_form' });
  assert.equal(press('Enter', { onControl: true }), undefined);
});

test('Ctrl Enter commits from anywhere; other chords are the browser\u2019s', () => {
  assert.deepEqual(press('Enter', { ctrl: true, inText: true }), { act: 'commit' });
  assert.equal(press('r', { ctrl: true }), undefined);
  assert.equal(press('p', { alt: true }), undefined);
});
