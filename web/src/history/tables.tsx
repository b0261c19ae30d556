import type { HistoryView, PartId } from '../client/messages';
import { secondsText, shareText } from './text';

export function CauseTable({ view }: { readonly view: HistoryView }) {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="By cause">
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">What it was</th>
            <th scope="col">Right</th>
            <th scope="col">In time</th>
            <th scope="col">Median</th>
          </tr>
        </thead>
        <tbody>
          {view.causes
            .filter((one) => one.cause !== 'inconclusive' || one.attempts > 0)
            .map((one) => (
              <tr key={one.cause} class={one.attempts === 0 ? 'muted' : ''}>
                <th scope="row">{one.title}</th>
                <td>{shareText(one.right, one.attempts)}</td>
                <td>{shareText(one.in_time, one.attempts)}</td>
                <td>{secondsText(one.median_ms)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

const kPartNames: Readonly<Record<PartId, string>> = {
  diagnosis: 'Diagnosis',
  place: 'Place',
  number: 'Deciding number',
  measurement: 'Confirming measurement',
  fix: 'Fix',
  win: 'Win',
  confidence: 'Confidence',
};

export function PartTable({ view }: { readonly view: HistoryView }) {
  return (
    <table class="plain-table">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Right</th>
          <th scope="col">Close</th>
        </tr>
      </thead>
      <tbody>
        {view.parts.map((one) => (
          <tr key={one.part}>
            <th scope="row">{kPartNames[one.part]}</th>
            <td>{shareText(one.right, one.asked)}</td>
            <td>{one.close === 0 ? '' : String(one.close)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function ConfidenceTable({ view }: { readonly view: HistoryView }) {
  if (view.confidences.length === 0) return <p class="muted">No attempt said how sure it was.</p>;
  return (
    <table class="plain-table">
      <thead>
        <tr>
          <th scope="col">You said</th>
          <th scope="col">You were right</th>
        </tr>
      </thead>
      <tbody>
        {view.confidences.map((one) => (
          <tr key={one.confidence_percent}>
            <th scope="row">{one.confidence_percent} %</th>
            <td>{shareText(one.right, one.attempts)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
