import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryStore, openRecordStore } from './record_store';

test('records come back in the order in which they were added, with their keys', async () => {
  const store = createMemoryStore<{ n: number }>();
  const first = await store.add({ n: 1 });
  const second = await store.add({ n: 2 });
  await store.put(first, { n: 10 });
  assert.deepEqual(await store.all(), [
    { key: first, record: { n: 10 } },
    { key: second, record: { n: 2 } },
  ]);
  await store.clear();
  assert.deepEqual(await store.all(), []);
});

test('without IndexedDB the store is one of memory and says so', async () => {
  const store = await openRecordStore<number>('attempts');
  assert.equal(store.isLasting, false);
  await store.add(7);
  assert.equal((await store.all()).length, 1);
});
