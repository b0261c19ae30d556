// One drill: runs the attempt's effects (open, reveal, export, keys) and shows the screen of its phase.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { shorten } from '../base';
import type { AttemptStore } from '../client/attempts';
import { fetchCatalog, measureDrill, openDrill, revealDrill, type Client } from '../client/client';
import { ClientError } from '../client/client_error';
import type { MeasurementOption } from '../client/messages';
import { AnsweringScreen } from './answering';
import type { Clock } from './clock';
import { ClockView } from './clock_view';
import { ErrorPanel, LoadingPanel } from './panels';
import { actOf, pressOf } from './keys';
import type { Mode } from './mode';
import { placeOf } from './place';
import { RevealScreen } from './reveal/reveal_screen';
import { loading, pauseEvent, reduce, type State } from './state';
import { useKeepAttempt } from './use_attempts';
import { useRecorder } from './use_recorder';
import { useViewer } from './use_viewer';

export interface DrillPageProps {
  readonly client: Client;
  readonly attempts: AttemptStore;
  readonly drill: string;
  readonly mode: Mode;
  readonly clockMode: Clock['mode'];
  readonly onClockMode: (mode: Clock['mode']) => void;
  // Changes with light and dark.
  readonly theme: string;
  readonly onNext: () => void;
  // Puts the page under the top bar, with `bar` (permalink, clock) in it.
  readonly frame: (bar: ComponentChildren, page: ComponentChildren) => JSX.Element;
}

const now = (): number => performance.now();

export function toClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  return new ClientError('internal', error instanceof Error ? error.message : String(error));
}

export function DrillPage(props: DrillPageProps) {
  const { client, attempts, drill, mode, clockMode, onClockMode, theme, onNext, frame } = props;
  const [state, dispatch] = useReducer(reduce, loading(drill, clockMode));
  const viewer = useViewer(state);
  const recorder = useRecorder();
  useKeepAttempt(attempts, state, mode);

  useEffect(() => {
    if (state.phase !== 'loading') return undefined;
    const abort = new AbortController();
    const options = { signal: abort.signal };
    Promise.all([fetchCatalog(client, options), openDrill(client, state.drill, options)])
      .then(([catalog, opened]) => {
        // The reply is in memory; the clock starts with the frame in which it is on screen.
        requestAnimationFrame(() => {
          if (!abort.signal.aborted) dispatch({ type: 'opened', catalog, opened, nowMs: now() });
        });
      })
      .catch((error: unknown) => {
        if (!abort.signal.aborted) dispatch({ type: 'failed', error: toClientError(error) });
      });
    return () => abort.abort();
  }, [state.phase, client]);

  useEffect(() => {
    if (state.phase !== 'revealing') return undefined;
    const abort = new AbortController();
    revealDrill(client, state.drill, state.commit, { signal: abort.signal })
      .then((revealed) => dispatch({ type: 'revealed', revealed }))
      .catch((error: unknown) => {
        if (!abort.signal.aborted) dispatch({ type: 'failed', error: toClientError(error) });
      });
    return () => abort.abort();
  }, [state.phase]);

  const buy = (option: MeasurementOption) => {
    const priceMs = (option.price_s ?? 0) * 1000;
    const { id } = option;
    dispatch({ type: 'buy', id, priceMs });
    measureDrill(client, { drill: state.drill, measurement: id })
      .then((measured) => dispatch({ type: 'measured', measured }))
      .catch((error: unknown) => {
        dispatch({ type: 'not_measured', id, priceMs, message: toClientError(error).message });
      });
  };
  const retry = () => dispatch({ type: 'again' });
  useDrillKeys({ state, dispatch, selection: viewer.selection, onNext });

  const bar = <Bar state={state} dispatch={dispatch} />;
  switch (state.phase) {
    case 'loading':
      return frame(bar, <LoadingPanel drill={state.drill} />);
    case 'failed':
      return frame(
        bar,
        <ErrorPanel error={state.error} drill={state.drill} onRetry={retry} onNext={onNext} />,
      );
    case 'revealed':
      return frame(
        bar,
        <RevealScreen
          client={client}
          state={state}
          theme={theme}
          recording={recorder.recording}
          onRetry={retry}
          onNext={onNext}
        />,
      );
    default:
      return frame(
        bar,
        <AnsweringScreen
          client={client}
          state={state}
          dispatch={dispatch}
          viewer={viewer}
          theme={theme}
          mode={mode}
          recorder={recorder}
          onBuy={buy}
          onClockMode={(next) => {
            onClockMode(next);
            dispatch({ type: 'clock_mode', mode: next });
          }}
        />,
      );
  }
}

type Dispatch = (event: Parameters<typeof reduce>[1]) => void;

function Bar({ state, dispatch }: { readonly state: State; readonly dispatch: Dispatch }) {
  return (
    <>
      <Permalink drill={state.drill} />
      {'clock' in state && (
        <ClockView
          key={state.drill}
          clock={state.clock}
          now={now}
          onPauseOrGoOn={
            state.phase === 'answering' ? () => dispatch(pauseEvent(state.clock, now())) : undefined
          }
        />
      )}
    </>
  );
}

export function Permalink({ drill }: { readonly drill: string }) {
  const [note, setNote] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setNote('Link copied');
    } catch {
      setNote('Not copied: the browser does not allow it. The address bar has the link.');
    }
  };
  useEffect(() => {
    if (note === '') return undefined;
    const timer = setTimeout(() => setNote(''), 2500);
    return () => clearTimeout(timer);
  }, [note]);
  return (
    <div class="perma" role="group" aria-label="This drill">
      <span class="mono" title="Deck, its version, seed: the same trace for everybody">
        {shorten(drill)}
      </span>
      <button
        type="button"
        aria-label="Copy the link to this drill"
        title="Copy the link"
        onClick={() => void copy()}
      >
        <svg class="icon-14" viewBox="0 0 14 14" aria-hidden="true">
          {note === 'Link copied' ? (
            <path d="M2.5 7.5l3 3 6-7" />
          ) : (
            <path d="M5.5 8.5l3-3M6 4l1.6-1.6a2.5 2.5 0 013.5 3.5L9.5 7.5M8 10l-1.6 1.6a2.5 2.5 0 01-3.5-3.5L4.5 6.5" />
          )}
        </svg>
      </button>
      <span class="visually-hidden" role="status">
        {note}
      </span>
    </div>
  );
}

interface KeysOf {
  readonly state: State;
  readonly dispatch: Dispatch;
  readonly selection: ReturnType<typeof useViewer>['selection'];
  readonly onNext: () => void;
}

function useDrillKeys(latest: KeysOf): void {
  const held = useRef(latest);
  held.current = latest;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      if (actOnKey(held.current, event)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

// Returns whether the key meant something in this phase.
function actOnKey({ state, dispatch, selection, onNext }: KeysOf, event: KeyboardEvent): boolean {
  const act = actOf(pressOf(event));
  if (act === undefined) return false;
  if (act.act === 'next' && (state.phase === 'revealed' || state.phase === 'failed')) {
    onNext();
    return true;
  }
  if (act.act === 'reveal' && state.phase === 'committed') {
    dispatch({ type: 'reveal' });
    return true;
  }
  if (state.phase !== 'answering') return false;
  switch (act.act) {
    case 'part':
      dispatch({ type: 'to_part', part: act.part });
      return true;
    case 'open_form':
      dispatch({ type: 'to_part', part: state.part });
      return true;
    case 'commit':
      dispatch({ type: 'commit', nowMs: now() });
      return true;
    case 'to_timeline':
      if (state.panel !== 'commit') return false; // Esc then clears the selection: the viewer's own
      dispatch({ type: 'to_timeline' });
      return true;
    case 'mark_place': {
      const place = selection === undefined ? undefined : placeOf(selection, state.opened.trace);
      if (place !== undefined) dispatch({ type: 'enter', form: { place } });
      return true;
    }
    default:
      return false;
  }
}
