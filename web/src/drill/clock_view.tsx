// The clock in the top bar: what is left (or has run), a bar, the pause button, and what is said aloud.
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  announcement,
  clockSeconds,
  clockState,
  elapsedMs,
  formatSeconds,
  isRunning,
  type Clock,
} from './clock';

interface Props {
  readonly clock: Clock;
  readonly now: () => number;
  // Absent once the answer is committed: the clock then stands and says how long it took.
  readonly onPauseOrGoOn?: (() => void) | undefined;
}

const kTickMs = 200;

const kStateWords = {
  running: 'Time left',
  low: 'Time left',
  paused: 'Paused; time left',
  miss: 'Time is over; since the start',
  free: 'No clock; time so far',
} as const;

export function ClockView({ clock, now, onPauseOrGoOn }: Props) {
  const [, redraw] = useState(0);
  const running = isRunning(clock);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => redraw((count) => count + 1), kTickMs);
    return () => clearInterval(timer);
  }, [running]);

  const isDone = onPauseOrGoOn === undefined;
  const nowMs = now();
  const seconds = clockSeconds(clock, nowMs);
  const said = useRef('');
  const lastSeconds = useRef(seconds);
  if (seconds !== lastSeconds.current && !isDone) {
    said.current = announcement(clock, lastSeconds.current, seconds) ?? said.current;
  }
  lastSeconds.current = seconds;

  const ranMs = elapsedMs(clock, nowMs);
  const state = clockState(clock, nowMs);
  const fraction = clock.mode === 'free' ? 0 : Math.max(0, 1 - ranMs / clock.limitMs);
  const shown = isDone ? formatSeconds(Math.floor(ranMs / 1000)) : formatSeconds(seconds);
  const limit = formatSeconds(Math.round(clock.limitMs / 1000));
  return (
    <div class="clock" data-state={isDone ? 'done' : state} data-paused={!running && !isDone}>
      <div
        class="clock-face"
        role="timer"
        aria-live="off"
        aria-label={isDone ? 'Time taken' : kStateWords[state]}
      >
        {clock.mode === 'limit' && (
          <span class="clock-bar" aria-hidden="true">
            <i style={{ width: `${(isDone ? Math.min(1, ranMs / clock.limitMs) : fraction) * 100}%` }} />
          </span>
        )}
        <b>{shown}</b>
        {isDone && clock.mode === 'limit' && <span class="of mono">of {limit}</span>}
        {clock.mode === 'free' && <span class="of">no clock</span>}
        {!isDone && state === 'miss' && <span class="of clock-miss">miss; may be finished</span>}
      </div>
      {onPauseOrGoOn !== undefined && state !== 'miss' && (
        <button
          type="button"
          class="btn icon ghost"
          aria-label={running ? 'Pause the clock (marks the attempt as paused)' : 'Go on'}
          title={running ? 'Pause; the attempt will say so' : 'Go on'}
          onClick={onPauseOrGoOn}
        >
          <svg class="icon-16" viewBox="0 0 16 16" aria-hidden="true">
            {running ? <path d="M5.5 3.5v9M10.5 3.5v9" /> : <path d="M5 3.5v9l7-4.5z" />}
          </svg>
        </button>
      )}
      <span class="visually-hidden" role="status">
        {said.current}
      </span>
    </div>
  );
}
