// Numbers of the history as the page prints them.
import { formatFixed } from '../base/format';

/** "71 % (29 of 41)"; a dash without a count to divide by. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '\u2013';
  return `${formatFixed((part / whole) * 100, 0)} % (${part} of ${whole})`;
}

/** "1:34"; a dash for no time. */
export function secondsText(ms: number | null): string {
  if (ms === null) return '\u2013';
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** "2026-12-01 17:05", in the reader's own time zone. */
export function dateText(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
