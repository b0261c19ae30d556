// Starts the server on a free port, for one test file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

const binary = process.env.TRACEDRILLS ?? 'build/tracedrills';

export async function startServer(...args) {
  const child = spawn(binary, ['serve', '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const server = { child, out: '', err: '', closed: once(child, 'close') };
  child.stderr.on('data', (bytes) => (server.err += bytes));
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      server.out += bytes;
      if (server.out.includes('\n')) resolve();
    });
    child.once('close', (code) => reject(new Error(`serve ended with ${code}: ${server.err}`)));
  });
  server.url = server.out.match(/http:\/\/\S+/)[0];
  server.port = Number(new URL(server.url).port);
  // Returns the exit code and how long the end took.
  server.stop = async (signal = 'SIGTERM') => {
    const before = performance.now();
    child.kill(signal);
    const [code] = await server.closed;
    return { code, ms: performance.now() - before };
  };
  server.call = (method, body = {}) =>
    fetch(`${server.url}/api/v1/${method}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  return server;
}

// Sends bytes as they are and gives all that comes back until the connection ends.
export function raw(port, bytes) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve(text));
    socket.on('error', (error) => (text ? resolve(text) : reject(error)));
    socket.write(bytes);
  });
}

export function status(text) {
  return Number(text.match(/^HTTP\/1\.1 (\d+)/)?.[1]);
}

// [json, blob] of a framed reply.
export function unframe(bytes) {
  const view = new DataView(bytes);
  if (new TextDecoder().decode(bytes.slice(0, 4)) !== 'TDR1') throw new Error('no TDR1');
  const length = view.getUint32(4, true);
  return [JSON.parse(new TextDecoder().decode(bytes.slice(8, 8 + length))), bytes.slice(8 + length)];
}
