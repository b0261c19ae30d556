// What one gets right, how fast, and what one takes for what. Every share has its count beside it.
import { useState } from 'preact/hooks';
import type { Attempt, AttemptStore } from '../client/attempts';
import type { Client } from '../client/client';
import type { Catalog, HistoryView } from '../client/messages';
import { AttemptList } from './attempt_list';
import { CauseTable, ConfidenceTable, PartTable } from './tables';
import { Matrix } from './matrix';
import { secondsText, shareText } from './text';
import { useHistory } from './use_history';

interface Props {
  readonly client: Client;
  readonly store: AttemptStore;
  readonly onNewTrace: () => void;
}

export function HistoryPage({ client, store, onNewTrace }: Props) {
  const history = useHistory(client, store);
  switch (history.phase) {
    case 'loading':
      return <main class="plain" aria-busy="true" />;
    case 'failed':
      return (
        <main class="plain">
          <section class="message" role="alert">
            <h1>The history is not to be had</h1>
            <p>{history.message}</p>
            <div class="acts">
              <button type="button" class="btn big" onClick={history.reload}>
                Try again
              </button>
            </div>
          </section>
        </main>
      );
    case 'offline':
      return <Offline attempts={history.attempts} reload={history.reload} />;
    case 'shown':
      if (history.attempts.length === 0) return <NoAttempts onNewTrace={onNewTrace} />;
      return <Shown {...history} store={store} reload={history.reload} />;
  }
}

const kNoTitles: ReadonlyMap<string, string> = new Map();

function Offline({ attempts, reload }: { attempts: readonly Attempt[]; reload: () => void }) {
  return (
    <main class="history">
      <header>
        <h1>History</h1>
      </header>
      <p class="notice-line" role="status">
        The trainer does not answer, and the tables are computed by it. The attempts are kept in this browser.{' '}
        <button type="button" class="btn" onClick={reload}>
          Try again
        </button>
      </p>
      <AttemptList attempts={attempts} titles={kNoTitles} />
    </main>
  );
}

function NoAttempts({ onNewTrace }: Pick<Props, 'onNewTrace'>) {
  return (
    <main class="plain">
      <section class="message">
        <h1>No attempts yet</h1>
        <p>
          Each drill that you commit to and reveal is kept here, on this machine: what it was, what you called
          it, how long it took and how sure you were.
        </p>
        <div class="acts">
          <button type="button" class="btn big primary" onClick={onNewTrace}>
            New trace <kbd>N</kbd>
          </button>
        </div>
      </section>
    </main>
  );
}

interface ShownProps {
  readonly attempts: readonly Attempt[];
  readonly view: HistoryView;
  readonly catalog: Catalog;
  readonly store: AttemptStore;
  readonly reload: () => void;
}

function Shown({ attempts, view, catalog, store, reload }: ShownProps) {
  return (
    <main class="history">
      <header>
        <h1>History</h1>
        <dl class="totals">
          <Total title="Attempts" value={String(view.attempts)} note={retriesText(view.retries)} />
          <Total title="Diagnosis right" value={shareText(view.right, view.attempts)} />
          <Total title="In time" value={shareText(view.in_time, view.attempts)} />
          <Total title="Median time" value={secondsText(view.median_ms)} note="clock on, no pause" />
        </dl>
      </header>
      {!store.isLasting && (
        <p class="notice-line" role="status">
          This browser keeps nothing for the page: the attempts are gone when it is closed.
        </p>
      )}
      <div class="history-grid">
        <div>
          <section aria-labelledby="by-cause">
            <h2 id="by-cause">By cause</h2>
            <CauseTable view={view} />
          </section>
          <section aria-labelledby="by-confidence">
            <h2 id="by-confidence">
              How sure, how right <small>calibrated: right as often as you said</small>
            </h2>
            <ConfidenceTable view={view} />
          </section>
        </div>
        <div>
          <section aria-labelledby="matrix">
            <h2 id="matrix">
              What is called what <small>rows: what it was; columns: your diagnosis</small>
            </h2>
            <Matrix view={view} titles={titlesOf(catalog)} />
          </section>
          <section aria-labelledby="by-part">
            <h2 id="by-part">Part by part</h2>
            <PartTable view={view} />
          </section>
        </div>
      </div>
      <AttemptList attempts={attempts} titles={titlesOf(catalog)} />
      {view.ignored.length > 0 && (
        <p class="muted">
          {view.ignored.length} kept {view.ignored.length === 1 ? 'attempt is' : 'attempts are'} not counted:
          the first {view.ignored[0]?.why}.
        </p>
      )}
      <Forget store={store} reload={reload} />
    </main>
  );
}

function retriesText(retries: number): string {
  if (retries === 0) return '';
  return `${retries} ${retries === 1 ? 'retry' : 'retries'} not counted`;
}

function titlesOf(catalog: Catalog): ReadonlyMap<string, string> {
  return new Map(catalog.diagnoses.map((one) => [one.id, one.title]));
}

function Total({ title, value, note }: { title: string; value: string; note?: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <b class="num">{value}</b>
        {note !== undefined && note !== '' && <small>{note}</small>}
      </dd>
    </div>
  );
}

// In two presses, for there is no way back.
function Forget({ store, reload }: Pick<ShownProps, 'store' | 'reload'>) {
  const [isAsked, setAsked] = useState(false);
  if (!isAsked) {
    return (
      <p class="forget">
        <button type="button" class="btn ghost" onClick={() => setAsked(true)}>
          Forget all attempts
        </button>
      </p>
    );
  }
  return (
    <p class="forget" role="alert">
      All attempts on this machine are forgotten for good.{' '}
      <button type="button" class="btn" onClick={() => setAsked(false)}>
        Keep them
      </button>{' '}
      <button type="button" class="btn" onClick={() => void store.clear().then(reload)}>
        Forget them
      </button>
    </p>
  );
}
