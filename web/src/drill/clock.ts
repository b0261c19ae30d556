// The two-minute clock as a value. Time comes in as an argument (ms of any steady clock), so every rule is testable.

export const kLimitMs = 120_000;
export const kLowMs = 20_000;

export interface Clock {
  // `limit` counts down and is graded; `free` counts up and is not.
  readonly mode: 'limit' | 'free';
  readonly limitMs: number;
  // Time that ran before the current run began.
  readonly ranMs: number;
  // Start of the current run; undefined while the clock stands.
  readonly runningSinceMs: number | undefined;
  // True once the clock was paused in this attempt; it stays true.
  readonly wasPaused: boolean;
}

export function newClock(mode: Clock['mode'], limitMs = kLimitMs): Clock {
  return { mode, limitMs, ranMs: 0, runningSinceMs: undefined, wasPaused: false };
}

export function isRunning(clock: Clock): boolean {
  return clock.runningSinceMs !== undefined;
}

export function startClock(clock: Clock, nowMs: number): Clock {
  return isRunning(clock) ? clock : { ...clock, runningSinceMs: nowMs };
}

export function stopClock(clock: Clock, nowMs: number): Clock {
  if (!isRunning(clock)) return clock;
  return { ...clock, ranMs: elapsedMs(clock, nowMs), runningSinceMs: undefined };
}

// A stop that the attempt says so of.
export function pauseClock(clock: Clock, nowMs: number): Clock {
  if (!isRunning(clock)) return clock;
  return { ...stopClock(clock, nowMs), wasPaused: true };
}

// Takes a price off what is left (or gives it back: negative). The time up to now has run either way.
export function chargeClock(clock: Clock, priceMs: number): Clock {
  return { ...clock, ranMs: clock.ranMs + priceMs };
}

export function elapsedMs(clock: Clock, nowMs: number): number {
  if (clock.runningSinceMs === undefined) return clock.ranMs;
  return clock.ranMs + Math.max(0, nowMs - clock.runningSinceMs);
}

export type ClockState = 'running' | 'low' | 'paused' | 'miss' | 'free';

export function clockState(clock: Clock, nowMs: number): ClockState {
  if (clock.mode === 'free') return 'free';
  const left = clock.limitMs - elapsedMs(clock, nowMs);
  if (left <= 0) return 'miss';
  if (!isRunning(clock)) return 'paused';
  return left <= kLowMs ? 'low' : 'running';
}

// What the clock shows: whole seconds, rounded up while counting down, so that 2:00 stands for the first second's
// beginning and 0:00 appears exactly when the time is over.
export function clockSeconds(clock: Clock, nowMs: number): number {
  const ran = elapsedMs(clock, nowMs);
  if (clock.mode === 'free') return Math.floor(ran / 1000);
  return Math.max(0, Math.ceil((clock.limitMs - ran) / 1000));
}

export function formatSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

// What is to be said aloud when the shown seconds go from `before` to `after`: at 1:00, 0:20 and 0:00 only.
export function announcement(clock: Clock, before: number, after: number): string | undefined {
  if (clock.mode === 'free') return undefined;
  const passed = (mark: number): boolean => before > mark && after <= mark;
  if (passed(0)) return 'Time is over. The attempt is a miss and may be finished.';
  if (passed(20)) return '20 seconds left.';
  if (passed(60)) return 'One minute left.';
  return undefined;
}
