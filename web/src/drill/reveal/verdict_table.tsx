// Your answer, part by part: what you said, what it is, and why it counts as it does.
import { elapsedMs, formatSeconds } from '../clock';
import type { Grade, PartId, Verdict } from '../../client/messages';
import { NumbersText } from '../numbers_text';
import type { Shown } from '../state';

const kSigns: Readonly<Record<Grade, string>> = {
  right: '\u2713',
  close: '\u2248',
  wrong: '\u2715',
  missing: '\u2013',
  not_needed: '\u2013',
};
const kWords: Readonly<Record<Grade, string>> = {
  right: 'right',
  close: 'close',
  wrong: 'wrong',
  missing: 'not given',
  not_needed: 'not needed',
};
const kNames: Readonly<Record<PartId, string>> = {
  diagnosis: 'Diagnosis',
  place: 'Place',
  number: 'Number',
  measurement: 'Measure',
  fix: 'Fix',
  win: 'Win',
  confidence: 'Sure',
};

export function Chip({ grade, word }: { readonly grade: Grade; readonly word?: string }) {
  return (
    <span class="chip" data-grade={grade}>
      <span aria-hidden="true">{kSigns[grade]}</span> {word ?? kWords[grade]}
    </span>
  );
}

// The truth stands beside an answer that missed it; a confidence has none beside the diagnosis' own.
function needsTruth({ id, grade, truth }: Verdict['parts'][number]): boolean {
  return id !== 'confidence' && grade !== 'right' && grade !== 'not_needed' && truth !== '';
}

export function VerdictTable({ verdict, state }: { readonly verdict: Verdict; readonly state: Shown }) {
  return (
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
        {verdict.parts.map((part) => (
          <tr key={part.id}>
            <th scope="row">{kNames[part.id]}</th>
            <td>
              <NumbersText text={part.yours || '\u2013'} />
              {needsTruth(part) && (
                <small>
                  Right: <NumbersText text={part.truth} />.
                </small>
              )}
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
        <TimeRow verdict={verdict} state={state} />
      </tbody>
    </table>
  );
}

function TimeRow({ verdict, state }: { readonly verdict: Verdict; readonly state: Shown }) {
  const { clock } = state;
  const time = formatSeconds(Math.floor(elapsedMs(clock, 0) / 1000));
  const isFree = clock.mode === 'free';
  const inTime = verdict.in_time && state.inTime;
  return (
    <tr>
      <th scope="row">Time</th>
      <td>
        <span class="num">{time}</span>
        {isFree ? ', no clock' : ` of ${formatSeconds(Math.round(clock.limitMs / 1000))}`}
        {clock.wasPaused && <small>The clock was paused.</small>}
      </td>
      <td>
        {isFree ? (
          <Chip grade="missing" word="not timed" />
        ) : (
          <Chip grade={inTime ? 'right' : 'wrong'} word={inTime ? 'in time' : 'miss'} />
        )}
      </td>
    </tr>
  );
}
