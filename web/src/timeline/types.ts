// The viewer's vocabulary: what the page hands in and gets back.
import type { ComponentChildren } from 'preact';
import type { Interval, Ns } from '../base/units';
import type { SliceRef, TraceModel } from '../client/trace_model';

/** The window of trace time on screen. */
export type View = Interval;

/** A row of a rank; without a track, all rows of the rank. The track is an index in `RankModel.tracks`. */
export interface RowRef {
  readonly rank: number;
  readonly track?: number | undefined;
}

/** A dragged interval. `rows` are those that the drag crossed; empty after a drag on the ruler: every rank shown. */
export interface Selection extends Interval {
  readonly rows: readonly RowRef[];
}

/** An interval on one row (or all of a rank's): the learner's marked place. */
export interface Mark extends RowRef, Interval {}

/** A piece of evidence, framed with its letter. Solid while its sentence has the focus, else dashed. */
export interface Highlight extends Mark {
  readonly letter: string;
  readonly focused: boolean;
}

/** A dimension line under the rows: a step's length, or the win. */
export interface Bracket extends Interval {
  readonly label: string;
}

export interface RankTitle {
  readonly rank: number;
  readonly title: string;
}

export interface TimelineViewProps {
  readonly trace: TraceModel;
  readonly view: View;
  readonly onView: (view: View) => void;
  /** Ranks shown with all their rows; the others are one row with two lanes. */
  readonly openRanks: ReadonlySet<number>;
  readonly onToggleRank: (rank: number) => void;
  /** Ids of host rows that show all their depths, and the wish to change that: `useUnfolded()` keeps both. */
  readonly unfolded?: ReadonlySet<string> | undefined;
  readonly onUnfold?: ((ids: readonly string[], isOpen: boolean) => void) | undefined;

  readonly selection?: Selection | undefined;
  readonly onSelection?: ((selection: Selection | undefined) => void) | undefined;
  readonly picked?: SliceRef | undefined;
  readonly onPick?: ((slice: SliceRef | undefined) => void) | undefined;

  readonly highlights?: readonly Highlight[] | undefined;
  readonly place?: Mark | undefined;
  readonly brackets?: readonly Bracket[] | undefined;
  /** Shown in grey behind "Rank 0". */
  readonly rankTitles?: readonly RankTitle[] | undefined;
  /** Device steps: the left end of the overview says how many. */
  readonly steps?: readonly Interval[] | undefined;
  /** Zero of the ruler. Default: the trace's begin. */
  readonly originNs?: Ns | undefined;

  /**
   * One of two: no toolbar, no overview, as high as its rows. With `onlyRows` there are no headers, and rows are labelled
   * "Rank 0 stream 7".
   * Two of them share a scale by getting the same `view` and `onView` and each its own `originNs` offset to the window.
   */
  readonly compact?: boolean | undefined;
  readonly onlyRows?: readonly RowRef[] | undefined;

  /** False: shapes alone. No name of a slice is drawn, said, listed or searched. Default true. */
  readonly showNames?: boolean | undefined;
  /** Any value that changes with the theme: the colours are then read again. */
  readonly theme?: string | undefined;
  /** Buttons at the toolbar's right end. */
  readonly actions?: ComponentChildren | undefined;
  /** The accessible name; default "Timeline". */
  readonly label?: string | undefined;
}

/** Selection on the left, picked slice on the right; under the rows on a desktop, in the sheet on a phone. */
export interface TimelineDetailsProps {
  readonly trace: TraceModel;
  readonly openRanks: ReadonlySet<number>;
  readonly selection?: Selection | undefined;
  readonly picked?: SliceRef | undefined;
  readonly onPick?: ((slice: SliceRef | undefined) => void) | undefined;
  readonly originNs?: Ns | undefined;
  /** As for the view. */
  readonly showNames?: boolean | undefined;
  /** At the right end of the selection's heading: "marked as place P". */
  readonly selectionNote?: ComponentChildren | undefined;
}
