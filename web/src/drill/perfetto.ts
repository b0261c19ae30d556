// Handing a trace over to ui.perfetto.dev, by the handshake that it documents ("Deep linking to the Perfetto UI"): open a
// tab, say PING until it says PONG, then post the buffer.

export const kPerfettoOrigin = 'https://ui.perfetto.dev';
const kPingEveryMs = 50;
const kPatienceMs = 20_000;

/** The part of a window that the hand-over uses; tests put their own in. */
export interface Host {
  readonly open: (url: string) => Peer | null;
  readonly listen: (
    onMessage: (event: { readonly source: unknown; readonly data: unknown }) => void,
  ) => () => void;
  readonly every: (ms: number, act: () => void) => () => void;
  readonly now: () => number;
}

export interface Peer {
  readonly postMessage: (message: unknown, origin: string, transfer?: Transferable[]) => void;
  readonly closed: boolean;
}

export type HandOver =
  | { readonly ok: true }
  /** `blocked`: no tab came; `silent`: one came and never answered (offline, say); `closed`: it was closed. */
  | { readonly ok: false; readonly why: 'blocked' | 'silent' | 'closed' };

export interface TraceFile {
  readonly bytes: ArrayBuffer;
  readonly fileName: string;
}

/** Must be called in the click itself: a tab that opens later is blocked. The file may come while the tab loads. */
export async function openInPerfetto(host: Host, file: Promise<TraceFile>, title: string): Promise<HandOver> {
  const peer = host.open(kPerfettoOrigin);
  if (peer === null) return { ok: false, why: 'blocked' };
  const answer = await waitForPong(host, peer);
  if (answer !== 'pong') return { ok: false, why: answer };
  const { bytes, fileName } = await file;
  peer.postMessage({ perfetto: { buffer: bytes, title, fileName, keepApiOpen: false } }, kPerfettoOrigin, [
    bytes,
  ]);
  return { ok: true };
}

function waitForPong(host: Host, peer: Peer): Promise<'pong' | 'silent' | 'closed'> {
  return new Promise((resolve) => {
    const since = host.now();
    const end = (how: 'pong' | 'silent' | 'closed') => {
      stopPings();
      stopListening();
      resolve(how);
    };
    const stopListening = host.listen((event) => {
      if (event.source === peer && event.data === 'PONG') end('pong');
    });
    // Messages to a tab that is still loading are lost, so it is asked again and again.
    const stopPings = host.every(kPingEveryMs, () => {
      if (peer.closed) end('closed');
      else if (host.now() - since > kPatienceMs) end('silent');
      else peer.postMessage('PING', kPerfettoOrigin);
    });
  });
}

export function browserHost(): Host {
  return {
    open: (url) => window.open(url),
    listen: (onMessage) => {
      window.addEventListener('message', onMessage);
      return () => window.removeEventListener('message', onMessage);
    },
    every: (ms, act) => {
      const timer = setInterval(act, ms);
      return () => clearInterval(timer);
    },
    now: () => performance.now(),
  };
}

/** What to do instead, in one sentence. */
export function adviceFor(why: Extract<HandOver, { ok: false }>['why']): string {
  const instead = 'Export the file and drop it into ui.perfetto.dev.';
  switch (why) {
    case 'blocked':
      return `The browser opened no tab. Allow pop-ups for this page, or: ${instead}`;
    case 'silent':
      return `ui.perfetto.dev did not answer in 20 s; is this machine offline? ${instead} A local Perfetto reads it too.`;
    case 'closed':
      return `The tab was closed before it took the trace. ${instead}`;
  }
}
