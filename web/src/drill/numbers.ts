// Reading the two numbers of the commit form. What cannot be read says what was expected.

export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

const kNumber = String.raw`[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)`;

function toNumber(text: string): number {
  return Number(text.replace(',', '.'));
}

// The API keeps six decimals; so 0.022 s is 22 ms and not 22.000000000000004.
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

const kTimeToMs: Readonly<Record<string, number>> = { s: 1000, ms: 1, us: 0.001, µs: 0.001, ns: 0.000001 };
const kRateToGbPerS: Readonly<Record<string, number>> = { 'mb/s': 0.001, 'gb/s': 1, 'tb/s': 1000 };

// The factor from the unit typed to the unit asked; undefined if they do not go together.
function unitFactor(typed: string, asked: string): number | undefined {
  const unit = typed.trim().toLowerCase();
  if (unit === '') return 1;
  const want = asked.trim().toLowerCase();
  if (unit === want) return 1;
  const wantTime = /^(?:ns|us|ms|s)\b/.exec(want)?.[0];
  if (wantTime !== undefined) {
    const typedMs = kTimeToMs[unit.replace(/ (a|per) step$|\/step$/, '')];
    return typedMs === undefined ? undefined : typedMs / (kTimeToMs[wantTime] ?? 1);
  }
  if (/^gb\/s\b/.test(want)) return kRateToGbPerS[unit];
  if (/^%/.test(want)) return unit === '%' || unit === 'percent' ? 1 : undefined;
  return want.startsWith(unit) ? 1 : undefined;
}

function example(asked: string): string {
  if (/^(?:ns|us|ms|s)\b/i.test(asked)) return 'a time, such as 22 ms or 0.022 s';
  if (/^gb\/s\b/i.test(asked)) return 'a rate, such as 38 GB/s';
  if (asked.startsWith('%')) return 'a percentage, such as 12 %';
  return asked === '' ? 'a number' : `a number of ${asked}`;
}

// The deciding number in the unit asked; the unit may be left out, or be one that converts.
export function parseDecidingNumber(text: string, askedUnit: string): Parsed<number | undefined> {
  if (text.trim() === '') return { ok: true, value: undefined };
  const found = new RegExp(`^\\s*(${kNumber})\\s*(.*?)\\s*$`, 'u').exec(text);
  const factor = found === null ? undefined : unitFactor(found[2] ?? '', askedUnit);
  if (found === null || factor === undefined) return { ok: false, error: `Expected ${example(askedUnit)}.` };
  return { ok: true, value: rounded(toNumber(found[1] ?? '') * factor) };
}

export interface Win {
  readonly value: number;
  readonly unit: 'percent' | 'ms';
}

// The expected win: "22.6 %", "23 ms", "0.023 s". A bare 0 is no win in either unit; another bare number has none.
export function parseWin(text: string): Parsed<Win | undefined> {
  const expected = 'Expected a win, such as 22 % or 23 ms.';
  if (text.trim() === '') return { ok: true, value: undefined };
  const found = new RegExp(`^\\s*(${kNumber})\\s*(%|percent|ms|s|us|µs)?\\s*$`, 'iu').exec(text);
  if (found === null) return { ok: false, error: expected };
  const value = toNumber(found[1] ?? '');
  const unit = found[2]?.toLowerCase();
  if (unit === undefined)
    return value === 0
      ? { ok: true, value: { value: 0, unit: 'percent' } }
      : { ok: false, error: 'Which unit? Write ms or %.' };
  if (unit === '%' || unit === 'percent') return { ok: true, value: { value, unit: 'percent' } };
  return { ok: true, value: { value: rounded(value * (kTimeToMs[unit] ?? 1)), unit: 'ms' } };
}
