// The fixed reading order beside the timeline: what to measure, in which order, ticked off with the figure read.
import type { ReadingStep } from '../client/messages';

interface Props {
  readonly items: readonly ReadingStep[];
  readonly ticked: ReadonlyMap<string, string>;
  readonly onTick: (item: string) => void;
}

export function ReadingOrder({ items, ticked, onTick }: Props) {
  const current = items.find((item) => !ticked.has(item.id));
  return (
    <ol class="order">
      {items.map((item, index) => {
        const isDone = ticked.has(item.id);
        return (
          <li
            key={item.id}
            class={isDone ? 'done' : item === current ? 'now' : ''}
            aria-current={item === current ? 'step' : undefined}
          >
            <label>
              <input
                type="checkbox"
                class="visually-hidden"
                checked={isDone}
                onChange={() => onTick(item.id)}
                aria-describedby={`measure-${item.id}`}
              />
              <span class="box" aria-hidden="true">
                {isDone ? '\u2713' : index + 1}
              </span>
              <b>{item.title}</b>
              <span class="figure num">{ticked.get(item.id) || (isDone ? '' : '\u2013')}</span>
            </label>
            <p id={`measure-${item.id}`}>{item.measure}</p>
          </li>
        );
      })}
      <li class={current === undefined ? 'now' : 'later'}>
        <div class="label">
          <span class="box" aria-hidden="true">
            {items.length + 1}
          </span>
          <b>Then, one kernel</b>
        </div>
        <p>
          Only when 1{'\u2013'}
          {items.length} leave nothing.
        </p>
      </li>
    </ol>
  );
}

const kShort: Readonly<Record<string, string>> = {
  step: 'Steps',
  gaps: 'Gaps',
  overlap: 'Overlap',
  longest: 'Kernel',
};

// The same on a phone: one chip an item.
export function ReadingChips({ items, ticked, onTick }: Props) {
  const current = items.find((item) => !ticked.has(item.id));
  return (
    <div class="chips" role="group" aria-label="Reading order">
      {items.map((item, index) => {
        const isDone = ticked.has(item.id);
        return (
          <button
            key={item.id}
            type="button"
            class={isDone ? 'done' : item === current ? 'now' : ''}
            aria-pressed={isDone}
            onClick={() => onTick(item.id)}
          >
            {isDone ? '\u2713' : index + 1} {kShort[item.id] ?? item.title}
          </button>
        );
      })}
    </div>
  );
}
