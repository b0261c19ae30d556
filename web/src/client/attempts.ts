// What is kept of an attempt. The views over attempts are the core's (`history` of docs/api.md): here is only what it is
// told, and what the learner wrote.
import type { RecordStore } from '../base/record_store';
import type { Commit, Grade, PartId, Reveal } from './messages';

export interface Attempt {
  readonly schema_version: 1;
  /** When it was revealed, ms since 1970. */
  readonly at_ms: number;
  readonly drill: string;
  readonly mode: string;
  readonly cause: string;
  readonly diagnosis: string;
  readonly grades: Readonly<Record<PartId, Grade>>;
  readonly right: number;
  readonly of: number;
  readonly elapsed_ms: number;
  /** A clock ran and was never paused. */
  readonly timed: boolean;
  readonly paused: boolean;
  readonly in_time: boolean;
  /** False if the truth of this drill had been seen before. */
  readonly counts: boolean;
  readonly confidence_percent: number | null;
  readonly commit: Commit;
  /** Ids of the measurements that were paid for. */
  readonly bought: readonly string[];
  /** What the learner said the confirming measurement would print, and the read in their own words. */
  readonly notes: AttemptNotes;
}

export interface AttemptNotes {
  readonly prints: string;
  readonly spoken: string;
}

export type AttemptStore = RecordStore<Attempt>;

export interface AttemptInput {
  readonly drill: string;
  readonly mode: string;
  readonly reveal: Reveal;
  readonly commit: Commit;
  readonly hasClock: boolean;
  readonly inTime: boolean;
  readonly bought: readonly string[];
  readonly notes: AttemptNotes;
  readonly atMs: number;
}

export function toAttempt(input: AttemptInput, earlier: readonly Attempt[]): Attempt {
  const { reveal, commit } = input;
  const grades = Object.fromEntries(reveal.verdict.parts.map((part) => [part.id, part.grade]));
  return {
    schema_version: 1,
    at_ms: input.atMs,
    drill: input.drill,
    mode: input.mode,
    cause: reveal.truth.cause,
    diagnosis: commit.diagnosis,
    grades: grades as Record<PartId, Grade>,
    right: reveal.verdict.right,
    of: reveal.verdict.of,
    elapsed_ms: commit.elapsed_ms,
    timed: input.hasClock && !commit.paused,
    paused: commit.paused,
    in_time: input.inTime,
    counts: !earlier.some((one) => one.drill === input.drill),
    confidence_percent: commit.confidence_percent ?? null,
    commit,
    bought: input.bought,
    notes: input.notes,
  };
}
