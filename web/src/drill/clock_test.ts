import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  announcement,
  clockSeconds,
  clockState,
  elapsedMs,
  formatSeconds,
  newClock,
  pauseClock,
  startClock,
  stopClock,
} from './clock';

const started = startClock(newClock('limit', 120_000), 1000);

test('a new clock stands at 2:00 and does not run', () => {
  const clock = newClock('limit', 120_000);
  assert.equal(formatSeconds(clockSeconds(clock, 99_999)), '2:00');
  assert.equal(elapsedMs(clock, 99_999), 0);
});

test('it shows 2:00 at the start, 1:59 after a full second, 0:01 to the last instant', () => {
  assert.equal(clockSeconds(started, 1000), 120);
  assert.equal(clockSeconds(started, 2000), 119);
  assert.equal(clockSeconds(started, 120_999), 1);
});

test('at 0:00 it is a miss and goes on counting', () => {
  assert.equal(clockState(started, 120_999), 'low');
  assert.equal(clockState(started, 121_000), 'miss');
  assert.equal(clockSeconds(started, 150_000), 0);
  assert.equal(elapsedMs(started, 150_000), 149_000);
});

test('under 20 s the state is low', () => {
  assert.equal(clockState(started, 100_999), 'running');
  assert.equal(clockState(started, 101_000), 'low');
});

test('a pause stops the time and marks the attempt for good', () => {
  const paused = pauseClock(started, 31_000);
  assert.equal(elapsedMs(paused, 500_000), 30_000);
  assert.equal(clockState(paused, 500_000), 'paused');
  const goingOn = startClock(paused, 500_000);
  assert.equal(elapsedMs(goingOn, 510_000), 40_000);
  assert.equal(goingOn.wasPaused, true);
});

test('a stop is not a pause; starting twice and stopping twice change nothing', () => {
  assert.equal(stopClock(started, 5000).wasPaused, false);
  assert.equal(startClock(started, 9000), started);
  const stopped = stopClock(started, 5000);
  assert.equal(stopClock(stopped, 9000), stopped);
});

test('without a clock it counts up and is never a miss', () => {
  const free = startClock(newClock('free'), 0);
  assert.equal(clockSeconds(free, 188_500), 188);
  assert.equal(clockState(free, 188_500), 'free');
  assert.equal(announcement(free, 61, 60), undefined);
});

test('1:00, 0:20 and 0:00 are said once each, even if a second is skipped', () => {
  assert.match(announcement(started, 61, 60) ?? '', /minute/);
  assert.equal(announcement(started, 60, 59), undefined);
  assert.match(announcement(started, 22, 19) ?? '', /20 seconds/);
  assert.match(announcement(started, 1, 0) ?? '', /miss/);
  assert.equal(announcement(started, 0, 0), undefined);
});
