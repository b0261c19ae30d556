// Whether the reference page was open during an attempt, in this tab or another one.
const kKey = 'tracedrills.reference_at';

/** The reference page says so while it can be seen. */
export function noteReference(atMs: number): void {
  try {
    localStorage.setItem(kKey, String(atMs));
  } catch {
    lastHere = atMs; // storage is blocked: this tab alone
  }
}

let lastHere = 0;

export function referenceAt(): number {
  try {
    return Math.max(lastHere, Number(localStorage.getItem(kKey) ?? 0));
  } catch {
    return lastHere;
  }
}
