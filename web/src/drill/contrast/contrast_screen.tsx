// Two timelines on one scale and the form beside them; after the commit the verdict takes the form's place.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatMs } from '../../base/format';
import { fromWire, type Catalog, type ContrastCommit, type ContrastReveal } from '../../client/messages';
import type { OpenedContrast } from '../../client/client';
import type { ClientError } from '../../client/client_error';
import type { SliceRef } from '../../client/trace_model';
import { SelectionPanel, SlicePanel, TimelineView, useUnfolded, type Highlight } from '../../timeline';
import { highlightsOf, lettersInOrder, shifted, stepBracket } from '../reveal/compare';
import { ContrastForm } from './contrast_form';
import { ContrastVerdict } from './contrast_verdict';
import {
  firstWindow,
  kRunNames,
  kRuns,
  originOf,
  selectionIn,
  toShared,
  windowWith,
  type RunIndex,
  type SharedSelection,
} from './contrast_view';

interface Props {
  readonly catalog: Catalog;
  readonly opened: OpenedContrast;
  readonly isRevealing: boolean;
  readonly revealed: ContrastReveal | undefined;
  // Why the last commit was not answered; it may be sent again.
  readonly failure: ClientError | undefined;
  readonly theme: string;
  readonly onCommit: (commit: ContrastCommit) => void;
  readonly onNext: () => void;
}

interface Picked {
  readonly run: RunIndex;
  readonly slice: SliceRef;
}

export function ContrastScreen(props: Props) {
  const { catalog, opened, isRevealing, revealed, failure, theme, onCommit, onNext } = props;
  const { contrast, traces } = opened;
  const viewer = useTwoRuns(opened, revealed);
  const [side, setSide] = useState<ContrastCommit['side']>();
  const [diagnosis, setDiagnosis] = useState<string>();
  const sideBox = useRef<HTMLButtonElement>(null);
  const diagnosisBox = useRef<HTMLInputElement>(null);
  const whyNot =
    side === undefined ? 'Say which run.' : diagnosis === undefined ? 'Say what it has.' : undefined;
  const commit = () => {
    if (side !== undefined && diagnosis !== undefined && !isRevealing) onCommit({ side, diagnosis });
  };
  useContrastKeys((event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && revealed === undefined) commit();
    else if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    else if (revealed !== undefined && event.key.toLowerCase() === 'n') onNext();
    else if (event.key === '1') sideBox.current?.focus();
    else if (event.key === '2') diagnosisBox.current?.focus();
    else return false;
    return true;
  });

  const measures = (
    <div class="ct-measures">
      {viewer.selection !== undefined &&
        kRuns.map((run) => (
          <div key={run} class="ct-measure" role="group" aria-label={kRunNames[run]}>
            <h3>{kRunNames[run]}</h3>
            <SelectionPanel
              trace={traces[run]}
              openRanks={viewer.openRanks}
              selection={viewer.selectionOf(run)}
            />
          </div>
        ))}
      {viewer.picked !== undefined && (
        <div class="ct-measure" role="group" aria-label={kRunNames[viewer.picked.run]}>
          <h3>{kRunNames[viewer.picked.run]}</h3>
          <SlicePanel
            trace={traces[viewer.picked.run]}
            openRanks={viewer.openRanks}
            picked={viewer.picked.slice}
            onPick={(slice) => viewer.pick(viewer.picked?.run ?? 0, slice)}
            originNs={viewer.origins[viewer.picked.run]}
          />
        </div>
      )}
      {viewer.selection === undefined && viewer.picked === undefined && (
        <p class="ct-hint">
          Drag on the rows or a ruler: the same stretch is measured in both. Click a slice for its numbers.
        </p>
      )}
    </div>
  );
  return (
    <main class="contrast">
      <section class="prompt" aria-label="Prompt">
        {revealed === undefined && <h1 class="visually-hidden">Contrast {contrast.drill}</h1>}
        <p>
          Two runs of one job, each with noise of its own. At most one has something wrong; the other then is
          the same job with the fix applied. Say which, and what.
        </p>
        <dl class="facts">
          {contrast.facts.map((fact) => (
            <div key={fact.label}>
              <dt>{fact.label}</dt>
              <dd>{fact.value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section class="ct-runs" aria-label="Both runs">
        {kRuns.map((run) => (
          <section key={run} class="ct-run" aria-label={kRunNames[run]}>
            <h2>
              {kRunNames[run]} <small>{noteOf(run, revealed)}</small>
            </h2>
            <div class="ba-view">
              <TimelineView
                trace={traces[run]}
                view={shifted(viewer.window, viewer.origins[run])}
                onView={(view) => viewer.setWindow(shifted(view, -viewer.origins[run]))}
                openRanks={viewer.openRanks}
                onToggleRank={viewer.toggleRank}
                {...viewer.folds}
                selection={viewer.selectionOf(run)}
                onSelection={(selection) => viewer.select(run, selection)}
                picked={viewer.picked?.run === run ? viewer.picked.slice : undefined}
                onPick={(slice) => viewer.pick(run, slice)}
                compact
                originNs={viewer.origins[run]}
                highlights={viewer.highlightsOf(run)}
                brackets={contrast.runs[run].steps.map((step, index) =>
                  stepBracket(fromWire(step), `step ${index + 1}, ${formatMs(step.end_ns - step.begin_ns)}`),
                )}
                theme={theme}
                label={kRunNames[run]}
              />
            </div>
          </section>
        ))}
      </section>
      <aside class="ct-side" aria-label={revealed === undefined ? 'Commit' : 'Verdict'}>
        <div class="scroll" tabIndex={-1}>
          {revealed === undefined ? (
            <ContrastForm
              catalog={catalog}
              side={side}
              diagnosis={diagnosis}
              onSide={setSide}
              onDiagnosis={setDiagnosis}
              sideRef={sideBox}
              diagnosisRef={diagnosisBox}
            />
          ) : (
            <ContrastVerdict
              revealed={revealed}
              focused={viewer.focused}
              onFocusLetters={viewer.focusLetters}
            />
          )}
          {measures}
        </div>
        <footer>
          {failure !== undefined && <p role="alert">{failure.message}</p>}
          {revealed === undefined ? (
            <button
              type="button"
              class="btn primary big grow"
              aria-disabled={whyNot !== undefined || isRevealing}
              title={whyNot}
              onClick={commit}
            >
              {isRevealing ? 'Simulating' : 'Commit and reveal'} <kbd>Ctrl Enter</kbd>
            </button>
          ) : (
            <button type="button" class="btn primary big grow" onClick={onNext}>
              Next contrast <kbd>N</kbd>
            </button>
          )}
        </footer>
      </aside>
    </main>
  );
}

function noteOf(run: RunIndex, revealed: ContrastReveal | undefined): string {
  if (revealed === undefined) return '';
  if (revealed.faulty === 'neither') return 'healthy';
  return revealed.faulty === (['a', 'b'] as const)[run] ? 'with the fault' : 'the fix applied';
}

function useTwoRuns({ contrast, traces }: OpenedContrast, revealed: ContrastReveal | undefined) {
  const origins = useMemo(
    () => [originOf(contrast.runs[0]), originOf(contrast.runs[1])] as const,
    [contrast],
  );
  const [window, setWindow] = useState(() => firstWindow(contrast.runs));
  const [openRanks, setOpenRanks] = useState<ReadonlySet<number>>(
    new Set(traces[0].ranks.slice(0, 1).map((one) => one.rank)),
  );
  const [selection, setSelection] = useState<SharedSelection>();
  const [picked, setPicked] = useState<Picked>();
  const [focused, setFocused] = useState<ReadonlySet<string>>(new Set());
  const folds = useUnfolded();
  const evidence = revealed?.truth.evidence ?? [];
  const shownRun: RunIndex = revealed?.run === 'b' ? 1 : 0;

  // The ranks that the evidence lies on are opened, and the first sentence is framed.
  useEffect(() => {
    if (revealed === undefined) return;
    setOpenRanks((open) => new Set([...open, ...revealed.truth.evidence.map((one) => one.rank)]));
    setFocused(new Set(lettersInOrder(revealed.truth).slice(0, 1)));
  }, [revealed]);
  const highlights = useMemo(() => highlightsOf(evidence, focused), [evidence, focused]);
  const none: readonly Highlight[] = [];
  return {
    origins,
    window,
    setWindow,
    openRanks,
    toggleRank: (rank: number) =>
      setOpenRanks((open) => {
        const next = new Set(open);
        if (!next.delete(rank)) next.add(rank);
        return next;
      }),
    folds,
    selection,
    selectionOf: (run: RunIndex) => selection && selectionIn(selection, run, origins[run], traces),
    select: (run: RunIndex, next: Parameters<typeof toShared>[0] | undefined) =>
      setSelection(next && toShared(next, run, origins[run])),
    picked,
    pick: (run: RunIndex, slice: SliceRef | undefined) => setPicked(slice && { run, slice }),
    focused,
    focusLetters: (letters: readonly string[]) => {
      setFocused(new Set(letters));
      const first = evidence.find((one) => letters.includes(one.letter));
      if (first !== undefined) setWindow((now) => windowWith(now, origins[shownRun], fromWire(first)));
    },
    highlightsOf: (run: RunIndex) => (run === shownRun ? highlights : none),
  };
}

function isTyping(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest('input, textarea, dialog') !== null;
}

// `act` says whether the key meant something.
function useContrastKeys(act: (event: KeyboardEvent) => boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && latest.current(event)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
