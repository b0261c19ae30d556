// One sum after another as a value: what is asked, what was typed, how it was graded. Time comes in as an argument.
import type { Graded, Question } from './api';

export const kModes = ['one', 'storm', 'weakest', 'cards', 'traces'] as const;
export type MathMode = (typeof kModes)[number];

export const kModeTitles: Readonly<Record<MathMode, string>> = {
  one: 'One at a time',
  storm: 'Storm, three minutes',
  weakest: 'Weakest first',
  cards: 'Spec flash cards',
  traces: 'From a trace',
};

export function isMathMode(text: string): text is MathMode {
  return kModes.some((mode) => mode === text);
}

export type State =
  | { readonly phase: 'ready' } // a storm waits for its start
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly message: string }
  | {
      readonly phase: 'asking';
      readonly question: Question;
      readonly text: string;
      readonly startMs: number;
      /** Of the wall clock, to tell whether the reference was opened since. */
      readonly startedAtMs: number;
      readonly error: string | undefined;
      readonly isSending: boolean;
    }
  | {
      readonly phase: 'graded';
      readonly graded: Graded;
      readonly text: string;
      readonly elapsedMs: number;
    };

export type Event =
  | { readonly type: 'load' }
  | {
      readonly type: 'opened';
      readonly question: Question;
      readonly nowMs: number;
      readonly wallMs: number;
    }
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'send' }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'graded'; readonly graded: Graded; readonly elapsedMs: number }
  | { readonly type: 'failed'; readonly message: string };

export function reduce(state: State, event: Event): State {
  switch (event.type) {
    case 'load':
      return { phase: 'loading' };
    case 'opened':
      return {
        phase: 'asking',
        question: event.question,
        text: '',
        startMs: event.nowMs,
        startedAtMs: event.wallMs,
        error: undefined,
        isSending: false,
      };
    case 'typed':
      return state.phase === 'asking' ? { ...state, text: event.text, error: undefined } : state;
    case 'send':
      return state.phase === 'asking' ? { ...state, isSending: true } : state;
    case 'refused':
      // No answer was given: the clock goes on.
      return state.phase === 'asking' ? { ...state, isSending: false, error: event.message } : state;
    case 'graded':
      return state.phase === 'asking'
        ? { phase: 'graded', graded: event.graded, text: state.text, elapsedMs: event.elapsedMs }
        : state;
    case 'failed':
      return { phase: 'failed', message: event.message };
  }
}

export function minutesText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Whole seconds that are left, rounded up, so that 0:00 appears when the time is over. */
export function leftText(leftMs: number): string {
  return minutesText(Math.ceil(Math.max(0, leftMs) / 1000) * 1000);
}
