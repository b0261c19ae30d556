// What is kept of a sum, on this machine. Views and choices over attempts are the core's.
import type { RecordStore } from '../base/record_store';
import type { Graded, WireAttempt } from './api';

export interface MathAttempt extends WireAttempt {
  readonly schema_version: 1;
  /** When it was answered, ms since 1970. */
  readonly at_ms: number;
  readonly problem: string;
  readonly mode: string;
  readonly answer: string;
  readonly slip: string | null;
}

export type MathAttemptStore = RecordStore<MathAttempt>;

export function toMathAttempt(
  graded: Graded,
  given: {
    readonly answer: string;
    readonly mode: string;
    readonly elapsedMs: number;
    readonly atMs: number;
  },
): MathAttempt {
  return {
    schema_version: 1,
    at_ms: given.atMs,
    problem: graded.problem,
    mode: given.mode,
    category: graded.category,
    grade: graded.grade,
    in_time: graded.in_time,
    open_book: graded.open_book,
    elapsed_ms: Math.round(given.elapsedMs),
    answer: given.answer,
    slip: graded.slip,
  };
}

const kMostSent = 2000;

/** The latest ones, as the core takes them. */
export function toWire(attempts: readonly MathAttempt[]): readonly WireAttempt[] {
  return attempts.slice(-kMostSent).map(({ category, grade, in_time, open_book, elapsed_ms }) => ({
    category,
    grade,
    in_time,
    open_book,
    elapsed_ms,
  }));
}

/** A miss counts as one whatever the arithmetic was. */
export function outcomeOf(attempt: WireAttempt): 'right' | 'close' | 'wrong' | 'miss' {
  return attempt.in_time ? attempt.grade : 'miss';
}
