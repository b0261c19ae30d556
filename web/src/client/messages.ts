// The messages of docs/api.md. Times are integer nanoseconds from the trace's start on the job's common clock.
import type { Interval, Ns } from '../base/units';

/** Times as the wire spells them. */
export interface WireInterval {
  readonly begin_ns: Ns;
  readonly end_ns: Ns;
}

export function fromWire(interval: WireInterval): Interval {
  return { beginNs: interval.begin_ns, endNs: interval.end_ns };
}

/** An id with the text a person reads: an option in a list. */
export interface Option {
  readonly id: string;
  readonly title: string;
}

export interface Deck extends Option {
  readonly level: 'standard' | 'hard';
  readonly causes: readonly string[];
  readonly is_default: boolean;
}

export interface Diagnosis extends Option {
  /** Null for a diagnosis that no single number decides. */
  readonly deciding_number: string | null;
  readonly deciding_unit: string | null;
}

export interface MeasurementOption extends Option {
  /** Seconds of the clock; null: not to be had before the commit. */
  readonly price_s: number | null;
}

export interface ReadingStep extends Option {
  readonly measure: string;
}

export interface Catalog {
  readonly schema_version: number;
  readonly decks: readonly Deck[];
  readonly diagnoses: readonly Diagnosis[];
  readonly measurements: readonly MeasurementOption[];
  readonly fixes: readonly Option[];
  readonly reading_order: readonly ReadingStep[];
  readonly limit_s: number;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface RankInfo {
  readonly rank: number;
  readonly title: string;
}

export interface OpenRequest {
  readonly drill: string;
}

export interface Drill {
  readonly drill: string;
  readonly deck: string;
  readonly seed: number;
  readonly prompt: string;
  readonly facts: readonly Fact[];
  readonly facts_json: unknown;
  readonly ranks: readonly RankInfo[];
  readonly steps: readonly WireInterval[];
  readonly view: WireInterval;
}

export interface Place extends WireInterval {
  readonly rank: number;
  /** Index in the rank's tracks; null means all its rows. */
  readonly track: number | null;
}

export interface Commit {
  readonly diagnosis: string;
  readonly place?: Place | null;
  readonly number?: number | null;
  readonly measurement?: string | null;
  readonly fix?: string | null;
  readonly win?: { readonly value: number; readonly unit: 'percent' | 'ms' } | null;
  readonly confidence_percent?: number | null;
  readonly elapsed_ms: number;
  readonly paused: boolean;
}

export interface RevealRequest {
  readonly drill: string;
  readonly commit: Commit;
}

export interface Evidence extends Place {
  readonly letter: string;
  readonly text: string;
}

export interface RankTruth {
  readonly rank: number;
  readonly compute_ns: Ns;
  readonly comm_ns: Ns;
  readonly lateness_ns: Ns;
}

export interface Truth {
  readonly cause: string;
  readonly title: string;
  readonly scenario: string;
  readonly headline: string;
  readonly summary: string;
  readonly signature: readonly { readonly text: string; readonly evidence: readonly string[] }[];
  readonly evidence: readonly Evidence[];
  readonly confirm: Option & {
    readonly command: string;
    readonly prints: readonly string[];
    readonly text: string;
  };
  readonly fix: Option & {
    readonly text: string;
    /** Null, all three, for a fix without code. */
    readonly code_title: string | null;
    readonly code_before: string | null;
    readonly code_after: string | null;
  };
  readonly lookalikes: readonly { readonly cause: string; readonly title: string; readonly text: string }[];
  readonly read: readonly { readonly id: string; readonly text: string }[];
  /** `read` with where to look: the walk's stations. */
  readonly reading_order: readonly {
    readonly id: string;
    readonly text: string;
    readonly spans: readonly Place[];
  }[];
  readonly ranks: readonly RankTruth[];
  readonly win: {
    readonly per: 'step' | 'token' | 'sample';
    readonly step_ns: Ns;
    /** With `per` token or sample: for the tokens of one traced step, not a step of the fixed run. */
    readonly fixed_step_ns: Ns;
    readonly win_ns: Ns;
    readonly win_frac: number;
    readonly sums: readonly { readonly label: string; readonly value: string; readonly strong: boolean }[];
  };
  readonly number: { readonly label: string; readonly value: number; readonly unit: string } | null;
}

export type PartId = 'diagnosis' | 'place' | 'number' | 'measurement' | 'fix' | 'win' | 'confidence';
/** `not_needed`: the diagnosis does not ask for the part, and it does not count. */
export type Grade = 'right' | 'close' | 'wrong' | 'missing' | 'not_needed';

export interface VerdictPart {
  readonly id: PartId;
  readonly grade: Grade;
  /** Null for a part that was left out. */
  readonly yours: string | null;
  readonly truth: string;
  readonly why: string;
}

export interface Verdict {
  readonly right: number;
  /** Counts the needed parts only. */
  readonly of: number;
  readonly in_time: boolean;
  readonly parts: readonly VerdictPart[];
}

export interface Reveal {
  readonly drill: string;
  readonly truth: Truth;
  readonly verdict: Verdict;
  readonly fixed: { readonly steps: readonly WireInterval[]; readonly view: WireInterval };
}

export type ContrastSide = 'a' | 'b' | 'neither';

export interface ContrastRun {
  readonly steps: readonly WireInterval[];
  readonly view: WireInterval;
  /** Where its columns begin in the blob. */
  readonly at_bytes: number;
}

export interface Contrast {
  readonly drill: string;
  readonly facts: readonly Fact[];
  /** A, then B. */
  readonly runs: readonly [ContrastRun, ContrastRun];
}

export interface ContrastCommit {
  readonly side: ContrastSide;
  readonly diagnosis: string;
}

export interface ContrastReveal {
  readonly drill: string;
  readonly faulty: ContrastSide;
  /** The drill's own run, in which the evidence lies. */
  readonly run: 'a' | 'b';
  readonly truth: Truth;
  readonly parts: readonly (Omit<VerdictPart, 'id'> & { readonly id: 'side' | 'diagnosis' })[];
}

export interface ExportRequest {
  readonly drill: string;
  readonly format: 'chrome_json';
}

export interface ExportReply {
  readonly file_name: string;
  readonly media_type: string;
}

export interface MeasureRequest {
  readonly drill: string;
  readonly measurement: string;
}

/** What a tool prints on the drill's job. */
export interface Measured {
  readonly measurement: string;
  readonly price_s: number;
  readonly command: string;
  readonly prints: readonly string[];
}

export interface HistoryCause {
  readonly cause: string;
  readonly title: string;
  readonly attempts: number;
  readonly right: number;
  readonly in_time: number;
  readonly median_ms: number | null;
}

export interface HistoryView {
  readonly attempts: number;
  readonly retries: number;
  readonly right: number;
  readonly in_time: number;
  readonly median_ms: number | null;
  readonly causes: readonly HistoryCause[];
  readonly matrix: {
    readonly diagnoses: readonly string[];
    /** A row for each of `causes`. */
    readonly counts: readonly (readonly number[])[];
  };
  readonly parts: readonly {
    readonly part: PartId;
    readonly asked: number;
    readonly right: number;
    readonly close: number;
  }[];
  readonly confidences: readonly {
    readonly confidence_percent: number;
    readonly attempts: number;
    readonly right: number;
  }[];
  readonly ignored: readonly { readonly index: number; readonly why: string }[];
}
