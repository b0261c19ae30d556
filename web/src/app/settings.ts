// Whether a clock runs; remembered on this machine.
const kKey = 'tracedrills.clock';

export type ClockMode = 'limit' | 'free';

export function readClockMode(): ClockMode {
  try {
    return localStorage.getItem(kKey) === 'free' ? 'free' : 'limit';
  } catch {
    return 'limit'; // storage is blocked
  }
}

export function storeClockMode(mode: ClockMode): void {
  try {
    localStorage.setItem(kKey, mode);
  } catch {
    // Nothing depends on it being remembered.
  }
}
