// Keeps an attempt once it has been revealed. An effect of the page: the attempt itself knows nothing of it.
import { useEffect } from 'preact/hooks';
import { toAttempt, type AttemptStore } from '../client/attempts';
import type { Mode } from './mode';
import type { State } from './state';

export function useKeepAttempt(store: AttemptStore, state: State, mode: Mode): void {
  const revealed = state.phase === 'revealed' ? state.revealed : undefined;
  useEffect(() => {
    if (state.phase !== 'revealed') return;
    const input = {
      drill: state.drill,
      mode,
      reveal: state.revealed.reveal,
      commit: state.commit,
      hasClock: state.clock.mode === 'limit',
      inTime: state.inTime,
      bought: [...state.bought.keys()],
      notes: state.notes,
      atMs: Date.now(),
    };
    void store
      .all()
      .then((kept) =>
        store.add(
          toAttempt(
            input,
            kept.map((one) => one.record),
          ),
        ),
      )
      .catch(() => undefined); // a full or locked store loses the attempt, not the reveal
  }, [revealed]);
}
