// What nobody should send, and how the server ends.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { raw, startServer, status } from './serve.mjs';

const head = (port, more) =>
  `POST /api/v1/catalog HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nConnection: close\r\n${more}\r\n\r\n`;

async function withServer(body, ...args) {
  const server = await startServer(...args);
  try {
    await body(server);
    assert.equal((await fetch(server.url)).status, 200, 'the server still answers');
  } finally {
    await server.stop();
  }
}

const residentKb = (pid) => Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]);

test('bodies over 1 MiB are refused, counted, chunked or packed', () =>
  withServer(async ({ port }) => {
    const large = 'x'.repeat((1 << 20) + 1);
    assert.equal(status(await raw(port, head(port, `Content-Length: ${large.length}`) + large)), 413);
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    assert.equal(status(await raw(port, head(port, 'Transfer-Encoding: chunked') + chunk)), 413);
    const bomb = gzipSync(Buffer.alloc(8 << 20, 0x20));
    const packed = head(port, `Content-Encoding: gzip\r\nContent-Length: ${bomb.length}`);
    assert.equal(status(await raw(port, Buffer.concat([Buffer.from(packed), bomb]))), 413);
    const fits = `{"pad":"${'x'.repeat((1 << 20) - 10)}"}`;
    assert.equal(status(await raw(port, head(port, `Content-Length: ${fits.length}`) + fits)), 200);
  }));

test('malformed requests are answered or cut, never fatal', () =>
  withServer(async ({ port }) => {
    const host = `Host: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
    for (const bytes of [
      'nonsense\r\n\r\n',
      '\r\n\r\n\r\n',
      Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 167) & 255)),
      `GET / HTTP/9.9\r\n${host}`,
      `BREW / HTTP/1.1\r\n${host}`,
      `GET /${'a'.repeat(7000)} HTTP/1.1\r\n${host}`,
      `GET /${'%0a'.repeat(2000)} HTTP/1.1\r\n${host}`,
      `GET /${'a'.repeat(20000)} HTTP/1.1\r\n${host}`,
      `GET / HTTP/1.1\r\nX: ${'a'.repeat(100_000)}\r\n${host}`,
      `GET / HTTP/1.1\r\nRange: bytes=0-1,5-2,99999999999999999999-\r\n${host}`,
      head(port, 'Content-Length: -5'),
      head(port, 'Content-Length: 99999999999999999999'),
      `${head(port, 'Transfer-Encoding: chunked')}zz\r\n`,
    ]) {
      const text = await raw(port, bytes).catch(() => '');
      if (text) assert.ok([400, 403, 404, 405, 413, 414, 416, 431, 505].includes(status(text)), `${String(bytes).slice(0, 60)} -> ${text.slice(0, 40)}`);
    }
  }));

test('Range is ignored: replies are whole', () =>
  withServer(async ({ port, url }) => {
    const whole = await (await fetch(`${url}/api/v1/catalog`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })).text();
    for (const range of ['bytes=0-9', 'bytes=-5', 'bytes=0-1,5-6', 'bytes=99999999-']) {
      const text = await raw(port, `${head(port, `Range: ${range}\r\nContent-Length: 2`)}{}`);
      assert.equal(status(text), 200, range);
      assert.match(text, /\r\nAccept-Ranges: none\r\n/);
      assert.equal(Buffer.from(text.split('\r\n\r\n')[1], 'latin1').toString(), whole, range);
    }
    const page = await raw(port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nRange: bytes=0-9\r\nConnection: close\r\n\r\n`);
    assert.equal(status(page), 200);
    assert.match(page, /<\/html>/);
  }));

test('no path leads to a file', () =>
  withServer(async ({ port }) => {
    for (const path of ['/../../etc/passwd', '/..%2f..%2fetc/passwd', '//etc/passwd', '/%00', '/etc/passwd', '/app.js%00.html']) {
      const text = await raw(port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
      assert.ok([400, 404].includes(status(text)), `${path} -> ${status(text)}`);
      assert.ok(!text.includes('root:'));
    }
  }));

test('a client that stalls is cut within seconds', () =>
  withServer(async ({ port }) => {
    const before = performance.now();
    const text = await raw(port, `${head(port, 'Content-Length: 100')}{`);
    assert.ok(['', 400].includes(text && status(text)), text);
    assert.ok(performance.now() - before < 8000);
  }));

test('2000 requests from 100 connections: all answered, nothing grows', () =>
  withServer(async ({ port, child }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    const once = () =>
      new Promise((resolve, reject) => {
        const call = request(
          { port, host: '127.0.0.1', agent, method: 'POST', path: '/api/v1/catalog', headers: { 'Content-Type': 'application/json' } },
          (reply) => reply.resume().on('end', () => resolve(reply.statusCode)),
        );
        call.on('error', reject);
        call.end('{}');
      });
    const batch = async () => {
      for (const code of await Promise.all(Array.from({ length: 1000 }, once))) assert.equal(code, 200);
    };
    await batch();
    const before = residentKb(child.pid);
    await batch();
    agent.destroy();
    const grownKb = residentKb(child.pid) - before;
    // Sanitizers keep freed memory back on purpose.
    if (!process.env.TD_SANITIZE) assert.ok(grownKb < 16_000, `${grownKb} kB more`);
  }));

// A sanitizer keeps what is freed, and simulates ten times slower than the queue waits.
const underSanitizer = Boolean(process.env.TD_SANITIZE);
test('memory of simulations goes back when they are done', { skip: underSanitizer }, () =>
  withServer(async ({ port, child, call }) => {
    let seed = 500_000;
    const client = async () => {
      while (seed < 500_060) {
        const reply = await call('open', { drill: `first.1/${seed++}` });
        await reply.arrayBuffer();
        assert.equal(reply.status, 200, String(port));
      }
    };
    await Promise.all(Array.from({ length: 30 }, client));
    // 64 MiB of it are replies that are kept.
    const kb = residentKb(child.pid);
    assert.ok(kb < 200_000, `${kb} kB resident`);
  }));

test('it ends within 2 s, with connections open, idle or half-way', async () => {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    const server = await startServer();
    const idle = connect(server.port, '127.0.0.1');
    const halfWay = connect(server.port, '127.0.0.1');
    for (const socket of [idle, halfWay]) socket.on('error', () => undefined);
    halfWay.write(`${head(server.port, 'Content-Length: 100')}{`);
    await fetch(server.url);
    const { code, ms } = await server.stop(signal);
    assert.equal(code, 0, signal);
    assert.ok(ms < 2000, `${signal}: ${ms} ms`);
    idle.destroy();
    halfWay.destroy();
  }
});

test('a signal right after the start is not lost', async () => {
  for (let i = 0; i < 5; ++i) {
    const server = await startServer();
    const { code, ms } = await server.stop();
    assert.equal(code, 0);
    assert.ok(ms < 2000);
  }
});
