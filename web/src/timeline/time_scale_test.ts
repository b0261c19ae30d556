import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clampView, fitView, panView, reveal, TimeScale, zoomView } from './time_scale';
import { ticksOf, tickStep } from './ruler';

const kLimits = { beginNs: 0, endNs: 1_000_000 };

test('time, CSS and device pixels round-trip', () => {
  const scale = new TimeScale({ beginNs: 1000, endNs: 5000 }, 800, 2);
  assert.equal(scale.nsToCss(1000), 0);
  assert.equal(scale.nsToCss(5000), 800);
  assert.equal(scale.nsToDevice(3000), 800);
  for (const at of [1000, 1234, 4999]) {
    assert.ok(Math.abs(scale.cssToNs(scale.nsToCss(at)) - at) < 1e-9);
    assert.ok(Math.abs(scale.deviceToNs(scale.nsToDevice(at)) - at) < 1e-9);
  }
});

test('zooming keeps the moment under the cursor where it is', () => {
  const view = { beginNs: 200_000, endNs: 600_000 };
  const next = zoomView(view, 300_000, 2, kLimits);
  assert.deepEqual(next, { beginNs: 250_000, endNs: 450_000 });
  assert.deepEqual(zoomView(next, 300_000, 0.5, kLimits), view);
});

test('windows stay inside the limits and keep their length', () => {
  assert.deepEqual(panView({ beginNs: 0, endNs: 100 * 1000 }, -5000, kLimits), {
    beginNs: 0,
    endNs: 100_000,
  });
  assert.deepEqual(panView({ beginNs: 950_000, endNs: 1_000_000 }, 5000, kLimits), {
    beginNs: 950_000,
    endNs: 1_000_000,
  });
  assert.deepEqual(zoomView({ beginNs: 0, endNs: 900_000 }, 0, 0.01, kLimits), kLimits);
  assert.deepEqual(clampView({ beginNs: 10, endNs: 10 }, kLimits), { beginNs: 10, endNs: 210 });
});

test('fit leaves a tenth on each side; reveal moves only what is out of sight', () => {
  assert.deepEqual(fitView({ beginNs: 1000, endNs: 2000 }, kLimits), { beginNs: 900, endNs: 2100 });
  const view = { beginNs: 0, endNs: 1000 };
  assert.equal(reveal(view, { beginNs: 10, endNs: 20 }, kLimits), view);
  assert.deepEqual(reveal(view, { beginNs: 5000, endNs: 5010 }, kLimits), { beginNs: 4505, endNs: 5505 });
});

test('ruler steps are round, at least so far apart, counted from the origin, the unit once', () => {
  const scale = new TimeScale({ beginNs: 10e6, endNs: 90e6 }, 800, 1); // 0.1 ms a pixel
  assert.equal(tickStep(scale, 90), 10e6);
  assert.equal(tickStep(scale, 60), 10e6);
  assert.equal(tickStep(scale, 110), 20e6);
  assert.deepEqual(
    ticksOf(scale, 30e6, 110).map((tick) => [tick.at / 1e6, tick.label]),
    [
      [10, '\u221220 ms'],
      [30, '0'],
      [50, '20'],
      [70, '40'],
      [90, '60'],
    ],
  );
});

test('a view without a width has no ticks, rather than one a nanosecond', () => {
  assert.deepEqual(ticksOf(new TimeScale({ beginNs: 0, endNs: 1e9 }, 0, 1), 0, 90), []);
});
