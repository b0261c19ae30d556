import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adviceFor, kPerfettoOrigin, openInPerfetto, type Host, type Peer } from './perfetto';

interface Posted {
  readonly message: unknown;
  readonly origin: string;
}

// A host whose clock and messages the test moves by hand.
function fakeHost(peer: Peer | null) {
  let tick: (() => void) | undefined;
  let onMessage: ((event: { source: unknown; data: unknown }) => void) | undefined;
  let nowMs = 0;
  const host: Host = {
    open: () => peer,
    listen: (listener) => {
      onMessage = listener;
      return () => (onMessage = undefined);
    },
    every: (_, act) => {
      tick = act;
      return () => (tick = undefined);
    },
    now: () => nowMs,
  };
  return {
    host,
    say: (source: unknown, data: unknown) => onMessage?.({ source, data }),
    pass: (ms: number) => {
      nowMs += ms;
      tick?.();
    },
    isListening: () => onMessage !== undefined || tick !== undefined,
  };
}

function fakePeer(): { readonly peer: Peer; readonly posted: Posted[]; close: () => void } {
  const posted: Posted[] = [];
  const peer = {
    closed: false,
    postMessage: (message: unknown, origin: string) => posted.push({ message, origin }),
  };
  return { peer, posted, close: () => (peer.closed = true) };
}

const file = () => Promise.resolve({ bytes: new ArrayBuffer(4), fileName: 'core.1-7.json' });

test('asks until the tab answers, then hands the trace to Perfetto alone', async () => {
  const { peer, posted } = fakePeer();
  const { host, say, pass, isListening } = fakeHost(peer);
  const done = openInPerfetto(host, file(), 'core.1/7');
  pass(50);
  pass(50);
  say({}, 'PONG');
  assert.equal(posted.length, 2, 'somebody else\u2019s PONG is none');
  say(peer, 'PONG');
  assert.deepEqual(await done, { ok: true });
  assert.equal(posted.length, 3);
  assert.ok(posted.every((one) => one.origin === kPerfettoOrigin));
  const { perfetto } = posted[2]!.message as { perfetto: { title: string; fileName: string } };
  assert.equal(perfetto.title, 'core.1/7');
  assert.equal(perfetto.fileName, 'core.1-7.json');
  assert.equal(isListening(), false);
});

test('a blocked tab, a silent one and a closed one are told apart, each with what to do instead', async () => {
  assert.deepEqual(await openInPerfetto(fakeHost(null).host, file(), ''), { ok: false, why: 'blocked' });
  const silent = fakeHost(fakePeer().peer);
  const waiting = openInPerfetto(silent.host, file(), '');
  silent.pass(20_001);
  assert.deepEqual(await waiting, { ok: false, why: 'silent' });
  const { peer, close } = fakePeer();
  const closing = fakeHost(peer);
  const leaving = openInPerfetto(closing.host, file(), '');
  close();
  closing.pass(50);
  assert.deepEqual(await leaving, { ok: false, why: 'closed' });
  for (const why of ['blocked', 'silent', 'closed'] as const)
    assert.match(adviceFor(why), /ui\.perfetto\.dev/);
});
