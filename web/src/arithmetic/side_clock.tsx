// What is left of the two minutes, or how long it took.
import { useEffect, useRef, useState } from 'preact/hooks';
import { leftText, minutesText, type State } from './state';
import { now } from './use_sum';

const kLimitMs = 120_000;
const kTickMs = 200;

export function useTick(isOn: boolean): void {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => redraw((count) => count + 1), kTickMs);
    return () => clearInterval(timer);
  }, [isOn]);
}

export function SideClock({ state, hasClock }: { readonly state: State; readonly hasClock: boolean }) {
  const isRunning = state.phase === 'asking';
  useTick(isRunning);
  const said = useRef('');
  if (state.phase !== 'asking' && state.phase !== 'graded') return null;
  const ranMs = state.phase === 'asking' ? now() - state.startMs : state.elapsedMs;
  const leftMs = kLimitMs - ranMs;
  const isOver = hasClock && leftMs <= 0;
  if (isRunning && hasClock)
    said.current = isOver ? 'Time is over: a miss. It may be finished.' : said.current;
  if (!isRunning) said.current = '';
  return (
    <section class="math-clock" data-over={isOver}>
      <b role="timer" aria-live="off" aria-label={isRunning && hasClock ? 'Time left' : 'Time taken'}>
        {isRunning && hasClock ? leftText(leftMs) : minutesText(ranMs)}
      </b>
      <small>
        {!isRunning
          ? isOver
            ? 'a miss'
            : 'taken'
          : !hasClock
            ? 'no clock'
            : isOver
              ? 'a miss; may be finished'
              : 'left'}
      </small>
      <span class="visually-hidden" role="status">
        {said.current}
      </span>
    </section>
  );
}
