import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markedParts, matchTitles } from './match';

const list = [
  'healthy',
  'input starvation',
  'straggler rank',
  'sync stalls',
  'un-overlapped all-reduce',
  'cannot tell',
].map((title) => ({ title }));
const titles = (query: string) => matchTitles(list, query).map((match) => match.item.title);

test('nothing typed gives the full list in its order', () => {
  assert.deepEqual(
    titles(''),
    list.map((entry) => entry.title),
  );
});

test('any word start matches, in the order of the list', () => {
  assert.deepEqual(titles('st'), ['input starvation', 'straggler rank', 'sync stalls']);
  assert.deepEqual(titles('ST'), ['input starvation', 'straggler rank', 'sync stalls']);
});

test('the middle of a word does not match', () => {
  assert.deepEqual(titles('ealthy'), []);
});

test('several words typed must each begin another word', () => {
  assert.deepEqual(titles('sy st'), ['sync stalls']);
  assert.deepEqual(titles('s s'), ['sync stalls']);
  assert.deepEqual(titles('all red'), ['un-overlapped all-reduce']);
});

test('the typed letters are marked in the title', () => {
  const [match] = matchTitles(list, 'te can');
  assert.deepEqual(markedParts('cannot tell', match!.marks), [
    { text: 'can', marked: true },
    { text: 'not ', marked: false },
    { text: 'te', marked: true },
    { text: 'll', marked: false },
  ]);
});
