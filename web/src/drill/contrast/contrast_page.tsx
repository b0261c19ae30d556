// A contrast from the call that opens it to the reveal.
import { useEffect, useState } from 'preact/hooks';
import {
  fetchCatalog,
  openContrast,
  revealContrast,
  type Client,
  type OpenedContrast,
} from '../../client/client';
import { ClientError } from '../../client/client_error';
import type { Catalog, ContrastCommit, ContrastReveal } from '../../client/messages';
import { ErrorPanel, LoadingPanel } from '../panels';
import { ContrastScreen } from './contrast_screen';

interface Props {
  readonly client: Client;
  readonly drill: string;
  readonly theme: string;
  readonly onNext: () => void;
}

interface Loaded {
  readonly catalog: Catalog;
  readonly opened: OpenedContrast;
}

const asError = (caught: unknown): ClientError =>
  caught instanceof ClientError ? caught : new ClientError('internal', String(caught));

export function ContrastPage({ client, drill, theme, onNext }: Props) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<ClientError>();
  const [round, setRound] = useState(0);
  const [commit, setCommit] = useState<ContrastCommit>();
  const [revealed, setRevealed] = useState<ContrastReveal>();
  const [failure, setFailure] = useState<ClientError>();

  useEffect(() => {
    const abort = new AbortController();
    const options = { signal: abort.signal };
    Promise.all([fetchCatalog(client, options), openContrast(client, drill, options)])
      .then(([catalog, opened]) => setLoaded({ catalog, opened }))
      .catch((caught: unknown) => {
        if (!abort.signal.aborted) setError(asError(caught));
      });
    return () => abort.abort();
  }, [client, drill, round]);

  useEffect(() => {
    if (commit === undefined) return undefined;
    const abort = new AbortController();
    revealContrast(client, drill, commit, { signal: abort.signal })
      .then(setRevealed)
      .catch((caught: unknown) => {
        if (abort.signal.aborted) return;
        setFailure(asError(caught));
        setCommit(undefined);
      });
    return () => abort.abort();
  }, [client, drill, commit]);

  if (error !== undefined) {
    const retry = () => {
      setError(undefined);
      setRound(round + 1);
    };
    return <ErrorPanel error={error} drill={drill} onRetry={retry} onNext={onNext} />;
  }
  if (loaded === undefined) return <LoadingPanel drill={drill} />;
  return (
    <ContrastScreen
      {...loaded}
      isRevealing={commit !== undefined && revealed === undefined}
      revealed={revealed}
      failure={failure}
      theme={theme}
      onCommit={(next) => {
        setFailure(undefined);
        setCommit(next);
      }}
      onNext={onNext}
    />
  );
}
