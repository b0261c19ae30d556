// The attempts of this machine and the core's views over them.
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Attempt, AttemptStore } from '../client/attempts';
import { fetchCatalog, viewHistory, type Client } from '../client/client';
import { ClientError } from '../client/client_error';
import type { Catalog, HistoryView } from '../client/messages';

export type HistoryState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly message: string }
  // No trainer to compute the views: the attempts themselves are kept here.
  | { readonly phase: 'offline'; readonly attempts: readonly Attempt[] }
  | {
      readonly phase: 'shown';
      readonly attempts: readonly Attempt[];
      readonly view: HistoryView;
      readonly catalog: Catalog;
    };

export function useHistory(
  client: Client,
  store: AttemptStore,
): HistoryState & { readonly reload: () => void } {
  const [state, setState] = useState<HistoryState>({ phase: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const options = { signal: abort.signal };
    const load = async () => {
      const attempts = (await store.all()).map((one) => one.record);
      try {
        const [catalog, view] = await Promise.all([
          fetchCatalog(client, options),
          viewHistory(client, attempts, options),
        ]);
        setState({ phase: 'shown', attempts, view, catalog });
      } catch (error) {
        if (!(error instanceof ClientError) || error.code !== 'offline') throw error;
        setState({ phase: 'offline', attempts });
      }
    };
    load().catch((error: unknown) => {
      if (abort.signal.aborted) return;
      setState({ phase: 'failed', message: error instanceof Error ? error.message : String(error) });
    });
    return () => abort.abort();
  }, [client, store, round]);
  return { ...state, reload: useCallback(() => setRound((now) => now + 1), []) };
}
