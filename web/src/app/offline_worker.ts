// The service worker: keeps the page's own files and its one constant reply, so that the page opens without its trainer.
// What the network answers always goes first, so nothing here can be stale while there is a trainer. Drills, reveals and the
// catalogue are never kept: without a trainer there is no new trace, and the page must see that.

interface WorkerEvent extends Event {
  waitUntil(until: Promise<unknown>): void;
}
interface RequestEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Worker extends EventTarget {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}

const worker = globalThis as unknown as Worker;
const kCache = 'tracedrills-page-1';
const kFiles = ['./', 'app.js', 'app.css'];
// Asked with `{}`, always answered alike.
const kReplies = ['api/v1/math_reference'];

const urlOf = (name: string): string => new URL(name, location.href).href;
const files = new Set(kFiles.map(urlOf));
const replies = new Set(kReplies.map(urlOf));

async function keep(url: string, response: Response): Promise<Response> {
  if (response.ok) {
    const copy = response.clone();
    const cache = await caches.open(kCache);
    await cache.put(url, copy);
  }
  return response;
}

async function ask(url: string): Promise<Response> {
  const isReply = replies.has(url);
  const asked = isReply
    ? fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
    : fetch(url);
  return keep(url, await asked);
}

async function answer(url: string, request: Request): Promise<Response> {
  try {
    return await keep(url, await fetch(request));
  } catch (error) {
    const kept = await (await caches.open(kCache)).match(url, { ignoreVary: true });
    if (kept === undefined) throw error;
    return kept;
  }
}

worker.addEventListener('install', (event) => {
  const all = [...files, ...replies].map(ask);
  (event as WorkerEvent).waitUntil(Promise.all(all).then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  const forget = async () => {
    const old = (await caches.keys()).filter((name) => name !== kCache);
    await Promise.all(
      old.filter((name) => name.startsWith('tracedrills-')).map((name) => caches.delete(name)),
    );
    await worker.clients.claim();
  };
  (event as WorkerEvent).waitUntil(forget());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event as RequestEvent;
  const url = request.url.replace(/[?#].*$/, '');
  const isKept = request.method === 'GET' ? files.has(url) : request.method === 'POST' && replies.has(url);
  if (isKept) (event as RequestEvent).respondWith(answer(url, request));
});
