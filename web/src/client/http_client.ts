// Client over loopback HTTP: POST /api/v1/METHOD, replies framed as docs/api.md says.
import type { Client, Reply } from './client';
import { ClientError, kWireCodes } from './client_error';

const kFramedType = 'application/x-tracedrills';
const kMagic = 0x31524454; // "TDR1", little-endian
const kHeaderBytes = 8;
const kOffline =
  'The trainer does not answer, and new traces are simulated by it. Start it again (tracedrills serve), then try again.';

/** `fetchFunction` is replaced in tests. */
export function createHttpClient(
  baseUrl = '',
  fetchFunction: typeof fetch = (...args) => fetch(...args),
): Client {
  return {
    call: async (method, request, options) => {
      const response = await post(fetchFunction, `${baseUrl}/api/v1/${method}`, request, options?.signal);
      const type = (response.headers.get('Content-Type') ?? '').split(';')[0]?.trim();
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (!response.ok) throw errorOf(method, response.status, bytes);
      return type === kFramedType
        ? unframe(bytes, method)
        : { json: parse(bytes, method), blob: new Uint8Array() };
    },
  };
}

async function post(
  fetchFunction: typeof fetch,
  url: string,
  request: object,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await fetchFunction(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ClientError('offline', kOffline, url);
  }
}

/** Splits a TDR1 reply. The blob is a view of the reply's own bytes where that is aligned to 8, else a copy. */
export function unframe(bytes: Uint8Array, method: string): Reply {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < kHeaderBytes || view.getUint32(0, true) !== kMagic) {
    throw new ClientError('malformed_reply', 'The reply does not begin with TDR1.', method);
  }
  const jsonBytes = view.getUint32(4, true);
  if (jsonBytes > bytes.length - kHeaderBytes) {
    const have = bytes.length - kHeaderBytes;
    throw new ClientError(
      'malformed_reply',
      `The reply announces ${jsonBytes} bytes of JSON and has ${have}.`,
      method,
    );
  }
  const json = parse(bytes.subarray(kHeaderBytes, kHeaderBytes + jsonBytes), method);
  const blob = bytes.subarray(kHeaderBytes + jsonBytes);
  return { json, blob: blob.byteOffset % 8 === 0 ? blob : blob.slice() };
}

function parse(bytes: Uint8Array, method: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ClientError('malformed_reply', 'The reply is not JSON.', method);
  }
}

function errorOf(method: string, status: number, bytes: Uint8Array): ClientError {
  try {
    const body = JSON.parse(new TextDecoder().decode(bytes)) as {
      error?: { code?: string; message?: string; where?: string };
    };
    const { code, message, where } = body.error ?? {};
    const known = kWireCodes.find((candidate) => candidate === code) ?? 'internal';
    if (message) return new ClientError(known, message, where || method);
  } catch {
    // Not the core's answer: a proxy's page, or nothing. The status is all there is to say.
  }
  return new ClientError('internal', `The trainer answered with status ${status}.`, method);
}
