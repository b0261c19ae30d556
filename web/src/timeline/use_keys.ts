// Keyboard on the timeline: taps act once, held W S A D go on with the frames.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { actionOfKey, isHeldAction, type KeyAction } from './keys';

export interface KeyHandler {
  /** `amount` is 1 for a tap, a fraction for each frame of a held key. */
  readonly onAction: (action: KeyAction, amount: number) => void;
}

/** Taps in a second while a key is held. */
const kRatePerS = 9;
/** Auto-repeat pause: a tap must not turn into a glide. */
const kGlideAfterMs = 120;

/**
 * Listens on the whole document, so that no click is needed first. Of two compact viewers, the one that has the pointer
 * or the focus acts, and the first if neither has.
 */
export function useKeys(
  rootRef: RefObject<HTMLElement | null>,
  isCompact: boolean,
  handler: KeyHandler,
): void {
  const latest = useRef(handler);
  latest.current = handler;
  useEffect(() => {
    const held = new Map<string, KeyAction>();
    let frame = 0;
    let lastMs = 0;
    let pressedMs = 0;
    const stop = () => {
      cancelAnimationFrame(frame);
      frame = 0;
    };
    const glide = (nowMs: number) => {
      if (nowMs - pressedMs > kGlideAfterMs) {
        const amount = (Math.min(nowMs - lastMs, 50) / 1000) * kRatePerS;
        for (const action of held.values()) latest.current.onAction(action, amount);
      }
      lastMs = nowMs;
      frame = held.size ? requestAnimationFrame(glide) : 0;
    };
    const wantsGlide = () => !window.matchMedia('(prefers-reduced-motion: reduce)').matches;

    const onDown = (event: KeyboardEvent) => {
      const root = rootRef.current;
      if (event.defaultPrevented || !root || (isCompact && !isMeant(root))) return;
      // A dialog has the keyboard to itself: its Esc must not clear the selection behind it.
      if (event.target instanceof Element && event.target.closest('dialog, [role=dialog]')) return;
      const action = actionOfKey(event);
      if (!action) return;
      if (action !== 'clear') event.preventDefault();
      if (!isHeldAction(action) || !wantsGlide()) {
        latest.current.onAction(action, 1);
        return;
      }
      if (event.repeat || held.has(event.code)) return;
      held.set(event.code, action);
      latest.current.onAction(action, 1);
      pressedMs = lastMs = performance.now();
      if (!frame) frame = requestAnimationFrame(glide);
    };
    const onUp = (event: KeyboardEvent) => {
      held.delete(event.code);
      if (!held.size) stop();
    };
    const onBlur = () => {
      held.clear();
      stop();
    };
    document.addEventListener('keydown', onDown);
    document.addEventListener('keyup', onUp);
    window.addEventListener('blur', onBlur);
    return () => {
      stop();
      document.removeEventListener('keydown', onDown);
      document.removeEventListener('keyup', onUp);
      window.removeEventListener('blur', onBlur);
    };
  }, [rootRef, isCompact]);
}

function isMeant(root: HTMLElement): boolean {
  const near = '.tl:hover, .tl:focus-within';
  return root === (document.querySelector(near) ?? document.querySelector('.tl'));
}
