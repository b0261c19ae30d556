// After the answer: the grade with its reason, and the way to the answer with a unit on every line.
import type { Graded, Step } from './api';

const kSigns = { right: '\u2713', close: '\u2248', wrong: '\u2715' } as const;

export function GradePanel({ graded }: { readonly graded: Graded }) {
  const grade = graded.in_time ? graded.grade : 'wrong';
  return (
    <section class="panel sum-grade" role="status" aria-label="Grade">
      <span class="chip" data-grade={grade}>
        <span aria-hidden="true">{kSigns[grade]}</span>
        {graded.in_time ? graded.grade : `miss, ${graded.grade}`}
      </span>
      <div>
        <b>
          {graded.slip === null ? graded.answer_text : `Slip: ${graded.slip}.`}
          {graded.open_book && <small> open-book</small>}
        </b>
        <p>
          {graded.why}
          {graded.read_as !== null && graded.grade !== 'right' && ` You answered ${graded.read_as}.`}
          {!graded.in_time && ' Over two minutes: a miss.'}
        </p>
      </div>
    </section>
  );
}

export function Working({ graded }: { readonly graded: Graded }) {
  return (
    <section class="panel sum-working" aria-labelledby="sum-worked">
      <header>
        <h2 id="sum-worked">Worked</h2>
        <span class="muted">{graded.title ?? ''}</span>
      </header>
      <ol>
        {graded.steps.map((step, index) => (
          <li key={index}>
            <span class="muted num">{index + 1}</span>
            <Line step={step} />
          </li>
        ))}
      </ol>
      <dl>
        <Row name="In the head" step={graded.shortcut} />
        <Row name="In practice" step={graded.in_practice} />
        {graded.identity !== undefined && (
          <div>
            <dt>Identity</dt>
            <dd class="mono">{graded.identity}</dd>
          </div>
        )}
        <Source name="Formula" text={graded.formula_source} />
        <Source name="Numbers" text={graded.source ?? undefined} />
      </dl>
    </section>
  );
}

function Line({ step }: { readonly step: Step }) {
  return (
    <>
      <span>{step.text}</span>
      <span class="mono sum-line">{step.sum}</span>
    </>
  );
}

function Row({ name, step }: { readonly name: string; readonly step: Step | null }) {
  if (step === null) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {step.text}: <span class="mono">{step.sum}</span>
      </dd>
    </div>
  );
}

function Source({ name, text }: { readonly name: string; readonly text: string | undefined }) {
  if (text === undefined || text === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd class="muted">{text}</dd>
    </div>
  );
}
