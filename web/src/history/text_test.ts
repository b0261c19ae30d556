import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateText, secondsText, shareText } from './text';

test('a share has its count beside it; nothing of nothing has none', () => {
  assert.equal(shareText(29, 41), '71 % (29 of 41)');
  assert.equal(shareText(0, 0), '\u2013');
});

test('times are minutes and seconds', () => {
  assert.equal(secondsText(94_400), '1:34');
  assert.equal(secondsText(null), '\u2013');
});

test('dates sort as text', () => {
  assert.equal(dateText(new Date(2026, 0, 2, 3, 4).getTime()), '2026-01-02 03:04');
});
