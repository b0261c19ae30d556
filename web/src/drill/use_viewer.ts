// What the learner looks at: window, open ranks, selection, picked slice. It is not part of the attempt.
import { useEffect, useState } from 'preact/hooks';
import { fromWire } from '../client/messages';
import type { SliceRef } from '../client/trace_model';
import { useUnfolded, type Selection, type Unfolded, type View } from '../timeline';
import type { State } from './state';

export interface Viewer extends Unfolded {
  readonly view: View;
  readonly setView: (view: View) => void;
  readonly openRanks: ReadonlySet<number>;
  readonly toggleRank: (rank: number) => void;
  readonly selection: Selection | undefined;
  readonly setSelection: (selection: Selection | undefined) => void;
  readonly picked: SliceRef | undefined;
  readonly setPicked: (slice: SliceRef | undefined) => void;
}

export function useViewer(state: State): Viewer {
  const opened = 'opened' in state ? state.opened : undefined;
  const [view, setView] = useState<View>({ beginNs: 0, endNs: 1 });
  const [openRanks, setOpenRanks] = useState<ReadonlySet<number>>(new Set());
  const [selection, setSelection] = useState<Selection>();
  const [picked, setPicked] = useState<SliceRef>();
  const folds = useUnfolded();

  // A newly opened trace is shown from its steady steps, with its first rank open.
  const [shown, setShown] = useState<typeof opened>();
  if (opened !== undefined && opened !== shown) {
    setShown(opened);
    setView(fromWire(opened.drill.view));
    setOpenRanks(new Set(opened.trace.ranks.slice(0, 1).map((rank) => rank.rank)));
    setSelection(undefined);
    setPicked(undefined);
  }
  useEffect(() => {
    if (opened === undefined) setShown(undefined);
  }, [opened]);

  const toggleRank = (rank: number) => {
    setOpenRanks((open) => {
      const next = new Set(open);
      if (!next.delete(rank)) next.add(rank);
      return next;
    });
  };
  return { view, setView, openRanks, toggleRank, selection, setSelection, picked, setPicked, ...folds };
}
