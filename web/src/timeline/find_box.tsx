import type { RefObject } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { SliceRef, TraceModel } from '../client/trace_model';
import { sameSlice } from '../client/trace_model';
import { findByName, nextMatch } from './navigate';
import type { View } from './types';

export interface FindBoxProps {
  readonly trace: TraceModel;
  readonly openRanks: ReadonlySet<number>;
  readonly view: View;
  readonly picked: SliceRef | undefined;
  readonly onGo: (match: SliceRef) => void;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}

/** Find a name in the open ranks: Enter the next one, Shift Enter the one before, Esc back to the timeline. */
export function FindBox({ trace, openRanks, view, picked, onGo, inputRef }: FindBoxProps) {
  const [text, setText] = useState('');
  const matches = useMemo(() => findByName(trace, openRanks, text), [trace, openRanks, text]);
  const current = matches.findIndex((match) => sameSlice(match, picked));
  const go = (step: 1 | -1) => {
    const match = matches[nextMatch(trace, matches, picked, view, step)];
    if (match) onGo(match);
  };
  return (
    <div class="tl-find">
      <input
        ref={inputRef}
        type="search"
        placeholder="Find a name"
        aria-label="Find a name in the open ranks"
        aria-keyshortcuts="/"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            event.stopPropagation();
            go(event.shiftKey ? -1 : 1);
          } else if (event.key === 'Escape') {
            event.stopPropagation();
            event.currentTarget.blur();
          }
        }}
      />
      <span class="tl-find-count" role="status">
        {text && (matches.length ? `${current >= 0 ? `${current + 1} of ` : ''}${matches.length}` : 'none')}
      </span>
      {!text && <kbd aria-hidden="true">/</kbd>}
    </div>
  );
}
