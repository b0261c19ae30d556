// Numbers as the page prints them: a unit and a space, always the same decimals for the same magnitude.
import type { Ns } from './units';

const kMinus = '\u2212';

/** Fixed decimals without a negative zero, with a real minus sign. */
export function formatFixed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? kMinus + text : text;
}

/**
 * A length: "412 ns", "4.12 us", "412.0 us", "2.29 ms", "23.0 ms", "1.204 s". One decimal from 10 of a unit on; two below
 * 10, where the second one can decide.
 */
export function formatDuration(ns: Ns): string {
  return formatPart(ns, ns);
}

/** A part of a length, in the unit and with the decimals of the whole, so that parts can be added up by eye. */
export function formatPart(ns: Ns, wholeNs: Ns): string {
  const size = Math.abs(wholeNs);
  if (size < 1000) return `${formatFixed(Math.round(ns), 0)} ns`;
  if (size < 999_950) return `${formatFixed(ns / 1e3, size < 9_995 ? 2 : 1)} us`;
  if (size < 1e9 - 50_000) return `${formatFixed(ns / 1e6, size < 9_995_000 ? 2 : 1)} ms`;
  return `${formatFixed(ns / 1e9, 3)} s`;
}

/** Milliseconds with one decimal whatever the size: columns of a table. "0.0 ms", "23.0 ms". */
export function formatMs(ns: Ns): string {
  return `${formatFixed(ns / 1e6, 1)} ms`;
}

/** A point in time with microsecond digits: "86.642 ms". */
export function formatTimestamp(ns: Ns): string {
  return `${formatFixed(ns / 1e6, 3)} ms`;
}

/** A fraction as a percentage: 0.226 -> "22.6 %". */
export function formatPercent(fraction: number): string {
  return `${formatFixed(fraction * 100, 1)} %`;
}

/** Decimal bytes, as link rates are: "104.8 MB", "512 B". */
export function formatBytes(bytes: number): string {
  return withPrefix(bytes, 'B');
}

/** "366 GB/s": three significant digits. */
export function formatRate(bytesPerS: number): string {
  return withPrefix(bytesPerS, 'B/s', 3);
}

const kPrefixes = ['', 'k', 'M', 'G', 'T'] as const;

function withPrefix(value: number, unit: string, significant?: number): string {
  let size = Math.abs(value);
  let step = 0;
  while (step < kPrefixes.length - 1 && size >= 999.95) {
    size /= 1000;
    step += 1;
  }
  const decimals =
    significant === undefined ? 1 : Math.max(0, significant - Math.max(1, String(Math.floor(size)).length));
  const text = step === 0 ? String(Math.round(size)) : size.toFixed(decimals);
  return `${value < 0 ? kMinus : ''}${text} ${kPrefixes[step]}${unit}`;
}

/** Thousands by a comma: 12345 -> "12,345". */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}
