// What a browser does with the server, over a real socket.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { raw, startServer, status, unframe } from './serve.mjs';

let server;
before(async () => (server = await startServer()));
after(() => server.stop());

const hash = (bytes) => createHash('sha256').update(new Uint8Array(bytes)).digest('hex');

test('it says where it is', () => {
  assert.match(server.out, /^Trace Drills on http:\/\/127\.0\.0\.1:\d+ \(Ctrl-C stops\)\n$/);
});

test('the page comes with its policy and its files', async () => {
  const page = await fetch(server.url);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy');
  for (const part of ["default-src 'none'", "script-src 'self'", "worker-src 'self'", "frame-ancestors 'none'"]) assert.ok(policy.includes(part), part);
  assert.ok(!policy.includes('unsafe'), policy);
  const html = await page.text();
  for (const [, name] of html.matchAll(/(?:src|href)="([^":]+)"/g)) {
    const file = await fetch(new URL(name, server.url));
    assert.equal(file.status, 200, name);
    const type = name.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8';
    assert.equal(file.headers.get('content-type'), type, name);
    assert.ok((await file.text()).length > 0, name);
  }
});

test('an unchanged file is not sent again', async () => {
  const first = await fetch(server.url);
  const again = await fetch(server.url, { headers: { 'If-None-Match': first.headers.get('etag') } });
  assert.equal(again.status, 304);
});

test('catalog is JSON, and the same twice', async () => {
  const reply = await server.call('catalog');
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('content-type'), 'application/json');
  const text = await reply.text();
  assert.equal(JSON.parse(text).schema_version, 1);
  assert.equal(await (await server.call('catalog')).text(), text);
});

test('open is framed: JSON, then the binary block', async () => {
  const { decks } = await (await server.call('catalog')).json();
  const drill = `${decks[0].id}/7`;
  const reply = await server.call('open', { drill });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('content-type'), 'application/x-tracedrills');
  const [json, blob] = unframe(await reply.arrayBuffer());
  assert.equal(json.drill, drill);
  assert.equal(new TextDecoder().decode(blob.slice(0, 4)), 'TDB1');
});

test('requests beside each other give the same bytes as one after the other', async () => {
  const { decks } = await (await server.call('catalog')).json();
  const open = async (seed) => hash(await (await server.call('open', { drill: `${decks[0].id}/${seed}` })).arrayBuffer());
  const fresh = await startServer();
  try {
    const together = await Promise.all([1, 2, 3, 1, 2, 3, 1, 2].map((seed) => open(seed)));
    for (const [i, seed] of [1, 2, 3, 1, 2, 3, 1, 2].entries()) {
      const alone = await fresh.call('open', { drill: `${decks[0].id}/${seed}` });
      assert.equal(together[i], hash(await alone.arrayBuffer()), `seed ${seed}`);
    }
  } finally {
    await fresh.stop();
  }
});

test('errors have the status of their kind and say what would be right', async () => {
  const cases = [
    ['nope', {}, 404, 'not_found', /catalog/],
    ['open', {}, 400, 'invalid_argument', /./],
    ['open', { drill: 'first.1/not-a-seed' }, 400, 'invalid_argument', /./],
    ['open', { drill: 'no-such-deck.1/7' }, 404, 'not_found', /first\.1/],
    ['read', { files: ['/etc/passwd'] }, 404, 'not_found', /catalog/],
    ['generate', { out: '/tmp' }, 404, 'not_found', /catalog/],
  ];
  for (const [method, body, expected, code, message] of cases) {
    const reply = await server.call(method, body);
    assert.equal(reply.status, expected, `${method} ${JSON.stringify(body)}`);
    const { error } = await reply.json();
    assert.equal(error.code, code);
    assert.match(error.message, message);
  }
});

test('another host, another origin, another type: refused', async () => {
  const post = (headers) =>
    raw(server.port, `POST /api/v1/catalog HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n${headers}\r\n\r\n{}`);
  const host = `Host: 127.0.0.1:${server.port}`;
  const json = 'Content-Type: application/json';
  assert.equal(status(await post(`${host}\r\n${json}`)), 200);
  assert.equal(status(await post(`Host: localhost:${server.port}\r\n${json}\r\nOrigin: http://localhost:${server.port}`)), 200);
  assert.equal(status(await post(json)), 403, 'no Host');
  assert.equal(status(await post(`Host: evil.example:${server.port}\r\n${json}`)), 403);
  assert.equal(status(await post(`${host}\r\nHost: evil.example\r\n${json}`)), 403, 'two Hosts');
  assert.equal(status(await post(`${host}\r\n${json}\r\nOrigin: http://evil.example`)), 403);
  assert.equal(status(await post(`${host}\r\n${json}\r\nOrigin: null`)), 403);
  const ours = `Origin: http://127.0.0.1:${server.port}`;
  assert.equal(status(await post(`${host}\r\n${json}\r\n${ours}`)), 200);
  for (const second of ['Origin: http://evil.example', ours]) {
    assert.equal(status(await post(`${host}\r\n${json}\r\n${ours}\r\n${second}`)), 403, 'two Origins');
  }
  assert.equal(status(await post(`${host}\r\nContent-Type: text/plain`)), 415);
});

test('a second server does not share the port', () => {
  const second = spawnSync(process.env.TRACEDRILLS ?? 'build/tracedrills', ['serve', '--port', String(server.port)], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  assert.equal(second.status, 1);
  assert.match(second.stderr, /in use by another tracedrills; open http:\/\/127\.0\.0\.1:\d+, or start a second one with --port N/);
});

test('nothing is logged without --verbose, and a line a request with it', async () => {
  assert.equal(server.err, '');
  assert.equal(server.out.split('\n').length, 2);
  const loud = await startServer('--verbose');
  await fetch(loud.url).finally(() => loud.stop());
  assert.match(loud.out, /\nGET \/ 200 \d+ bytes\n/);
});

test('a host that others can reach is warned of', async () => {
  const wide = await startServer('--host', '0.0.0.0');
  const page = await fetch(`http://127.0.0.1:${wide.port}/`).finally(() => wide.stop());
  assert.equal(page.status, 200);
  assert.match(wide.err, /warning: --host 0\.0\.0\.0 is not loopback/);
});
