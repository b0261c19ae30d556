import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatMs,
  formatPercent,
  formatRate,
  formatTimestamp,
} from './format';

test('durations choose the unit by size and keep one space before it', () => {
  assert.equal(formatDuration(0), '0 ns');
  assert.equal(formatDuration(412), '412 ns');
  assert.equal(formatDuration(4_120), '4.12 us');
  assert.equal(formatDuration(412_000), '412 us');
  assert.equal(formatDuration(2_290_000), '2.29 ms');
  assert.equal(formatDuration(23_000_000), '23.0 ms');
  assert.equal(formatDuration(1_204_000_000), '1.204 s');
  assert.equal(formatDuration(-23_000_000), '\u221223.0 ms');
});

test('durations never print a full thousand of the smaller unit', () => {
  assert.equal(formatDuration(99_949), '99.9 us');
  assert.equal(formatDuration(99_960), '100 us');
  assert.equal(formatDuration(999_499), '999 us');
  assert.equal(formatDuration(999_500), '1.00 ms');
  assert.equal(formatDuration(999_960_000), '1.000 s');
  assert.equal(formatDuration(9_996), '10.0 us');
});

test('columns, timestamps, shares', () => {
  assert.equal(formatMs(0), '0.0 ms');
  assert.equal(formatMs(-1), '0.0 ms');
  assert.equal(formatTimestamp(86_642_400), '86.642 ms');
  assert.equal(formatPercent(0.226), '22.6 %');
});

test('bytes and rates', () => {
  assert.equal(formatBytes(512), '512 B');
  assert.equal(formatBytes(104_800_000), '104.8 MB');
  assert.equal(formatBytes(999_960), '1.0 MB');
  assert.equal(formatRate(366_000_000_000), '366 GB/s');
  assert.equal(formatRate(22_600_000_000), '22.6 GB/s');
  assert.equal(formatCount(1234567), '1,234,567');
});
