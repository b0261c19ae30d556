// The bridge from a drill: the sum that its trace asks, beside the timeline, without leaving it.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../client/client';
import { openProblem } from './api';
import { OneSum } from './math_page';
import { useSum } from './use_sum';

export function SumButton({ client, drill }: { readonly client: Client; readonly drill: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="btn"
        aria-expanded={isOpen}
        title="A sum with the numbers of this trace: how long should it take?"
        onClick={() => setOpen(!isOpen)}
      >
        Sum
      </button>
      {isOpen && <SumDialog client={client} drill={drill} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DialogProps {
  readonly client: Client;
  readonly drill: string;
  readonly onClose: () => void;
}

// Not modal: the timeline stays in sight and can be read while one calculates. No clock of its own, for the drill's runs.
function SumDialog({ client, drill, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const sum = useSum({
    client,
    hasClock: false,
    first: { phase: 'loading' },
    load: () => openProblem(client, drill),
    onGraded: () => undefined,
  });
  const held = useRef(onClose);
  held.current = onClose;
  useEffect(() => {
    dialog.current?.show();
    // Wherever the focus is: a dialog that is not modal does not hear of it by itself.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      held.current();
    };
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, []);
  useEffect(() => {
    if (sum.state.phase === 'graded') dialog.current?.focus();
  }, [sum.state.phase]);
  return (
    <dialog
      ref={dialog}
      class="sum-dialog"
      aria-labelledby="sum-dialog-title"
      onClose={onClose}
      tabIndex={-1}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header>
        <h2 id="sum-dialog-title">The sum of this trace</h2>
        <button type="button" class="btn icon ghost" aria-label="Close the sum" onClick={onClose}>
          <svg class="icon-16" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M4 4l8 8M12 4l-8 8" />
          </svg>
        </button>
      </header>
      <div class="sum-dialog-body">
        <OneSum client={client} sum={sum} hasNext={false} />
      </div>
    </dialog>
  );
}
