// Part 7: how sure, as a radio group with one tab stop.
import type { Ref } from 'preact';
import { kConfidences } from './form';

interface Props {
  readonly labelId: string;
  readonly chosen: number | undefined;
  readonly onChoose: (percent: number) => void;
  readonly firstRef: Ref<HTMLButtonElement>;
}

export function ConfidenceBox({ labelId, chosen, onChoose, firstRef }: Props) {
  const tabStop = chosen ?? kConfidences[0];
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const at = kConfidences.findIndex((percent) => percent === chosen);
    const next = at < 0 ? (move > 0 ? 0 : kConfidences.length - 1) : at + move;
    const percent = kConfidences[(next + kConfidences.length) % kConfidences.length];
    if (percent === undefined) return;
    onChoose(percent);
    const group = event.currentTarget as HTMLElement;
    group.querySelector<HTMLElement>(`[data-percent="${percent}"]`)?.focus();
  };
  return (
    <div class="seg" role="radiogroup" aria-labelledby={labelId} onKeyDown={onKeyDown}>
      {kConfidences.map((percent) => (
        <button
          key={percent}
          ref={percent === tabStop ? firstRef : null}
          type="button"
          role="radio"
          data-percent={percent}
          aria-checked={percent === chosen}
          tabIndex={percent === tabStop ? 0 : -1}
          onClick={() => onChoose(percent)}
        >
          {percent}
        </button>
      ))}
    </div>
  );
}
