// The last twenty, and which category is weakest: counted by the core from the attempts kept here.
import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../client/client';
import { summarise, type Summary } from './api';
import { toWire, type MathAttempt } from './attempts';
import { minutesText } from './state';

const kShown = 20;

export function Totals({
  client,
  attempts,
}: {
  readonly client: Client;
  readonly attempts: readonly MathAttempt[];
}) {
  const [summary, setSummary] = useState<Summary>();
  const count = attempts.length;
  useEffect(() => {
    if (count === 0) return undefined;
    let isGone = false;
    summarise(client, toWire(attempts).slice(-kShown))
      .then((got) => !isGone && setSummary(got))
      .catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [client, count]);
  if (summary === undefined) return null;
  const { all } = summary;
  return (
    <section aria-labelledby="math-last">
      <h2 id="math-last">Last {Math.min(kShown, count)}</h2>
      <dl class="math-totals">
        {(['right', 'close', 'wrong', 'miss'] as const).map((key) => (
          <div key={key}>
            <dt>{key === 'miss' ? 'over the time' : key}</dt>
            <dd class="num">{all[key]}</dd>
          </div>
        ))}
        <div>
          <dt>median time</dt>
          <dd class="num">{all.median_ms === null ? '' : minutesText(all.median_ms)}</dd>
        </div>
      </dl>
    </section>
  );
}
