// Which host rows show all their depths. Kept by the page, so that closing a rank or changing the screen forgets nothing.
import { useCallback, useState } from 'preact/hooks';

export interface Unfolded {
  readonly unfolded: ReadonlySet<string>;
  readonly onUnfold: (ids: readonly string[], isOpen: boolean) => void;
}

export function useUnfolded(): Unfolded {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const onUnfold = useCallback((ids: readonly string[], isOpen: boolean) => {
    setUnfolded((now) => {
      const next = new Set(now);
      for (const id of ids) {
        if (isOpen) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  }, []);
  return { unfolded, onUnfold };
}
