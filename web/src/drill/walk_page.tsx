// The first time: one real drill, read aloud in the fixed order, committed to and revealed. Nothing is graded and nothing is
// kept; the truth is asked for at once, since there is no answer to guard.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { openDrill, fetchCatalog, revealDrill, type Client } from '../client/client';
import { ClientError } from '../client/client_error';
import { fromWire, type Catalog, type Reveal } from '../client/messages';
import type { OpenedDrill } from '../client/client';
import { TimelineView, useUnfolded, type View } from '../timeline';
import { NumbersText } from './numbers_text';
import { ErrorPanel, LoadingPanel } from './panels';
import { bringIntoView, highlightsOf, windowOn, comparison, shifted } from './reveal/compare';
import { framesOfStop, hullOf } from './reveal/walk';
import { stationsOf, type Station } from './walk_stations';

// A straggler: the other ranks are what it teaches to look at.
const kDrill = 'first.1/2';

interface Props {
  readonly client: Client;
  readonly theme: string;
  readonly onNewTrace: () => void;
}

interface Loaded {
  readonly catalog: Catalog;
  readonly opened: OpenedDrill;
  readonly reveal: Reveal;
}

export function WalkPage({ client, theme, onNewTrace }: Props) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<ClientError>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const options = { signal: abort.signal };
    const asked = { diagnosis: 'inconclusive', elapsed_ms: 0, paused: false };
    Promise.all([
      fetchCatalog(client, options),
      openDrill(client, kDrill, options),
      revealDrill(client, kDrill, asked, options),
    ])
      .then(([catalog, opened, { reveal }]) => setLoaded({ catalog, opened, reveal }))
      .catch((caught: unknown) => {
        if (abort.signal.aborted) return;
        setError(caught instanceof ClientError ? caught : new ClientError('internal', String(caught)));
      });
    return () => abort.abort();
  }, [client, round]);
  const retry = () => {
    setError(undefined);
    setRound(round + 1);
  };
  if (error !== undefined)
    return <ErrorPanel error={error} drill={kDrill} onRetry={retry} onNext={onNewTrace} />;
  if (loaded === undefined) return <LoadingPanel drill={kDrill} />;
  return <Walk {...loaded} theme={theme} onNewTrace={onNewTrace} />;
}

type WalkProps = Loaded & Pick<Props, 'theme' | 'onNewTrace'>;

function Walk({ catalog, opened, reveal, theme, onNewTrace }: WalkProps) {
  const { drill, trace } = opened;
  const { truth } = reveal;
  const stations = useMemo(() => stationsOf(catalog, drill, truth, trace), [catalog, drill, truth, trace]);
  const [at, setAt] = useState(0);
  const shown = useMemo(() => comparison(drill.steps, reveal.fixed.steps, 0, drill.view), [drill, reveal]);
  const [view, setView] = useState<View>(fromWire(drill.view));
  const [openRanks, setOpenRanks] = useState<ReadonlySet<number>>(
    new Set(trace.ranks.slice(0, 1).map((one) => one.rank)),
  );
  const folds = useUnfolded();
  const station = stations[at];
  const go = (index: number) => {
    const next = stations[index];
    if (next === undefined) return;
    setAt(index);
    setOpenRanks((open) => new Set([...open, ...next.spans.map((span) => span.rank)]));
    const hull = hullOf(next.spans);
    setView(
      hull === undefined
        ? fromWire(drill.view)
        : bringIntoView(shifted(windowOn(hull, shown), shown.step.beginNs), 0, hull),
    );
  };
  const toggleRank = (rank: number) => {
    setOpenRanks((open) => {
      const next = new Set(open);
      if (!next.delete(rank)) next.add(rank);
      return next;
    });
  };
  if (station === undefined) return null;
  return (
    <main class="drill" data-panel="reading">
      <h1 class="visually-hidden">A walked example</h1>
      <section class="prompt" aria-label="Prompt" tabIndex={0} data-on={station.id === 'prompt'}>
        <p>
          <NumbersText text={drill.prompt} />
        </p>
        <dl class="facts">
          {drill.facts.map((fact) => (
            <div key={fact.label}>
              <dt>{fact.label}</dt>
              <dd>{fact.value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section class="stage" aria-label="Timeline">
        <TimelineView
          trace={trace}
          view={view}
          onView={setView}
          openRanks={openRanks}
          onToggleRank={toggleRank}
          {...folds}
          highlights={[
            ...framesOfStop(
              station,
              stations.filter((one) => one.spans.length > 0),
            ),
            ...(station.id === 'compare' ? highlightsOf(truth.evidence, new Set()) : []),
          ]}
          rankTitles={drill.ranks}
          steps={drill.steps.map(fromWire)}
          originNs={shown.step.beginNs}
          theme={theme}
        />
      </section>
      <aside class="side" data-sheet="half" aria-label="The walk">
        <header>
          <h2>A walked example</h2>
          <span class="grow" />
          <small>
            {at + 1} of {stations.length}
          </small>
        </header>
        <div class="scroll" tabIndex={-1}>
          <Stations stations={stations} at={at} onGo={go} />
        </div>
        <footer>
          <div class="acts">
            <button type="button" class="btn big" aria-disabled={at === 0} onClick={() => go(at - 1)}>
              Back
            </button>
            {at + 1 < stations.length ? (
              <button type="button" class="btn primary big grow" onClick={() => go(at + 1)}>
                Next: {stations[at + 1]?.title}
              </button>
            ) : (
              <button type="button" class="btn primary big grow" onClick={onNewTrace}>
                Your turn: new trace <kbd>N</kbd>
              </button>
            )}
          </div>
        </footer>
      </aside>
    </main>
  );
}

interface StationsProps {
  readonly stations: readonly Station[];
  readonly at: number;
  readonly onGo: (index: number) => void;
}

function Stations({ stations, at, onGo }: StationsProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <ol class="order stations" aria-live="polite" ref={list}>
      {stations.map((one, index) => (
        <li
          key={one.id}
          class={index < at ? 'done' : index === at ? 'now' : ''}
          aria-current={index === at ? 'step' : undefined}
        >
          <button type="button" class="station" onClick={() => onGo(index)}>
            <span class="box" aria-hidden="true">
              {index < at ? '\u2713' : index + 1}
            </span>
            <b>{one.title}</b>
          </button>
          {index === at && (
            <>
              <p class="teaches">{one.teaches}</p>
              {one.text !== '' && (
                <p>
                  <NumbersText text={one.text} />
                </p>
              )}
              {one.rows.length > 0 && (
                <dl class="locked">
                  {one.rows.map(([title, value]) => (
                    <div key={title}>
                      <dt>{title}</dt>
                      <dd>
                        <NumbersText text={value} />
                      </dd>
                    </div>
                  ))}
                </dl>
              )}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
