// What the learner has set, remembered on this machine.
import { isMode, type Mode } from '../drill/mode';

export type ClockMode = 'limit' | 'free';
export type Level = 'standard' | 'hard';

export interface Settings {
  readonly clockMode: ClockMode;
  readonly level: Level;
  readonly mode: Mode;
}

const kKeys = {
  clockMode: 'tracedrills.clock',
  level: 'tracedrills.level',
  mode: 'tracedrills.mode',
} as const;

export function readSettings(): Settings {
  const mode = read(kKeys.mode);
  return {
    clockMode: read(kKeys.clockMode) === 'free' ? 'free' : 'limit',
    level: read(kKeys.level) === 'hard' ? 'hard' : 'standard',
    mode: isMode(mode) ? mode : 'full',
  };
}

export function storeSettings(settings: Settings): void {
  for (const key of ['clockMode', 'level', 'mode'] as const) {
    try {
      localStorage.setItem(kKeys[key], settings[key]);
    } catch {
      // Storage is blocked: nothing depends on it being remembered.
    }
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
