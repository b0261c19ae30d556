// The attempts themselves, newest first, each with the way back to its drill.
import { useState } from 'preact/hooks';
import type { Attempt } from '../client/attempts';
import { dateText, secondsText } from './text';

interface Props {
  readonly attempts: readonly Attempt[];
  readonly titles: ReadonlyMap<string, string>;
}

const kFirst = 20;

export function AttemptList({ attempts, titles }: Props) {
  const [isWhole, setWhole] = useState(false);
  const newest = [...attempts].reverse();
  const shown = isWhole ? newest : newest.slice(0, kFirst);
  const titleOf = (id: string) => titles.get(id) ?? id;
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      <div class="scroll-x" tabIndex={0} role="region" aria-label="Attempts">
        <table class="plain-table attempts">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Drill</th>
              <th scope="col">It was</th>
              <th scope="col">You said</th>
              <th scope="col">Parts</th>
              <th scope="col">Time</th>
              <th scope="col">Sure</th>
              <th scope="col">Notes</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one, index) => (
              <tr key={`${one.at_ms} ${index}`}>
                <td>{dateText(one.at_ms)}</td>
                <td>
                  <a class="mono" href={`#/drill/${one.drill}`}>
                    {one.drill}
                  </a>
                </td>
                <td>{titleOf(one.cause)}</td>
                <td>
                  <span class="sign" data-grade={one.grades.diagnosis} aria-hidden="true">
                    {one.grades.diagnosis === 'right' ? '\u2713' : '\u2715'}
                  </span>{' '}
                  {titleOf(one.diagnosis)}
                </td>
                <td>
                  {one.right} of {one.of}
                </td>
                <td>
                  {secondsText(one.elapsed_ms)}
                  {timeNote(one)}
                </td>
                <td>{one.confidence_percent === null ? '' : `${one.confidence_percent} %`}</td>
                <td class="said">{[one.notes.spoken, one.notes.prints].filter(Boolean).join(' / ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {newest.length > shown.length && (
        <button type="button" class="btn" onClick={() => setWhole(true)}>
          All {newest.length}
        </button>
      )}
    </section>
  );
}

function timeNote(one: Attempt): string {
  const notes = [
    !one.counts && 'retry',
    one.mode !== 'full' && one.mode,
    one.paused && 'paused',
    !one.in_time && one.timed && 'a miss',
  ].filter(Boolean);
  return notes.length === 0 ? '' : `, ${notes.join(', ')}`;
}
