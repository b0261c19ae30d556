import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientError } from '../client/client_error';
import type { OpenedDrill, RevealedDrill } from '../client/client';
import type { Catalog } from '../client/messages';
import { elapsedMs } from './clock';
import { loading, reduce, type Answering, type AttemptEvent, type Committed, type State } from './state';

const catalog: Catalog = {
  schema_version: 1,
  decks: [],
  diagnoses: [
    { id: 'healthy', title: 'healthy', deciding_number: null, deciding_unit: null },
    { id: 'late', title: 'late rank', deciding_number: 'lateness', deciding_unit: 'ms a step' },
  ],
  measurements: [{ id: 'clocks', title: 'clocks', price_s: 10 }],
  fixes: [{ id: 'reset', title: 'reset' }],
  reading_order: [{ id: 'step', title: 'Step boundary', measure: '' }],
  limit_s: 120,
};
const opened = { drill: { drill: 'first.1/7' }, trace: { ranks: [] } } as unknown as OpenedDrill;
const revealed = {} as RevealedDrill;

function run(state: State, ...events: AttemptEvent[]): State {
  return events.reduce(reduce, state);
}
function answering(...events: AttemptEvent[]): Answering {
  const state = run(
    loading('first.1/7', 'limit'),
    { type: 'opened', catalog, opened, nowMs: 1000 },
    ...events,
  );
  assert.equal(state.phase, 'answering');
  return state as Answering;
}

test('the clock starts when the trace is on screen, not while it loads', () => {
  const state = answering();
  assert.equal(elapsedMs(state.clock, 1000), 0);
  assert.equal(elapsedMs(state.clock, 4000), 3000);
});

test('a drill that cannot be opened keeps the reason and can be tried again', () => {
  const error = new ClientError('not_found', 'no such deck');
  const failed = run(loading('x/1', 'limit'), { type: 'failed', error });
  assert.equal(failed.phase === 'failed' && failed.error, error);
  assert.deepEqual(run(failed, { type: 'again' }), loading('x/1', 'limit'));
});

test('commit needs a diagnosis and nothing else', () => {
  const empty = answering();
  assert.equal(run(empty, { type: 'commit', nowMs: 2000 }), empty);
  const state = run(
    empty,
    { type: 'enter', form: { diagnosis: 'healthy' } },
    { type: 'commit', nowMs: 41_000 },
  ) as Committed;
  assert.equal(state.phase, 'committed');
  assert.deepEqual(state.commit, {
    diagnosis: 'healthy',
    place: null,
    number: null,
    measurement: null,
    fix: null,
    win: null,
    confidence_percent: null,
    elapsed_ms: 40_000,
    paused: false,
  });
  assert.equal(state.inTime, true);
});

test('a number that cannot be read holds the commit back', () => {
  const state = answering({ type: 'enter', form: { diagnosis: 'late', numberText: 'many' } });
  assert.equal(run(state, { type: 'commit', nowMs: 2000 }), state);
});

test('a number typed for another diagnosis is not sent with one that asks for none', () => {
  const state = answering(
    { type: 'enter', form: { diagnosis: 'late', numberText: '22' } },
    { type: 'enter', form: { diagnosis: 'healthy' } },
  );
  const committed = run(state, { type: 'commit', nowMs: 2000 }) as Committed;
  assert.equal(committed.commit.number, null);
});

test('after 0:00 the attempt is a miss and may be finished', () => {
  const late = run(answering({ type: 'enter', form: { diagnosis: 'late' } }), {
    type: 'commit',
    nowMs: 121_000,
  }) as Committed;
  assert.equal(late.phase, 'committed');
  assert.equal(late.inTime, false);
  assert.equal(late.commit.elapsed_ms, 120_000);
});

test('a pause is told with the commit', () => {
  const state = run(
    answering(
      { type: 'pause', nowMs: 11_000 },
      { type: 'resume', nowMs: 900_000 },
      { type: 'enter', form: { diagnosis: 'late' } },
    ),
    { type: 'commit', nowMs: 905_000 },
  ) as Committed;
  assert.equal(state.commit.paused, true);
  assert.equal(state.commit.elapsed_ms, 15_000);
});

test('Esc goes back to the timeline and keeps what was entered', () => {
  const state = answering(
    { type: 'to_part', part: 'fix' },
    { type: 'enter', form: { fix: 'reset' } },
    { type: 'to_timeline' },
  );
  assert.equal(state.panel, 'reading');
  assert.equal(state.form.fix, 'reset');
});

test('once committed the answer cannot be changed', () => {
  const committed = run(answering({ type: 'enter', form: { diagnosis: 'late' } }), {
    type: 'commit',
    nowMs: 2000,
  });
  assert.equal(run(committed, { type: 'enter', form: { diagnosis: 'healthy' } }), committed);
  assert.equal(run(committed, { type: 'commit', nowMs: 3000 }), committed);
});

test('reveal only follows a commit; a reveal that failed may be tried again', () => {
  const before = answering();
  assert.equal(run(before, { type: 'reveal' }), before);
  assert.equal(run(before, { type: 'revealed', revealed }), before);
  const committed = run(
    answering({ type: 'enter', form: { diagnosis: 'late' } }),
    { type: 'commit', nowMs: 2000 },
    { type: 'reveal' },
    { type: 'failed', error: new ClientError('offline', 'no answer') },
  );
  assert.equal(committed.phase === 'committed' && committed.error?.message, 'no answer');
  const shown = run(committed, { type: 'reveal' }, { type: 'revealed', revealed });
  assert.equal(shown.phase, 'revealed');
  assert.equal(run(shown, { type: 'again' }).phase, 'loading');
});

test('an item of the reading order is ticked with its figure, and unticked', () => {
  const ticked = answering({ type: 'tick_item', item: 'step', figure: '101.5 ms' });
  assert.equal(ticked.ticked.get('step'), '101.5 ms');
  const again = run(ticked, { type: 'tick_item', item: 'step', figure: '' }) as Answering;
  assert.equal(again.ticked.has('step'), false);
});

test('a measurement is paid for at once and once; a failed one gives its price back', () => {
  const buy = { type: 'buy', id: 'clocks', priceMs: 10_000 } as const;
  const measured = { measurement: 'clocks', price_s: 10, command: '$ x', prints: ['1'] };
  const bought = answering(buy, buy, { type: 'measured', measured }, buy);
  assert.equal(elapsedMs(bought.clock, 1000), 10_000);
  assert.deepEqual(bought.bought.get('clocks'), { phase: 'done', measured });
  const failed = answering(buy, { type: 'not_measured', id: 'clocks', priceMs: 10_000, message: 'offline' });
  assert.equal(elapsedMs(failed.clock, 1000), 0);
  assert.equal(failed.bought.get('clocks')?.phase, 'failed');
  assert.equal(answering({ type: 'measured', measured }).bought.size, 0, 'what was not bought is not shown');
});

test('what is said of the measurement and of the read is written after the commit, before the reveal', () => {
  const note = { type: 'note', notes: { prints: '5, 1410 MHz' } } as const;
  assert.equal(answering(note).notes.prints, '');
  const committed = run(
    answering({ type: 'enter', form: { diagnosis: 'healthy' } }),
    { type: 'commit', nowMs: 2000 },
    note,
  );
  assert.equal((committed as Committed).notes.prints, '5, 1410 MHz');
  const shown = run(committed, { type: 'reveal' }, { type: 'note', notes: { prints: 'later' } });
  assert.equal((shown as Committed).notes.prints, '5, 1410 MHz');
});
