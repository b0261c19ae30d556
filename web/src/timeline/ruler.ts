// Round time steps for the ruler and the grid lines.
import { formatFixed } from '../base/format';
import type { CssPixels, Ns } from '../base/units';
import type { TimeScale } from './time_scale';

export interface Tick {
  readonly at: Ns;
  readonly label: string;
}

const kUnits = [
  { ns: 1e9, name: 's' },
  { ns: 1e6, name: 'ms' },
  { ns: 1e3, name: 'us' },
  { ns: 1, name: 'ns' },
] as const;

/** The smallest of 1, 2, 5 times a power of ten ns that is at least `apart` wide on screen. */
export function tickStep(scale: TimeScale, apart: CssPixels): Ns {
  const least = Math.max(1, apart / scale.cssPerNs);
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= least * 0.999) ?? 10;
  return factor * power;
}

/** Ticks in the window, counted from `originNs`; the unit stands on the first label only. None before the first layout. */
export function ticksOf(scale: TimeScale, originNs: Ns, apart: CssPixels): Tick[] {
  if (scale.widthCss <= 0) return [];
  const step = tickStep(scale, apart);
  const unit = kUnits.find((candidate) => step >= candidate.ns) ?? kUnits[3];
  const ticks: Tick[] = [];
  const first = Math.ceil((scale.view.beginNs - originNs) / step);
  for (let count = first; originNs + count * step <= scale.view.endNs; count += 1) {
    const value = formatFixed((count * step) / unit.ns, 0);
    ticks.push({ at: originNs + count * step, label: ticks.length ? value : `${value} ${unit.name}` });
  }
  return ticks;
}
