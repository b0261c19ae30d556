// Which keys the drill page acts on. Single letters and digits act only outside text fields, and never with a modifier.
import type { PartId } from '../client/messages';
import { kParts } from './form';

export type KeyAct =
  | { readonly act: 'part'; readonly part: PartId }
  | { readonly act: 'open_form' | 'commit' | 'to_timeline' | 'mark_place' | 'reveal' | 'next' };

export interface KeyPress {
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  // The focus is where typed text goes.
  readonly inText: boolean;
  // The focus is on something that Enter presses: a button, a link, a tick box.
  readonly onControl: boolean;
}

export function actOf(press: KeyPress): KeyAct | undefined {
  if (press.alt) return undefined;
  if (press.key === 'Enter' && press.ctrl) return { act: 'commit' };
  if (press.ctrl) return undefined;
  if (press.key === 'Escape') return { act: 'to_timeline' };
  if (press.inText) return undefined;
  if (press.key === 'Enter') return press.onControl ? undefined : { act: 'open_form' };
  const part = kParts[Number(press.key) - 1];
  if (/^[1-7]$/.test(press.key) && part !== undefined) return { act: 'part', part };
  switch (press.key.toLowerCase()) {
    case 'p':
      return { act: 'mark_place' };
    case 'r':
      return { act: 'reveal' };
    case 'n':
      return { act: 'next' };
    default:
      return undefined;
  }
}

export function pressOf(event: KeyboardEvent): KeyPress {
  const target = event.target instanceof Element ? event.target : undefined;
  const isWithin = (selector: string) => (target?.closest(selector) ?? undefined) !== undefined;
  return {
    key: event.key,
    ctrl: event.ctrlKey || event.metaKey,
    alt: event.altKey,
    inText: isWithin('input:not([type="checkbox"]), textarea, [contenteditable]'),
    onControl: isWithin('button, a, input, summary, [role="combobox"], [role="radio"]'),
  };
}
