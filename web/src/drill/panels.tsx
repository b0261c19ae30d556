// The page while there is no trace on it: loading, and what to do when that failed.
import { useEffect, useState } from 'preact/hooks';
import { shorten } from '../base';
import type { ClientError } from '../client/client_error';

const kQuietMs = 300;

export function LoadingPanel({ drill }: { readonly drill: string }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), kQuietMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main class="plain" aria-busy="true">
      {isSlow && (
        <section class="message" role="status">
          <h1>Simulating the job</h1>
          <p>
            Every rank of <span class="mono">{shorten(drill)}</span> is run from its seed. The clock has not
            started.
          </p>
          <div class="progress" role="progressbar" aria-label="Simulating the job">
            <i />
          </div>
        </section>
      )}
    </main>
  );
}

interface ErrorProps {
  readonly error: ClientError;
  readonly drill: string;
  readonly onRetry: () => void;
  readonly onNext: () => void;
}

export function ErrorPanel({ error, drill, onRetry, onNext }: ErrorProps) {
  // Only these say that the drill itself is not one; everything else may go better at the next try.
  const isOurs = !['invalid_argument', 'malformed', 'not_found', 'unsupported'].includes(error.code);
  return (
    <main class="plain">
      <section class="message" role="alert">
        <h1>
          <span class="mono">{shorten(drill)}</span>: {isOurs ? 'not opened' : 'no such drill'}
        </h1>
        <p>{shorten(error.message, 600)}</p>
        {error.code === 'offline' && (
          <p>
            Until then: <a href="#/history">your attempts</a> and the <a href="#/reference">reference</a> are
            kept in this browser.
          </p>
        )}
        {/[/.]/.test(error.where) && <p class="where mono">{error.where}</p>}
        <div class="acts">
          {isOurs && (
            <button type="button" class="btn big" onClick={onRetry}>
              Try again
            </button>
          )}
          <button type="button" class="btn big primary" onClick={onNext}>
            New trace <kbd>N</kbd>
          </button>
          <a class="btn big ghost" href="#/">
            Home
          </a>
        </div>
      </section>
    </main>
  );
}
