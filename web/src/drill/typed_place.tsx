// The place as numbers, where no timeline is on this page: rank, and from when to when as Perfetto's ruler has it.
import { useState } from 'preact/hooks';
import type { Place } from '../client/messages';
import type { TraceModel } from '../client/trace_model';
import { parseTypedPlace } from './place';

interface Props {
  readonly trace: TraceModel;
  readonly onPlace: (place: Place | undefined) => void;
  readonly firstRef: (element: HTMLElement | null) => void;
}

export function TypedPlace({ trace, onPlace, firstRef }: Props) {
  const [typed, setTyped] = useState({ rank: '', from: '', to: '' });
  const parsed = parseTypedPlace(typed, trace);
  const change = (changed: Partial<typeof typed>) => {
    const next = { ...typed, ...changed };
    setTyped(next);
    const place = parseTypedPlace(next, trace);
    onPlace(place.ok ? place.value : undefined);
  };
  const field = (id: keyof typeof typed, label: string, ref?: (element: HTMLElement | null) => void) => (
    <label>
      <span>{label}</span>
      <input
        {...(ref ? { ref } : {})}
        class="input num"
        type="text"
        inputMode="decimal"
        autocomplete="off"
        value={typed[id]}
        aria-invalid={!parsed.ok}
        onInput={(event) => change({ [id]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <>
      <div class="typed-place">
        {field('rank', 'rank', firstRef)}
        {field('from', 'from, ms')}
        {field('to', 'to, ms')}
      </div>
      {!parsed.ok && (
        <p class="field-error">
          <span aria-hidden="true">✕</span> {parsed.error}
        </p>
      )}
    </>
  );
}
