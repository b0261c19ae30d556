// The page's one interface to the core. HTTP stands behind it today; a WASM core can stand behind it tomorrow.
import type { Attempt } from './attempts';
import { decodeColumns } from './columns';
import type {
  Catalog,
  Commit,
  Contrast,
  ContrastCommit,
  ContrastReveal,
  Drill,
  ExportReply,
  ExportRequest,
  HistoryView,
  Measured,
  MeasureRequest,
  OpenRequest,
  Reveal,
  RevealRequest,
} from './messages';
import type { TraceModel } from './trace_model';

export interface Reply {
  readonly json: unknown;
  /** Empty if the method has none. */
  readonly blob: Uint8Array;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface Client {
  /** Throws ClientError (client_error.ts): nothing else comes out of a call, but AbortError if `signal` was fired. */
  readonly call: (method: string, request: object, options?: CallOptions) => Promise<Reply>;
}

export interface OpenedDrill {
  readonly drill: Drill;
  readonly trace: TraceModel;
}

export interface RevealedDrill {
  readonly reveal: Reveal;
  /** The same job with the fix applied. */
  readonly fixedTrace: TraceModel;
}

export async function fetchCatalog(client: Client, options?: CallOptions): Promise<Catalog> {
  const reply = await client.call('catalog', {}, options);
  return reply.json as Catalog;
}

export async function openDrill(client: Client, drill: string, options?: CallOptions): Promise<OpenedDrill> {
  const request: OpenRequest = { drill };
  const reply = await client.call('open', request, options);
  return { drill: reply.json as Drill, trace: decodeColumns(reply.blob) };
}

export async function revealDrill(
  client: Client,
  drill: string,
  commit: Commit,
  options?: CallOptions,
): Promise<RevealedDrill> {
  const request: RevealRequest = { drill, commit };
  const reply = await client.call('reveal', request, options);
  return { reveal: reply.json as Reveal, fixedTrace: decodeColumns(reply.blob) };
}

export interface OpenedContrast {
  readonly contrast: Contrast;
  /** A, then B. */
  readonly traces: readonly [TraceModel, TraceModel];
}

export async function openContrast(
  client: Client,
  drill: string,
  options?: CallOptions,
): Promise<OpenedContrast> {
  const reply = await client.call('contrast', { drill }, options);
  const contrast = reply.json as Contrast;
  const at = contrast.runs[1].at_bytes;
  return {
    contrast,
    traces: [decodeColumns(reply.blob.subarray(0, at)), decodeColumns(reply.blob.subarray(at))],
  };
}

export async function revealContrast(
  client: Client,
  drill: string,
  commit: ContrastCommit,
  options?: CallOptions,
): Promise<ContrastReveal> {
  return (await client.call('contrast_reveal', { drill, commit }, options)).json as ContrastReveal;
}

export async function exportTrace(
  client: Client,
  drill: string,
  options?: CallOptions,
): Promise<ExportReply & { readonly bytes: Uint8Array }> {
  const request: ExportRequest = { drill, format: 'chrome_json' };
  const reply = await client.call('export', request, options);
  return { ...(reply.json as ExportReply), bytes: reply.blob };
}

export async function measureDrill(
  client: Client,
  request: MeasureRequest,
  options?: CallOptions,
): Promise<Measured> {
  return (await client.call('measure', request, options)).json as Measured;
}

/** A request may hold 1 MiB: so many of the newest attempts fit. */
const kMostAttempts = 2500;

export async function viewHistory(
  client: Client,
  attempts: readonly Attempt[],
  options?: CallOptions,
): Promise<HistoryView> {
  // Only what the views are made of: what the learner wrote stays in the page.
  const told = attempts
    .slice(-kMostAttempts)
    .map(({ cause, diagnosis, grades, elapsed_ms, timed, in_time, counts, confidence_percent }) => ({
      cause,
      diagnosis,
      grades,
      elapsed_ms,
      timed,
      in_time,
      counts,
      confidence_percent,
    }));
  return (await client.call('history', { attempts: told }, options)).json as HistoryView;
}
