// The reveal: verdict, evidence, cause, fix and win, with the timeline moving to whatever is being spoken of.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Client } from '../../client/client';
import { fromWire } from '../../client/messages';
import { TimelineView, useUnfolded, type View } from '../../timeline';
import { ExportButton } from '../export_button';
import { NumbersText } from '../numbers_text';
import type { Shown } from '../state';
import { usePhone } from '../use_phone';
import type { Recording } from '../use_recorder';
import { BeforeAfter } from './before_after';
import { CauseCard, RanksCard, ReadCard, WinCard } from './cards';
import {
  bringIntoView,
  comparison,
  highlightsOf,
  lettersInOrder,
  rowsOf,
  shifted,
  stepToShow,
  windowOn,
} from './compare';
import { EvidenceList } from './evidence_list';
import { rankWords } from './rank_words';
import { Chip, VerdictTable } from './verdict_table';
import { YourMeasurement } from './your_measurement';
import { framesOfStop, hullOf, stopsOf, type Stop } from './walk';

interface Props {
  readonly client: Client;
  readonly state: Shown;
  readonly theme: string;
  readonly recording: Recording;
  readonly onRetry: () => void;
  readonly onNext: () => void;
}

export function RevealScreen({ client, state, theme, recording, onRetry, onNext }: Props) {
  const { opened, revealed } = state;
  const { truth, verdict } = revealed.reveal;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);

  const viewer = useRevealViewer(state);
  const diagnosis = verdict.parts.find((part) => part.id === 'diagnosis');
  return (
    <main class="reveal">
      <div class="rv-main">
        <header class="verdict">
          <Chip grade={diagnosis?.grade ?? 'missing'} />
          <div class="grow">
            <h1 ref={heading} tabIndex={-1}>
              {truth.headline}
            </h1>
            <p>{truth.summary}</p>
          </div>
          <div class="verdict-acts">
            {viewer.walkLabel !== '' && (
              <button type="button" class="btn walk-on" onClick={viewer.walkOn}>
                {viewer.walkLabel}
              </button>
            )}
            <button type="button" class="btn" onClick={viewer.toggleWhole}>
              {viewer.isWhole ? 'Before and after' : 'Whole trace'}
            </button>
          </div>
        </header>
        <WalkLine stop={viewer.stop} state={state} />
        {viewer.isWhole ? (
          <section class="rv-whole" aria-label="Whole trace">
            <TimelineView
              trace={opened.trace}
              view={viewer.view}
              onView={viewer.setView}
              openRanks={viewer.openRanks}
              onToggleRank={viewer.toggleRank}
              unfolded={viewer.unfolded}
              onUnfold={viewer.onUnfold}
              highlights={viewer.highlights}
              rankTitles={opened.drill.ranks}
              steps={opened.drill.steps.map(fromWire)}
              originNs={viewer.shown.step.beginNs}
              theme={theme}
            />
          </section>
        ) : (
          <>
            <BeforeAfter
              opened={opened}
              revealed={revealed}
              rows={viewer.rows}
              shown={viewer.shown}
              stepNumber={viewer.stepIndex + 1}
              window={viewer.window}
              onWindow={viewer.setWindow}
              highlights={viewer.highlights}
              theme={theme}
            />
            <div class="cards">
              <CauseCard truth={truth} />
              <WinCard
                truth={truth}
                predicted={verdict.parts.find((part) => part.id === 'win')?.yours || undefined}
              />
              {truth.ranks.length > 1 && (
                <RanksCard
                  truth={truth}
                  words={rankWords(opened.drill.facts_json, opened.trace.ranks[0]?.device ?? '')}
                />
              )}
              <ReadCard truth={truth} catalog={state.catalog} notes={state.notes} recording={recording} />
            </div>
          </>
        )}
      </div>
      <aside class="rv-side" aria-label="Your answer and the evidence">
        <header class="yours">
          <h2>Your answer</h2>
          <b class="mono">
            {verdict.right} of {verdict.of}
          </b>
        </header>
        <div class="scroll" tabIndex={-1}>
          <VerdictTable verdict={verdict} state={state} />
          <EvidenceList
            truth={truth}
            focused={viewer.focused}
            onFocusLetters={viewer.focusLetters}
            yours={<YourMeasurement client={client} state={state} />}
          />
          <p class="as-file">
            <ExportButton client={client} drill={state.drill} />
          </p>
        </div>
        <footer>
          <button
            type="button"
            class="btn big"
            onClick={onRetry}
            title="The same drill again; it does not count"
          >
            Retry
          </button>
          <button type="button" class="btn big primary grow" onClick={onNext}>
            Next trace <kbd>N</kbd>
          </button>
        </footer>
      </aside>
    </main>
  );
}

function titleOfStop({ id, letter }: Stop, { catalog }: Shown): string {
  const title = catalog.reading_order.find((one) => one.id === id)?.title ?? id;
  return letter === undefined ? title : `${title}, ${letter}`;
}

// What is being read, in the walk; it comes with the first stop and keeps its height, so that the timelines stand still.
function WalkLine({ stop, state }: { readonly stop: Stop | undefined; readonly state: Shown }) {
  return (
    <p class={stop === undefined ? 'visually-hidden' : 'walk'} role="status">
      {stop !== undefined && (
        <>
          <b>{titleOfStop(stop, state)}</b> <NumbersText text={stop.text} />
        </>
      )}
    </p>
  );
}

function useRevealViewer(state: Shown) {
  const { opened, revealed } = state;
  const { truth } = revealed.reveal;
  const { evidence } = truth;
  const stops = useMemo(() => stopsOf(truth), [truth]);
  const { drill, trace } = opened;
  const rows = useMemo(
    () => rowsOf(trace, [...evidence, ...truth.reading_order.flatMap((one) => one.spans)]),
    [trace, truth],
  );
  const stepIndex = stepToShow(drill.steps, evidence, drill.view);
  const shown = useMemo(
    () => comparison(drill.steps, revealed.reveal.fixed.steps, stepIndex, drill.view),
    [drill, revealed, stepIndex],
  );
  const [window, setWindow] = useState(shown.window);
  const [view, setView] = useState<View>(fromWire(drill.view));
  const [isWhole, setWhole] = useState(false);
  const [focused, setFocused] = useState<ReadonlySet<string>>(new Set(lettersInOrder(truth).slice(0, 1)));
  const [walk, setWalk] = useState(0);
  const folds = useUnfolded();
  const isPhone = usePhone();
  const [openRanks, setOpenRanks] = useState<ReadonlySet<number>>(
    new Set([...trace.ranks.slice(0, 1).map((one) => one.rank), ...evidence.map((one) => one.rank)]),
  );

  const focusLetters = (spoken: readonly string[]) => {
    setFocused(new Set(spoken));
    const [first] = evidence.filter((one) => spoken.includes(one.letter));
    if (first === undefined) return;
    setWindow((now) => bringIntoView(now, shown.step.beginNs, fromWire(first)));
    setView((now) => bringIntoView(now, 0, fromWire(first)));
  };
  const next = stops[walk];
  const stop = stops[walk - 1];
  const highlights = useMemo(
    () => [...highlightsOf(evidence, focused), ...framesOfStop(stop, stops)],
    [evidence, focused, stop, stops],
  );
  return {
    rows,
    stepIndex,
    shown,
    window,
    setWindow,
    view,
    setView,
    isWhole,
    toggleWhole: () => setWhole((whole) => !whole),
    focused,
    focusLetters,
    ...folds,
    openRanks,
    toggleRank: (rank: number) =>
      setOpenRanks((open) => {
        const changed = new Set(open);
        if (!changed.delete(rank)) changed.add(rank);
        return changed;
      }),
    stop,
    highlights,
    walkLabel: labelOf(stops.length, walk, next === undefined ? '' : titleOfStop(next, state)),
    walkOn: () => {
      const at = next === undefined ? 0 : walk;
      const { letter, spans = [] } = stops[at] ?? {};
      setWalk(at + 1);
      if (letter === undefined) {
        setFocused(new Set());
        // The step, closer where the line speaks of a small part of it.
        const hull = hullOf(spans) ?? shown.step;
        const window = windowOn(hull, shown);
        setWindow(window);
        setView(shifted(window, shown.step.beginNs));
        return;
      }
      focusLetters([letter]);
      if (isPhone) return; // the list stands below the timelines, and scrolling to it would lose them
      document.querySelector(`[data-letter="${CSS.escape(letter)}"]`)?.scrollIntoView({ block: 'nearest' });
    },
  };
}

function labelOf(count: number, walk: number, next: string): string {
  if (count === 0) return '';
  if (next === '') return 'Walk again';
  return walk === 0 ? 'Walk me through' : `Next: ${next}`;
}
