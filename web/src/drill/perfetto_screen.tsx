// Perfetto only: neither prompt nor timeline before the commit. What there is: the trace to take away, the order to read it
// in, and the form.
import type { ComponentChildren } from 'preact';
import type { Client } from '../client/client';
import { ExportButton } from './export_button';
import { ReadingOrder } from './reading_order';
import type { Answering, AttemptEvent, Committed, Revealing } from './state';

interface Props {
  readonly client: Client;
  readonly state: Answering | Committed | Revealing;
  readonly dispatch: (event: AttemptEvent) => void;
  /** The form, or the locked answer. */
  readonly answer: ComponentChildren;
}

export function PerfettoScreen({ client, state, dispatch, answer }: Props) {
  return (
    <main class="drill solo" data-panel="commit">
      <h1 class="visually-hidden">Drill {state.drill}, in Perfetto</h1>
      <section class="hand-over" aria-label="The trace">
        <h2>Read it in Perfetto</h2>
        <p>Prompt and timeline are shown here after the commit. The clock runs.</p>
        <p class="as-file">
          <ExportButton client={client} drill={state.drill} />
        </p>
        <ReadingOrder
          items={state.catalog.reading_order}
          ticked={state.ticked}
          onTick={(item) => dispatch({ type: 'tick_item', item, figure: '' })}
        />
      </section>
      <aside class="side" data-sheet="full" aria-label="Commit">
        {answer}
      </aside>
    </main>
  );
}
