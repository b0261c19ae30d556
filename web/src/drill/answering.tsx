// Prompt, timeline and side panel while the trace is being read, answered and committed.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatDuration } from '../base/format';
import type { Client } from '../client/client';
import { fromWire, type Fact, type MeasurementOption } from '../client/messages';
import {
  SelectionPanel,
  SlicePanel,
  TimelineDetails,
  TimelineView,
  type TimelineDetailsProps,
} from '../timeline';
import type { Clock } from './clock';
import { CommitForm } from './commit_form';
import { CommittedPanel } from './committed_panel';
import { ExportButton } from './export_button';
import { whyNotYet } from './form';
import { NumbersText } from './numbers_text';
import { MeasurePanel } from './measure_panel';
import type { Mode } from './mode';
import { PerfettoScreen } from './perfetto_screen';
import { markOf, placeOf } from './place';
import { RecordButton } from './record_button';
import type { Recorder } from './use_recorder';
import { ReadingChips, ReadingOrder } from './reading_order';
import type { Answering, AttemptEvent, Committed, Revealing } from './state';
import { usePhone } from './use_phone';
import type { Viewer } from './use_viewer';

interface Props {
  readonly client: Client;
  readonly state: Answering | Committed | Revealing;
  readonly dispatch: (event: AttemptEvent) => void;
  readonly viewer: Viewer;
  readonly theme: string;
  readonly mode: Mode;
  readonly onClockMode: (mode: Clock['mode']) => void;
  readonly onBuy: (option: MeasurementOption) => void;
  readonly recorder: Recorder;
}

export function AnsweringScreen(props: Props) {
  const { client, state, dispatch, viewer, theme, mode } = props;
  const { drill, trace } = state.opened;
  const isBlind = mode === 'blind';
  const isPhone = usePhone();
  const place = state.form.place;
  const steps = drill.steps.map(fromWire);
  const originNs = steps.find((step) => step.beginNs >= drill.view.begin_ns)?.beginNs ?? drill.view.begin_ns;
  const isFormOpen = state.phase === 'answering' && state.panel === 'commit';
  const stage = useRef<HTMLElement>(null);
  const wasFormOpen = useRef(isFormOpen);
  useLayoutEffect(() => {
    if (wasFormOpen.current && !isFormOpen && state.phase === 'answering')
      stage.current?.focus({ preventScroll: true });
    wasFormOpen.current = isFormOpen;
  }, [isFormOpen, state.phase]);

  const tick = (item: string) => {
    const selection = viewer.selection;
    const figure = selection === undefined ? '' : formatDuration(selection.endNs - selection.beginNs);
    dispatch({ type: 'tick_item', item, figure });
  };
  const details = {
    trace,
    openRanks: viewer.openRanks,
    selection: viewer.selection,
    picked: viewer.picked,
    onPick: viewer.setPicked,
    originNs,
    selectionNote: <SelectionNote {...props} />,
    showNames: !isBlind,
  };
  const chips = <ReadingChips items={state.catalog.reading_order} ticked={state.ticked} onTick={tick} />;
  if (mode === 'perfetto') {
    const answer = <AnswerPanel {...props} />;
    return <PerfettoScreen client={client} state={state} dispatch={dispatch} answer={answer} />;
  }
  // A file holds the names that a blind drill hides.
  const exportButton = isBlind ? null : <ExportButton client={client} drill={drill.drill} />;
  return (
    <main class="drill" data-panel={isFormOpen ? 'commit' : 'reading'}>
      <h1 class="visually-hidden">Drill {drill.drill}</h1>
      {(!isPhone || !isFormOpen) && (
        <section class="prompt" aria-label="Prompt" {...(isPhone ? { tabIndex: 0 } : {})}>
          <p>
            {isBlind ? (
              'Shapes alone: prompt and names come with the reveal.'
            ) : (
              <NumbersText text={drill.prompt} />
            )}
          </p>
          {!isPhone && !isBlind && <Facts facts={drill.facts} />}
        </section>
      )}
      <section class="stage" aria-label="Timeline" ref={stage} tabIndex={-1}>
        {isPhone && !isFormOpen && chips}
        <TimelineView
          trace={trace}
          view={viewer.view}
          onView={viewer.setView}
          openRanks={viewer.openRanks}
          onToggleRank={viewer.toggleRank}
          unfolded={viewer.unfolded}
          onUnfold={viewer.onUnfold}
          selection={viewer.selection}
          onSelection={viewer.setSelection}
          picked={viewer.picked}
          onPick={viewer.setPicked}
          place={place === undefined ? undefined : markOf(place)}
          rankTitles={isBlind ? drill.ranks.map(({ rank }) => ({ rank, title: '' })) : drill.ranks}
          showNames={!isBlind}
          steps={steps}
          originNs={originNs}
          theme={theme}
          actions={isBlind ? null : <ExportButton client={client} drill={drill.drill} isShort />}
        />
        {!isPhone && <TimelineDetails {...details} />}
      </section>
      <SidePanel
        {...props}
        isPhone={isPhone}
        onTick={tick}
        sheet={(size) => <SheetDetails {...details} isPeek={size === 'peek'} />}
        exportButton={exportButton}
      />
    </main>
  );
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}

// A phone's sheet at peek shows what there is, or in one line how to get it: the rows keep the screen.
function SheetDetails(props: TimelineDetailsProps & { readonly isPeek: boolean }) {
  const { isPeek, selection, picked } = props;
  if (isPeek && selection === undefined && picked === undefined)
    return <p class="peek-hint">Tap a slice; press long and drag to measure.</p>;
  return (
    <>
      {(!isPeek || selection !== undefined) && <SelectionPanel {...props} />}
      {(!isPeek || picked !== undefined) && <SlicePanel {...props} />}
    </>
  );
}

function SelectionNote({ state, dispatch, viewer }: Props) {
  const selection = viewer.selection;
  const place = selection === undefined ? undefined : placeOf(selection, state.opened.trace);
  if (place === undefined || state.phase !== 'answering') return null;
  const marked = state.form.place;
  const isMarked =
    marked !== undefined &&
    marked.rank === place.rank &&
    marked.track === place.track &&
    marked.begin_ns === place.begin_ns &&
    marked.end_ns === place.end_ns;
  if (isMarked) return <span class="muted">marked as place</span>;
  return (
    <button type="button" class="link" onClick={() => dispatch({ type: 'enter', form: { place } })}>
      mark as place <kbd>P</kbd>
    </button>
  );
}

interface SideProps extends Props {
  readonly isPhone: boolean;
  readonly sheet: (size: Sheet) => ComponentChildren;
  // The timeline's toolbar has it on a desktop; a phone has no toolbar.
  readonly exportButton: ComponentChildren;
  readonly onTick: (item: string) => void;
}

type Sheet = 'peek' | 'half' | 'full';
const kNextSheet = { peek: 'half', half: 'full', full: 'peek' } as const;

function SidePanel(props: SideProps) {
  const { state, isPhone } = props;
  const [sheet, setSheet] = useState<Sheet>('peek');
  const isForm = state.phase !== 'answering' || state.panel === 'commit';
  useEffect(() => setSheet(isForm ? 'half' : 'peek'), [isForm]);
  return (
    <aside
      class="side"
      data-sheet={sheet}
      aria-label={isForm ? 'Commit' : 'Reading order and commit'}
      // The form keeps its keys to itself: Esc goes back to the timeline and does not also clear the selection.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || state.phase !== 'answering' || !isForm) return;
        event.stopPropagation();
        event.preventDefault();
        props.dispatch({ type: 'to_timeline' });
      }}
    >
      {isPhone && (
        <button
          type="button"
          class="grab"
          aria-label={`Panel: ${sheet}; make it ${kNextSheet[sheet]}`}
          onClick={() => setSheet(kNextSheet[sheet])}
        >
          <i aria-hidden="true" />
        </button>
      )}
      {isForm ? <AnswerPanel {...props} /> : <ReadingPanel {...props} sheetSize={sheet} />}
    </aside>
  );
}

function AnswerPanel({ state, dispatch, viewer, recorder, mode }: Props) {
  if (state.phase !== 'answering')
    return <CommittedPanel state={state} dispatch={dispatch} recorder={recorder} />;
  const selection = viewer.selection;
  const why = whyNotYet(state.form, state.catalog);
  return (
    <>
      <header>
        <h2>Commit</h2>
        <span class="grow" />
        <small>1 is enough; each part counts</small>
      </header>
      <div class="scroll">
        <CommitForm
          catalog={state.catalog}
          trace={state.opened.trace}
          form={state.form}
          selection={selection === undefined ? undefined : placeOf(selection, state.opened.trace)}
          isPlaceTyped={mode === 'perfetto'}
          part={state.part}
          focusCount={state.focusCount}
          onEnter={(form) => dispatch({ type: 'enter', form })}
        />
      </div>
      <footer>
        <div class="acts">
          {mode !== 'perfetto' && (
            <button
              type="button"
              class="btn big only-phone"
              onClick={() => dispatch({ type: 'to_timeline' })}
            >
              Timeline
            </button>
          )}
          <button
            type="button"
            class="btn primary big grow"
            aria-disabled={why !== undefined}
            title={why}
            aria-describedby="commit-why"
            onClick={() => dispatch({ type: 'commit', nowMs: performance.now() })}
          >
            Commit <kbd>Ctrl Enter</kbd>
          </button>
        </div>
        <small class="hints only-desk" id="commit-why">
          {why === undefined || state.form.diagnosis === undefined ? (
            <>
              <span>
                <kbd>Tab</kbd> next part
              </span>
              {mode !== 'perfetto' && (
                <span>
                  <kbd>Esc</kbd> timeline
                </span>
              )}
            </>
          ) : (
            <span>{why}</span>
          )}
        </small>
      </footer>
    </>
  );
}

interface ReadingPanelProps extends SideProps {
  readonly sheetSize: Sheet;
}

function ReadingPanel(props: ReadingPanelProps) {
  const { state, dispatch, isPhone, sheet, exportButton, sheetSize, onTick, onClockMode, mode } = props;
  if (state.phase !== 'answering') return null;
  const isFree = state.clock.mode === 'free';
  return (
    <>
      {!isPhone && (
        <header>
          <h2>Reading order</h2>
          <span class="grow" />
          <small>read it out loud</small>
        </header>
      )}
      <div class="scroll" tabIndex={-1}>
        {isPhone && sheet(sheetSize)}
        {(!isPhone || sheetSize !== 'peek') && (
          <>
            {isPhone && mode !== 'blind' && <Facts facts={state.opened.drill.facts} />}
            <ReadingOrder items={state.catalog.reading_order} ticked={state.ticked} onTick={onTick} />
            <MeasurePanel options={state.catalog.measurements} bought={state.bought} onBuy={props.onBuy} />
            <RecordButton recorder={props.recorder} />
            <div class="switch-row">
              <button
                type="button"
                role="switch"
                class="switch"
                aria-checked={isFree}
                onClick={() => onClockMode(isFree ? 'limit' : 'free')}
              >
                <i aria-hidden="true" />
                No clock
              </button>
              <small>counts up; only the grade for time is lost</small>
            </div>
            {isPhone && exportButton !== null && <p class="as-file">{exportButton}</p>}
          </>
        )}
      </div>
      <footer>
        <button
          type="button"
          class="btn primary big"
          onClick={() => dispatch({ type: 'to_part', part: state.part })}
        >
          Commit <kbd>Enter</kbd>
        </button>
      </footer>
    </>
  );
}
