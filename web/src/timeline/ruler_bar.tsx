import type { RefObject } from 'preact';
import { formatDuration } from '../base/format';
import { lengthOf, type CssPixels } from '../base/units';
import type { Tick } from './ruler';
import type { TimeScale } from './time_scale';
import type { Selection } from './types';

/** Rough width of an 11 px label or tag of `length` characters. */
const kCharCss: CssPixels = 7;

export interface RulerProps {
  readonly hostRef: RefObject<HTMLDivElement | null>;
  readonly scale: TimeScale;
  readonly ticks: readonly Tick[];
  readonly selection: Selection | undefined;
}

/** Round steps; the selection as a bar with its length in a tag. Labels that would touch the tag are left out. */
export function Ruler({ hostRef, scale, ticks, selection }: RulerProps) {
  const tag = selection && placeTag(scale, selection);
  return (
    <div ref={hostRef} class="tl-ruler-scale" aria-hidden="true">
      {ticks.map((tick) => {
        const x = scale.nsToCss(tick.at);
        const isHidden =
          tag && x + 4 + tick.label.length * kCharCss > tag.left && x < tag.left + tag.width + 4;
        return (
          <span key={tick.at} class="tl-tick" style={{ left: `${x}px` }}>
            {!isHidden && <span>{tick.label}</span>}
          </span>
        );
      })}
      {selection && tag && (
        <>
          <span class="tl-sel-bar" style={{ left: `${tag.barLeft}px`, width: `${tag.barWidth}px` }} />
          <span class="tl-sel-tag" style={{ left: `${tag.left}px`, width: `${tag.width}px` }}>
            {tag.text}
          </span>
        </>
      )}
    </div>
  );
}

interface Tag {
  readonly text: string;
  readonly left: CssPixels;
  readonly width: CssPixels;
  readonly barLeft: CssPixels;
  readonly barWidth: CssPixels;
}

/** Centred over the visible part of the selection and kept inside; undefined if nothing of it is in sight. */
function placeTag(scale: TimeScale, selection: Selection): Tag | undefined {
  const from = Math.max(0, scale.nsToCss(selection.beginNs));
  const to = Math.min(scale.widthCss, scale.nsToCss(selection.endNs));
  if (to < 0 || from > scale.widthCss) return undefined;
  const text = formatDuration(lengthOf(selection));
  const width = text.length * kCharCss + 12;
  const left = Math.min(Math.max(0, (from + to) / 2 - width / 2), Math.max(0, scale.widthCss - width));
  return { text, left, width, barLeft: from, barWidth: Math.max(1, to - from) };
}
