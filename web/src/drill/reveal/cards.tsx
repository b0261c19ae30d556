// The four cards under the timelines: the cause in code, the sums of the win, every rank, the read in order.
import { formatFixed, formatMs } from '../../base/format';
import type { AttemptNotes } from '../../client/attempts';
import type { Catalog, Truth } from '../../client/messages';
import { diffLines } from '../diff';
import { NumbersText } from '../numbers_text';
import type { Recording } from '../use_recorder';
import type { RankWords } from './rank_words';

export function CauseCard({ truth }: { readonly truth: Truth }) {
  const lines = diffLines(truth.fix.code_before ?? '', truth.fix.code_after ?? '');
  return (
    <section>
      <h2>{lines.length > 0 ? 'Cause, before and after' : 'Cause'}</h2>
      {lines.length > 0 ? (
        <figure class="diff">
          <figcaption class="mono">{truth.fix.code_title}</figcaption>
          <pre tabIndex={0} aria-label="Code before and after">
            {lines.map((line, index) => (
              <span key={index} class="line" data-sign={line.sign}>
                <span class="sign">{line.sign === '-' ? '\u2212' : line.sign}</span>
                {line.text}
                {'\n'}
              </span>
            ))}
          </pre>
        </figure>
      ) : (
        <p class="prose">{truth.fix.text || 'There is no code to change.'}</p>
      )}
      {truth.lookalikes.map((twin) => (
        <p class="prose" key={twin.cause}>
          <b>Lookalike: {twin.title}.</b> <NumbersText text={twin.text} />
        </p>
      ))}
    </section>
  );
}

export function WinCard({
  truth,
  predicted,
}: {
  readonly truth: Truth;
  readonly predicted: string | undefined;
}) {
  return (
    <section>
      <h2>The win, in sums</h2>
      <table class="sums">
        <tbody>
          {truth.win.sums.map((row, index) => (
            <tr key={index} class={row.strong ? 'strong' : ''}>
              <th scope="row">{row.label}</th>
              <td>{row.value.replace(/^-/, '\u2212')}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">your prediction</th>
            <td>{predicted ?? '\u2013'}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}

export function RanksCard({ truth, words }: { readonly truth: Truth; readonly words: RankWords }) {
  const most = Math.max(1, ...truth.ranks.map((one) => one.compute_ns));
  const latest = Math.max(0, ...truth.ranks.map((one) => one.lateness_ns));
  return (
    <section>
      <h2>Every rank, mean of the shown steps</h2>
      <table class="ranks">
        <thead>
          <tr>
            <th scope="col">Rank</th>
            <th scope="col" class="n">
              {words.compute}
            </th>
            <th scope="col" class="bar">
              <span class="visually-hidden">share of the longest</span>
            </th>
            <th scope="col" class="n">
              {words.comm}
            </th>
            <th scope="col" class="n">
              {words.late}
            </th>
          </tr>
        </thead>
        <tbody>
          {truth.ranks.map((one) => {
            // The rank that the others wait for, if the lateness is more than jitter beside its compute time.
            const isLast = words.isLastOne && one.lateness_ns === latest && latest > 0.02 * one.compute_ns;
            return (
              <tr key={one.rank} class={isLast ? 'last' : ''}>
                <th scope="row">{one.rank}</th>
                <td class="n">{formatFixed(one.compute_ns / 1e6, 1)}</td>
                <td class="bar">
                  <i style={{ width: `${(one.compute_ns / most) * 100}%` }} />
                </td>
                <td class="n">{formatFixed(one.comm_ns / 1e6, 1)}</td>
                <td class="n">
                  {one.lateness_ns > 0 ? '+' : ''}
                  {formatMs(one.lateness_ns)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface ReadProps {
  readonly truth: Truth;
  readonly catalog: Catalog;
  readonly notes: AttemptNotes;
  readonly recording: Recording;
}

// The model read beside the learner's own, written or spoken.
export function ReadCard({ truth, catalog, notes, recording }: ReadProps) {
  return (
    <section>
      <h2>The read, in order</h2>
      <dl class="read">
        {truth.read.map((item) => (
          <div key={item.id}>
            <dt>{catalog.reading_order.find((one) => one.id === item.id)?.title ?? item.id}</dt>
            <dd>
              <NumbersText text={item.text} />
            </dd>
          </div>
        ))}
        {notes.spoken !== '' && (
          <div>
            <dt>Yours</dt>
            <dd class="said">{notes.spoken}</dd>
          </div>
        )}
        {recording.phase === 'done' && (
          <div>
            <dt>Recorded</dt>
            <dd>
              <audio controls src={recording.url} aria-label="Your recorded read" />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
