import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStore } from './store';

test('listeners hear each change once and nothing after they left', () => {
  const store = createStore(1);
  const heard: number[] = [];
  const leave = store.subscribe((value) => heard.push(value));
  store.set(2);
  store.set(2);
  store.update((now) => now + 1);
  leave();
  store.set(9);
  assert.deepEqual(heard, [2, 3]);
  assert.equal(store.get(), 9);
});
