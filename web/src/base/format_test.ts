import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatMs,
  formatPart,
  formatPercent,
  formatRate,
  formatTimestamp,
} from './format';

test('durations choose the unit by size and keep one space before it', () => {
  assert.equal(formatDuration(0), '0 ns');
  assert.equal(formatDuration(412), '412 ns');
  assert.equal(formatDuration(4_120), '4.12 us');
  assert.equal(formatDuration(412_000), '412.0 us');
  assert.equal(formatDuration(2_290_000), '2.29 ms');
  assert.equal(formatDuration(23_000_000), '23.0 ms');
  assert.equal(formatDuration(1_204_000_000), '1.204 s');
  assert.equal(formatDuration(-23_000_000), '\u221223.0 ms');
});

test('durations never print a full thousand of the smaller unit', () => {
  assert.equal(formatDuration(99_949), '99.9 us');
  assert.equal(formatDuration(99_960), '100.0 us');
  assert.equal(formatDuration(999_949), '999.9 us');
  assert.equal(formatDuration(999_950), '1.00 ms');
  assert.equal(formatDuration(999_960_000), '1.000 s');
  assert.equal(formatDuration(9_996), '10.0 us');
});

test('parts have the unit and the decimals that their whole is printed with', () => {
  assert.equal(formatPart(412_300, 412_300), formatDuration(412_300));
  assert.equal(formatPart(4_100, 412_000), '4.1 us');
  assert.equal(formatPart(412_000, 4_120_000), '0.41 ms');
  assert.equal(formatPart(412_000, 23_000_000), '0.4 ms');
  assert.equal(formatPart(0, 1_204_000_000), '0.000 s');
  assert.equal(formatPart(7, 412), '7 ns');
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
