// The confirming measurement that the learner chose, made at the reveal beside what they said it would print.
import { useEffect, useState } from 'preact/hooks';
import { measureDrill, type Client } from '../../client/client';
import type { Measured } from '../../client/messages';
import { ToolOutput } from '../measure_panel';
import type { Shown } from '../state';

interface Props {
  readonly client: Client;
  readonly state: Shown;
}

export function YourMeasurement({ client, state }: Props) {
  const { catalog, commit, notes, revealed } = state;
  const { confirm } = revealed.reveal.truth;
  const option = catalog.measurements.find((one) => one.id === commit.measurement);
  const isTruths = option?.id === confirm.id;
  const measured = useMeasured(client, state, !isTruths && (option?.price_s ?? null) !== null);
  if (option === undefined || (isTruths && notes.prints === '')) return null;
  return (
    <li>
      <b>Yours</b>
      <div>
        {option.title}.
        {notes.prints !== '' && (
          <p class="said">
            You said it prints: <q>{notes.prints}</q>
          </p>
        )}
        {isTruths && ' What it prints stands below.'}
        {measured !== undefined && <ToolOutput measured={measured} title={option.title} />}
        {!isTruths &&
          option.price_s === null &&
          ' The trace itself holds what it would say; it decides nothing here.'}
      </div>
    </li>
  );
}

// What was bought while reading is not measured again.
function useMeasured(client: Client, state: Shown, isWanted: boolean): Measured | undefined {
  const { drill, commit, bought } = state;
  const id = commit.measurement ?? '';
  const purchase = bought.get(id);
  const known = purchase?.phase === 'done' ? purchase.measured : undefined;
  const [measured, setMeasured] = useState(known);
  useEffect(() => {
    if (!isWanted || known !== undefined) return undefined;
    const abort = new AbortController();
    measureDrill(client, { drill, measurement: id }, { signal: abort.signal })
      .then(setMeasured)
      .catch(() => undefined); // the reveal is whole without it
    return () => abort.abort();
  }, [client, drill, id, isWanted]);
  return isWanted ? measured : undefined;
}
