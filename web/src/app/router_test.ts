import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawSeed, drillHash, parseRoute } from './router';

test('an empty address is home, with or without its slash', () => {
  for (const hash of ['', '#', '#/']) assert.deepEqual(parseRoute(hash), { page: 'home' });
});

test('a permalink gives the drill as it was written', () => {
  const drill = 'first.1/48213';
  assert.deepEqual(parseRoute(drillHash(drill)), { page: 'drill', drill, mode: 'full' });
  assert.deepEqual(parseRoute('#/drill/first.1%2F48213'), { page: 'drill', drill, mode: 'full' });
  assert.deepEqual(parseRoute('#/drill/no such deck'), {
    page: 'drill',
    drill: 'no such deck',
    mode: 'full',
  });
});

test('a mode stands behind the drill and is no part of its name', () => {
  const route = parseRoute(drillHash('core.1/48213', 'blind'));
  assert.deepEqual(route, { page: 'drill', drill: 'core.1/48213', mode: 'blind' });
  const contrast = { page: 'drill', drill: 'core.1/48213', mode: 'contrast' };
  assert.deepEqual(parseRoute('#/drill/core.1/48213/contrast'), contrast);
  assert.equal(drillHash('core.1/48213', 'full'), drillHash('core.1/48213'));
});

test('the pages beside the drill have their own addresses', () => {
  assert.deepEqual(parseRoute('#/history'), { page: 'history' });
  assert.deepEqual(parseRoute('#/walk/'), { page: 'walk' });
});

test('anything else is unknown and keeps what was asked', () => {
  for (const hash of ['#/nowhere', '#/drill', '#/drill/', '#/drill/%']) {
    assert.deepEqual(parseRoute(hash), { page: 'unknown', hash });
  }
});

test('a seed is any 32-bit number of the source', () => {
  assert.equal(
    drawSeed((into) => into.fill(4294967295)),
    4294967295,
  );
});

test('mental math has a mode, or a sum by name', () => {
  assert.deepEqual(parseRoute('#/math'), { page: 'math', mode: 'one', problem: undefined });
  assert.deepEqual(parseRoute('#/math/storm'), { page: 'math', mode: 'storm', problem: undefined });
  assert.deepEqual(parseRoute('#/math/problem/math.1/0123456789ab'), {
    page: 'math',
    mode: 'one',
    problem: 'math.1/0123456789ab',
  });
  assert.equal(parseRoute('#/math/else').page, 'unknown');
  assert.equal(parseRoute('#/reference').page, 'reference');
});
