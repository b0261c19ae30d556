// After the commit: the answer as it was locked, and the way to the reveal.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { elapsedMs, formatSeconds } from './clock';
import { asksNumber, chosenDiagnosis } from './form';
import { placeText } from './place';
import { RecordButton } from './record_button';
import type { AttemptEvent, Committed, Revealing } from './state';
import type { Recorder } from './use_recorder';

interface Props {
  readonly state: Committed | Revealing;
  readonly dispatch: (event: AttemptEvent) => void;
  readonly recorder: Recorder;
}

export function CommittedPanel({ state, dispatch, recorder }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  const isBusy = state.phase === 'revealing';
  const error = state.phase === 'committed' ? state.error : undefined;
  return (
    <>
      <header>
        <h2>Committed</h2>
        <span class="grow" />
        <small>{timeNote(state)}</small>
      </header>
      <div class="scroll" tabIndex={-1}>
        <dl class="locked">
          {answerRows(state).map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd class={value === undefined ? 'muted' : ''}>{value ?? 'not given'}</dd>
            </div>
          ))}
        </dl>
        <p class="locked-note">The answer is locked. Say the read out loud once more, then compare.</p>
        <Notes state={state} dispatch={dispatch} />
        <RecordButton recorder={recorder} />
        {error !== undefined && (
          <p class="field-error" role="alert">
            <span aria-hidden="true">✕</span> Not revealed: {error.message} Your answer is kept.
          </p>
        )}
      </div>
      <footer>
        <button
          ref={button}
          type="button"
          class="btn primary big"
          aria-disabled={isBusy}
          onClick={() => dispatch({ type: 'reveal' })}
        >
          {isBusy ? 'Running the job with the fix applied\u2026' : 'Reveal'} {!isBusy && <kbd>R</kbd>}
        </button>
      </footer>
    </>
  );
}

// Both may stay empty. What the measurement prints is said before it is made.
function Notes({ state, dispatch }: Pick<Props, 'state' | 'dispatch'>) {
  const { catalog, form, notes } = state;
  const measurement = catalog.measurements.find((one) => one.id === form.measurement);
  const isLocked = state.phase !== 'committed';
  return (
    <div class="notes">
      {measurement !== undefined && (
        <label>
          <b>What will it print?</b> <span class="muted">{measurement.title}; it is made at the reveal</span>
          <textarea
            class="input"
            rows={2}
            maxLength={400}
            readOnly={isLocked}
            value={notes.prints}
            onInput={(event) => dispatch({ type: 'note', notes: { prints: event.currentTarget.value } })}
          />
        </label>
      )}
      <label>
        <b>The read, in your words</b> <span class="muted">kept with the attempt, on this machine</span>
        <textarea
          class="input"
          rows={3}
          maxLength={2000}
          readOnly={isLocked}
          value={notes.spoken}
          onInput={(event) => dispatch({ type: 'note', notes: { spoken: event.currentTarget.value } })}
        />
      </label>
    </div>
  );
}

function timeNote(state: Committed | Revealing): string {
  const time = formatSeconds(Math.floor(elapsedMs(state.clock, 0) / 1000));
  if (state.clock.mode === 'free') return `after ${time}, no clock`;
  return `at ${time}${state.inTime ? '' : ', a miss'}${state.clock.wasPaused ? ', paused' : ''}`;
}

function answerRows({
  catalog,
  form,
  commit,
  opened,
}: Committed | Revealing): [string, string | undefined][] {
  const diagnosis = chosenDiagnosis(form, catalog);
  const titleOf = (list: readonly { id: string; title: string }[], id: string | undefined) =>
    list.find((entry) => entry.id === id)?.title;
  const rows: [string, string | undefined][] = [
    ['Diagnosis', diagnosis?.title],
    ['Place', form.place === undefined ? undefined : placeText(form.place, opened.trace)],
    ['Measurement', titleOf(catalog.measurements, form.measurement)],
    ['Fix', titleOf(catalog.fixes, form.fix)],
    ['Win', !commit.win ? undefined : `${commit.win.value} ${commit.win.unit === 'ms' ? 'ms' : '%'}`],
    ['Confidence', form.confidencePercent === undefined ? undefined : `${form.confidencePercent} %`],
  ];
  if (diagnosis !== undefined && asksNumber(diagnosis)) {
    const number =
      typeof commit.number !== 'number' ? undefined : `${commit.number} ${diagnosis.deciding_unit ?? ''}`;
    rows.splice(2, 0, ['Number', number]);
  }
  return rows;
}
