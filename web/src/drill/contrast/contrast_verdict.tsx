// After the commit: both parts marked, and what sets the runs apart, pinned to the faulty one's intervals.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatMs, formatPercent } from '../../base/format';
import type { ContrastReveal } from '../../client/messages';
import { NumbersText } from '../numbers_text';
import { EvidenceList } from '../reveal/evidence_list';
import { Chip } from '../reveal/verdict_table';

interface Props {
  readonly revealed: ContrastReveal;
  readonly focused: ReadonlySet<string>;
  readonly onFocusLetters: (letters: readonly string[]) => void;
}

const kNames = { side: 'Run', diagnosis: 'Diagnosis' } as const;

export function ContrastVerdict({ revealed, focused, onFocusLetters }: Props) {
  const { truth, parts } = revealed;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  // On a phone the verdict stands below the runs, which have just grown by the ranks that the evidence opens.
  useEffect(() => {
    const frame = requestAnimationFrame(() => heading.current?.scrollIntoView({ block: 'start' }));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <>
      <section class="ct-truth">
        <h1 ref={heading} tabIndex={-1}>
          {truth.headline}
        </h1>
        <p>
          <NumbersText text={truth.summary} />
        </p>
        {truth.win.win_ns > 0 && (
          <p>
            The fix wins <span class="num">{formatMs(truth.win.win_ns)}</span>,{' '}
            <span class="num">{formatPercent(truth.win.win_frac)}</span> of{' '}
            {truth.win.per === 'step' ? 'the step' : `the time of a ${truth.win.per}`}.
          </p>
        )}
      </section>
      <table class="parts">
        <caption class="visually-hidden">Your answer, part by part</caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Answer and reason</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.id}>
              <th scope="row">{kNames[part.id]}</th>
              <td>
                {part.yours ?? '\u2013'}
                {part.grade !== 'right' && part.truth && <small>Right: {part.truth}.</small>}
                {part.why && (
                  <small>
                    <NumbersText text={part.why} />
                  </small>
                )}
              </td>
              <td>
                <Chip grade={part.grade} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <EvidenceList truth={truth} focused={focused} onFocusLetters={onFocusLetters} yours={null} />
      {truth.lookalikes.length > 0 && (
        <section class="ct-truth">
          {truth.lookalikes.map((twin) => (
            <p key={twin.cause}>
              <b>Lookalike: {twin.title}.</b> <NumbersText text={twin.text} />
            </p>
          ))}
        </section>
      )}
    </>
  );
}
