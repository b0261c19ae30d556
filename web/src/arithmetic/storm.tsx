// Storm: as many sums as one can in three minutes, by keyboard alone; accuracy and pace at the end.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Graded } from './api';
import { AnswerBox } from './answer_box';
import { outcomeOf, toMathAttempt } from './attempts';
import { loadNext, QuestionText, type OwnProps } from './math_page';
import { useTick } from './side_clock';
import { leftText, minutesText } from './state';
import { now, useSum } from './use_sum';

const kStormMs = 180_000;

interface Done {
  readonly graded: Graded;
  readonly answer: string;
  readonly elapsedMs: number;
}

export function Storm(props: OwnProps) {
  const [begin, setBegin] = useState<number>();
  const [isOver, setOver] = useState(false);
  const [done, setDone] = useState<readonly Done[]>([]);
  if (begin === undefined) {
    return (
      <section class="math-main" aria-label="Storm">
        <div class="sum-question">
          <p class="sum-text">As many as you can in three minutes.</p>
          <p class="muted">
            Keyboard alone: type, Enter. Enter on an empty line skips, and counts as wrong. The working comes
            at the end.
          </p>
        </div>
        <StartButton onStart={() => setBegin(now())} />
      </section>
    );
  }
  if (isOver) {
    return (
      <Result
        done={done}
        onAgain={() => {
          setDone([]);
          setOver(false);
          setBegin(now());
        }}
      />
    );
  }
  return (
    <Running
      {...props}
      begin={begin}
      last={done[done.length - 1]}
      onDone={(one) => setDone((earlier) => [...earlier, one])}
      onOver={() => setOver(true)}
    />
  );
}

function StartButton({ onStart }: { readonly onStart: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <button type="button" ref={button} class="btn primary big" onClick={onStart}>
      Start <kbd>Enter</kbd>
    </button>
  );
}

interface RunningProps extends OwnProps {
  readonly begin: number;
  readonly last: Done | undefined;
  readonly onDone: (one: Done) => void;
  readonly onOver: () => void;
}

function Running(props: RunningProps) {
  const { client, begin, last, onDone, onOver } = props;
  useTick(true);
  const leftMs = kStormMs - (now() - begin);
  const sum = useSum({
    client,
    hasClock: true,
    first: { phase: 'loading' },
    load: () => loadNext(props),
    onGraded: (graded, answer, elapsedMs) => {
      if (kStormMs - (now() - begin) <= 0) return;
      props.keep(toMathAttempt(graded, { answer, mode: 'storm', elapsedMs, atMs: Date.now() }));
      onDone({ graded, answer, elapsedMs });
    },
  });
  const { state } = sum;
  useEffect(() => {
    if (leftMs <= 0) onOver();
  }, [leftMs <= 0]);
  useEffect(() => {
    if (state.phase === 'graded') sum.next();
  }, [state.phase]);
  return (
    <>
      <section class="math-main" aria-label="The sum">
        {state.phase === 'asking' && (
          <>
            <QuestionText question={state.question} />
            <AnswerBox
              client={client}
              question={state.question}
              text={state.text}
              error={state.error}
              isSending={state.isSending}
              emptyMeans="Skip"
              onText={sum.type}
              onSend={sum.send}
            />
          </>
        )}
        {state.phase === 'failed' && (
          <p class="field-error" role="alert">
            {state.message}{' '}
            <button type="button" class="btn" onClick={sum.next}>
              Try again
            </button>
          </p>
        )}
        {last !== undefined && (
          <p class="storm-last" role="status">
            <span class="chip" data-grade={last.graded.grade}>
              {last.graded.grade}
            </span>{' '}
            the last one was <span class="mono">{last.graded.answer_text}</span>
            {last.graded.slip !== null && `; slip: ${last.graded.slip}`}
          </p>
        )}
      </section>
      <aside class="math-aside" aria-label="Clock">
        <section class="math-clock">
          <b role="timer" aria-live="off" aria-label="Time left">
            {leftText(leftMs)}
          </b>
          <small>left of the storm</small>
        </section>
      </aside>
    </>
  );
}

function Result({ done, onAgain }: { readonly done: readonly Done[]; readonly onAgain: () => void }) {
  const outcome = (one: Done) =>
    outcomeOf({ ...one.graded, elapsed_ms: one.elapsedMs, category: one.graded.category });
  const right = done.filter((one) => outcome(one) === 'right').length;
  const share = done.length === 0 ? '' : ` (${Math.round((100 * right) / done.length)} %)`;
  return (
    <section class="math-main" aria-label="Result of the storm">
      <div class="sum-question">
        <h2 class="sum-text" tabIndex={-1}>
          {right} of {done.length} right{share}
          {done.length > 0 && `, ${minutesText(kStormMs / done.length)} each`}
        </h2>
      </div>
      <StartButton onStart={onAgain} />
      <ol class="panel storm-list">
        {done.map((one, index) => (
          <li key={index}>
            <details>
              <summary>
                <span class="chip" data-grade={outcome(one) === 'miss' ? 'wrong' : one.graded.grade}>
                  {outcome(one)}
                </span>
                <span class="ell">{one.graded.title ?? one.graded.question}</span>
                <span class="num">{minutesText(one.elapsedMs)}</span>
              </summary>
              <p>{one.graded.question}</p>
              <p class="muted">
                Yours: {one.answer === '' ? 'skipped' : one.answer}. {one.graded.why}
              </p>
              <ul class="mono">
                {one.graded.steps.map((step, at) => (
                  <li key={at}>{step.sum}</li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}
