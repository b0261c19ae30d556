// Measures, does not judge: requests a second and latencies. TRACEDRILLS=build/tracedrills node tests/http/load.mjs
import { Agent, request } from 'node:http';
import { spawnSync } from 'node:child_process';
import { startServer } from './serve.mjs';

const server = await startServer();
const agent = new Agent({ keepAlive: true, maxSockets: 100 });

function call(method, body) {
  const options = { port: server.port, host: '127.0.0.1', agent, method: 'POST', path: `/api/v1/${method}` };
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const sent = request({ ...options, headers: { 'Content-Type': 'application/json' } }, (reply) => {
      let bytes = 0;
      reply.on('data', (chunk) => (bytes += chunk.length));
      reply.on('end', () => resolve({ status: reply.statusCode, bytes, ms: performance.now() - started }));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

function summary(replies) {
  const times = replies.map((reply) => reply.ms).sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(2);
  const bad = replies.filter((reply) => reply.status !== 200).length;
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms, ${bad} failed, ${replies[0].bytes} bytes`;
}

const total = 10_000;
const replies = [];
const started = performance.now();
await Promise.all(
  Array.from({ length: 100 }, async () => {
    while (replies.length < total) replies.push(await call('catalog', {}));
  }),
);
const seconds = (performance.now() - started) / 1000;
console.log(`catalog, 100 connections: ${Math.round(replies.length / seconds)} requests/s, ${summary(replies)}`);

for (const deck of ['first.1']) {
  const first = []; // ten drills: what the cache holds
  const again = [];
  for (let seed = 1; seed <= 10; ++seed) first.push(await call('open', { drill: `${deck}/${seed}` }));
  for (let seed = 1; seed <= 10; ++seed) again.push(await call('open', { drill: `${deck}/${seed}` }));
  console.log(`open ${deck}, 10 seeds: ${summary(first)}`);
  console.log(`open ${deck}, again: ${summary(again)}`);
}

const starts = [];
for (let i = 0; i < 50; ++i) {
  const before = performance.now();
  spawnSync(process.env.TRACEDRILLS ?? 'build/tracedrills', ['--help']);
  starts.push({ status: 200, bytes: 0, ms: performance.now() - before });
}
console.log(`tracedrills --help, as seen by its caller: ${summary(starts)}`);
agent.destroy();
const { ms } = await server.stop();
console.log(`SIGTERM to end: ${ms.toFixed(0)} ms`);
