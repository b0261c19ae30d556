// One attempt at one drill as a state machine: loading -> answering -> committed -> revealing -> revealed. Pure: time
// comes with the event, and what must be fetched is done by whoever dispatches (see drill_page.tsx).
import { assertNever } from '../base/assert_never';
import type { OpenedDrill, RevealedDrill } from '../client/client';
import type { ClientError } from '../client/client_error';
import type { AttemptNotes } from '../client/attempts';
import type { Catalog, Commit, Measured, PartId } from '../client/messages';
import type { Clock } from './clock';
import {
  chargeClock,
  clockState,
  elapsedMs,
  isRunning,
  newClock,
  pauseClock,
  startClock,
  stopClock,
} from './clock';
import type { Form } from './form';
import { kEmptyForm, toCommit } from './form';

// What is shared by all phases in which the trace is on screen.
interface OnScreen {
  readonly drill: string;
  readonly catalog: Catalog;
  readonly opened: OpenedDrill;
  readonly clock: Clock;
  readonly form: Form;
  // Items of the reading order that are done, with the figure that was read (empty if none was).
  readonly ticked: ReadonlyMap<string, string>;
  // Measurements that were paid for, by id.
  readonly bought: ReadonlyMap<string, Purchase>;
  // Written between the commit and the reveal.
  readonly notes: AttemptNotes;
}

export type Purchase =
  | { readonly phase: 'running' }
  | { readonly phase: 'done'; readonly measured: Measured }
  // Its price was given back; it may be bought again.
  | { readonly phase: 'failed'; readonly message: string };

export interface Loading {
  readonly phase: 'loading';
  readonly drill: string;
  readonly clockMode: Clock['mode'];
}

export interface Failed {
  readonly phase: 'failed';
  readonly drill: string;
  readonly clockMode: Clock['mode'];
  readonly error: ClientError;
}

export interface Answering extends OnScreen {
  readonly phase: 'answering';
  // Which panel is shown beside the timeline.
  readonly panel: 'reading' | 'commit';
  // The part that was last reached; the form moves its focus there when `focusCount` changes.
  readonly part: PartId;
  readonly focusCount: number;
}

// The answer is locked and the clock stands; nothing of the truth has been asked for yet.
export interface Committed extends OnScreen {
  readonly phase: 'committed';
  readonly commit: Commit;
  readonly inTime: boolean;
  // Set when an attempt to reveal failed; the answer stays locked and the reveal may be tried again.
  readonly error: ClientError | undefined;
}

export interface Revealing extends OnScreen {
  readonly phase: 'revealing';
  readonly commit: Commit;
  readonly inTime: boolean;
}

export interface Shown extends OnScreen {
  readonly phase: 'revealed';
  readonly commit: Commit;
  readonly inTime: boolean;
  readonly revealed: RevealedDrill;
}

export type State = Loading | Failed | Answering | Committed | Revealing | Shown;

export type AttemptEvent =
  | {
      readonly type: 'opened';
      readonly catalog: Catalog;
      readonly opened: OpenedDrill;
      readonly nowMs: number;
    }
  | { readonly type: 'failed'; readonly error: ClientError }
  // The same drill from its beginning: after an error, or as a retry after the reveal.
  | { readonly type: 'again' }
  | { readonly type: 'pause' | 'resume'; readonly nowMs: number }
  | { readonly type: 'clock_mode'; readonly mode: Clock['mode'] }
  | { readonly type: 'tick_item'; readonly item: string; readonly figure: string }
  | { readonly type: 'to_part'; readonly part: PartId }
  | { readonly type: 'to_timeline' }
  | { readonly type: 'enter'; readonly form: Partial<Form> }
  | { readonly type: 'buy'; readonly id: string; readonly priceMs: number }
  | { readonly type: 'measured'; readonly measured: Measured }
  | {
      readonly type: 'not_measured';
      readonly id: string;
      readonly priceMs: number;
      readonly message: string;
    }
  | { readonly type: 'note'; readonly notes: Partial<AttemptNotes> }
  | { readonly type: 'commit'; readonly nowMs: number }
  | { readonly type: 'reveal' }
  | { readonly type: 'revealed'; readonly revealed: RevealedDrill };

export function loading(drill: string, clockMode: Clock['mode']): Loading {
  return { phase: 'loading', drill, clockMode };
}

// Events that make no sense in a phase leave the state as it is: a late reply or a key pressed twice does no harm.
export function reduce(state: State, event: AttemptEvent): State {
  switch (state.phase) {
    case 'loading':
      return reduceLoading(state, event);
    case 'failed':
      return event.type === 'again' ? loading(state.drill, state.clockMode) : state;
    case 'answering':
      return reduceAnswering(state, event);
    case 'committed':
      if (event.type === 'note') return { ...state, notes: { ...state.notes, ...event.notes } };
      return event.type === 'reveal' ? toRevealing(state) : tickOnly(state, event);
    case 'revealing':
      return reduceRevealing(state, event);
    case 'revealed':
      return event.type === 'again' ? loading(state.drill, state.clock.mode) : tickOnly(state, event);
    default:
      return assertNever(state);
  }
}

function reduceLoading(state: Loading, event: AttemptEvent): State {
  if (event.type === 'failed') return { ...state, phase: 'failed', error: event.error };
  if (event.type !== 'opened') return state;
  return {
    phase: 'answering',
    drill: state.drill,
    catalog: event.catalog,
    opened: event.opened,
    // The trace is on screen and the prompt can be read: the clock starts here and not before.
    clock: startClock(newClock(state.clockMode, event.catalog.limit_s * 1000), event.nowMs),
    form: kEmptyForm,
    ticked: new Map(),
    bought: new Map(),
    notes: { prints: '', spoken: '' },
    panel: 'reading',
    part: 'diagnosis',
    focusCount: 0,
  };
}

function reduceAnswering(state: Answering, event: AttemptEvent): State {
  switch (event.type) {
    case 'pause':
      return { ...state, clock: pauseClock(state.clock, event.nowMs) };
    case 'resume':
      return { ...state, clock: startClock(state.clock, event.nowMs) };
    case 'clock_mode':
      return { ...state, clock: { ...state.clock, mode: event.mode } };
    case 'tick_item':
      return tickOnly(state, event);
    case 'to_part':
      return { ...state, panel: 'commit', part: event.part, focusCount: state.focusCount + 1 };
    case 'to_timeline':
      return { ...state, panel: 'reading' };
    case 'enter':
      return { ...state, form: { ...state.form, ...event.form } };
    case 'buy':
    case 'measured':
    case 'not_measured':
      return reducePurchase(state, event);
    case 'commit':
      return toCommitted(state, event.nowMs);
    default:
      return state;
  }
}

type PurchaseEvent = Extract<AttemptEvent, { type: 'buy' | 'measured' | 'not_measured' }>;

// The price is paid at once, whatever the reply takes; each is paid for once.
function reducePurchase(state: Answering, event: PurchaseEvent): Answering {
  const id = event.type === 'measured' ? event.measured.measurement : event.id;
  const now = state.bought.get(id)?.phase;
  const bought = new Map(state.bought);
  switch (event.type) {
    case 'buy':
      if (now === 'running' || now === 'done') return state;
      bought.set(id, { phase: 'running' });
      return { ...state, bought, clock: chargeClock(state.clock, event.priceMs) };
    case 'measured':
      if (now !== 'running') return state;
      bought.set(id, { phase: 'done', measured: event.measured });
      return { ...state, bought };
    case 'not_measured':
      if (now !== 'running') return state;
      bought.set(id, { phase: 'failed', message: event.message });
      return { ...state, bought, clock: chargeClock(state.clock, -event.priceMs) };
  }
}

function reduceRevealing(state: Revealing, event: AttemptEvent): State {
  if (event.type === 'revealed') return { ...state, phase: 'revealed', revealed: event.revealed };
  if (event.type === 'failed') return { ...state, phase: 'committed', error: event.error };
  return state;
}

function toCommitted(state: Answering, nowMs: number): State {
  const clock = stopClock(state.clock, nowMs);
  const commit = toCommit(state.form, state.catalog, {
    elapsedMs: elapsedMs(clock, nowMs),
    paused: clock.wasPaused,
  });
  if (commit === undefined) return state;
  return {
    phase: 'committed',
    drill: state.drill,
    catalog: state.catalog,
    opened: state.opened,
    clock,
    form: state.form,
    ticked: state.ticked,
    bought: state.bought,
    notes: state.notes,
    commit,
    inTime: clock.mode === 'limit' && clockState(clock, nowMs) !== 'miss',
    error: undefined,
  };
}

function toRevealing(state: Committed): Revealing {
  const { drill, catalog, opened, clock, form, ticked, bought, notes, commit, inTime } = state;
  return {
    phase: 'revealing',
    drill,
    catalog,
    opened,
    clock,
    form,
    ticked,
    bought,
    notes,
    commit,
    inTime,
  };
}

function tickOnly<S extends OnScreen>(state: S, event: AttemptEvent): S {
  if (event.type !== 'tick_item') return state;
  const ticked = new Map(state.ticked);
  if (!ticked.delete(event.item)) ticked.set(event.item, event.figure);
  return { ...state, ticked };
}

// What is done when the learner asks for "pause or go on".
export function pauseEvent(clock: Clock, nowMs: number): AttemptEvent {
  return { type: isRunning(clock) ? 'pause' : 'resume', nowMs };
}
