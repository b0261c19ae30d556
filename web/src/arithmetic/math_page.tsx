// The mental-math page: modes on the left, the sum in the middle, clock and name on the right.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../client/client';
import { nextProblem, openProblem, type NextMode, type Question } from './api';
import { AnswerBox } from './answer_box';
import { toMathAttempt, toWire, type MathAttempt, type MathAttemptStore } from './attempts';
import { SideClock } from './side_clock';
import { kModes, kModeTitles, type MathMode, type State } from './state';
import { Storm } from './storm';
import { Totals } from './totals';
import { useSum } from './use_sum';
import { GradePanel, Working } from './working';

export interface MathPageProps {
  readonly client: Client;
  readonly store: MathAttemptStore;
  readonly mode: MathMode;
  /** A sum that a link names: asked first. */
  readonly problem: string | undefined;
  readonly hasClock: boolean;
  readonly drawSeed: () => number;
}

export function MathPage(props: MathPageProps) {
  const { client, store, mode } = props;
  const attempts = useAttempts(store);
  const [set, setSet] = useState<'core' | 'all'>(readSet);
  const keep = (attempt: MathAttempt) => {
    attempts.add(attempt);
    void store.add(attempt).catch(() => undefined);
  };
  const chooseSet = (chosen: 'core' | 'all') => {
    storeSet(chosen);
    setSet(chosen);
  };
  const own = { ...props, set, attempts: attempts.list, keep };
  return (
    <main class="math">
      <h1 class="visually-hidden">Mental math</h1>
      <nav class="math-side" aria-label="Modes of the mental math">
        <h2>Mode</h2>
        <ul class="math-modes">
          {kModes.map((one) => (
            <li key={one}>
              <a href={mathHash(one)} aria-current={one === mode ? 'page' : undefined}>
                {kModeTitles[one]}
              </a>
            </li>
          ))}
        </ul>
        {mode !== 'cards' && mode !== 'traces' && (
          <button
            type="button"
            role="switch"
            class="switch"
            aria-checked={set === 'all'}
            onClick={() => chooseSet(set === 'all' ? 'core' : 'all')}
          >
            <i aria-hidden="true" />
            Further categories too
          </button>
        )}
        <Totals client={client} attempts={attempts.list} />
        <section>
          <h2>Reference</h2>
          <p class="muted">
            Formulas and tables are on their own page. Opening it marks the attempt as open-book.
          </p>
          <a class="btn" href="#/reference">
            Open the reference
          </a>
        </section>
      </nav>
      {mode === 'storm' ? (
        <Storm key={`storm ${set}`} {...own} />
      ) : (
        <OneByOne key={`${mode} ${set} ${props.problem ?? ''}`} {...own} />
      )}
    </main>
  );
}

export interface OwnProps extends MathPageProps {
  readonly set: 'core' | 'all';
  readonly attempts: readonly MathAttempt[];
  readonly keep: (attempt: MathAttempt) => void;
}

export function mathHash(mode: MathMode): string {
  return mode === 'one' ? '#/math' : `#/math/${mode}`;
}

const kNextModes: Readonly<Record<MathMode, NextMode>> = {
  one: 'plain',
  storm: 'plain',
  weakest: 'weakest',
  cards: 'cards',
  traces: 'traces',
};

export function loadNext({ client, mode, set, attempts, drawSeed }: OwnProps): Promise<Question> {
  return nextProblem(client, kNextModes[mode], set, drawSeed(), toWire(attempts));
}

// A sum that was on screen when the learner went to the reference page: it waits, and its clock runs.
let left: { readonly key: string; readonly state: State } | undefined;

function OneByOne(props: OwnProps) {
  const key = `${props.mode} ${props.set} ${props.problem ?? ''}`;
  const named = useRef(props.problem);
  const sum = useSum({
    client: props.client,
    hasClock: props.hasClock,
    first: left?.key === key ? left.state : { phase: 'loading' },
    load: () => {
      const problem = named.current;
      named.current = undefined;
      return problem === undefined ? loadNext(props) : openProblem(props.client, problem);
    },
    onGraded: (graded, answer, elapsedMs) =>
      props.keep(toMathAttempt(graded, { answer, mode: props.mode, elapsedMs, atMs: Date.now() })),
  });
  const { state } = sum;
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    left = undefined;
    return () => {
      left = latest.current.phase === 'asking' ? { key, state: latest.current } : undefined;
    };
  }, [key]);
  useNextKey(state.phase === 'graded', sum.next);
  return (
    <>
      <section class="math-main" aria-label="The sum">
        <OneSum client={props.client} sum={sum} />
      </section>
      <aside class="math-aside" aria-label="Clock and name">
        <SideClock state={state} hasClock={props.hasClock} />
        {state.phase === 'graded' && <Named graded={state.graded} />}
      </aside>
    </>
  );
}

interface OneSumProps {
  readonly client: Client;
  readonly sum: ReturnType<typeof useSum>;
  /** False where there is no other sum to go on to. */
  readonly hasNext?: boolean;
}

export function OneSum({ client, sum, hasNext = true }: OneSumProps) {
  const { state } = sum;
  switch (state.phase) {
    case 'ready':
      return null;
    case 'loading':
      return <p class="muted sum-wait">Next sum</p>;
    case 'failed':
      return (
        <div class="message panel" role="alert">
          <h2>No sum was drawn</h2>
          <p>{state.message}</p>
          <div class="acts">
            <button type="button" class="btn big" onClick={sum.next}>
              Try again
            </button>
          </div>
        </div>
      );
    case 'asking':
      return (
        <>
          <QuestionText question={state.question} />
          <AnswerBox
            client={client}
            question={state.question}
            text={state.text}
            error={state.error}
            isSending={state.isSending}
            emptyMeans="Show the working"
            onText={sum.type}
            onSend={sum.send}
          />
        </>
      );
    case 'graded':
      return (
        <>
          <QuestionText question={state.graded} />
          <div class="sum-given">
            <span class="input set">
              <span class="mono ell">{state.text === '' ? 'no answer' : state.text}</span>
            </span>
            {hasNext && <NextButton onNext={sum.next} />}
          </div>
          <GradePanel graded={state.graded} />
          <Working graded={state.graded} />
        </>
      );
  }
}

function NextButton({ onNext }: { readonly onNext: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  // Enter, that has just given the answer, goes on to the next sum.
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <button type="button" ref={button} class="btn big" onClick={onNext}>
      Next <kbd>N</kbd>
    </button>
  );
}

export function QuestionText({ question }: { readonly question: Question }) {
  return (
    <div class="sum-question">
      <p class="sum-text">{question.question}</p>
      <p class="muted">{question.conventions}</p>
    </div>
  );
}

function Named({ graded }: { readonly graded: { readonly problem: string; readonly category: string } }) {
  const drill = /^(?!math\.|card\.)([^/]+\/\d+)/.exec(graded.problem)?.[1];
  return (
    <div class="math-named">
      {drill !== undefined && (
        <section>
          <h2>From a trace</h2>
          <p class="muted">
            The numbers are those of drill{' '}
            <a class="sum-name" href={`#/drill/${drill}`}>
              {drill}
            </a>
          </p>
        </section>
      )}
      <section>
        <h2>Named here</h2>
        <p class="mono">
          {graded.category}
          <br />
          <a class="sum-name" href={`#/math/problem/${graded.problem}`}>
            {graded.problem}
          </a>
        </p>
      </section>
    </div>
  );
}

function useNextKey(isOn: boolean, onNext: () => void): void {
  const held = useRef(onNext);
  held.current = onNext;
  useEffect(() => {
    if (!isOn) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]') !== null || event.key.toLowerCase() !== 'n') return;
      event.preventDefault();
      held.current();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isOn]);
}

function useAttempts(store: MathAttemptStore) {
  const [list, setList] = useState<readonly MathAttempt[]>([]);
  useEffect(() => {
    store
      .all()
      .then((kept) => setList((now) => [...kept.map((one) => one.record), ...now]))
      .catch(() => undefined);
  }, [store]);
  return { list, add: (attempt: MathAttempt) => setList((now) => [...now, attempt]) };
}

const kSetKey = 'tracedrills.math_set';

function readSet(): 'core' | 'all' {
  try {
    return localStorage.getItem(kSetKey) === 'all' ? 'all' : 'core';
  } catch {
    return 'core';
  }
}

function storeSet(set: 'core' | 'all'): void {
  try {
    localStorage.setItem(kSetKey, set);
  } catch {
    // Nothing depends on it being remembered.
  }
}
