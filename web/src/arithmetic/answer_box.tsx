// The line that is typed, how it is read, and what was expected instead.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../client/client';
import { checkAnswer, type Question } from './api';

interface Props {
  readonly client: Client;
  readonly question: Question;
  readonly text: string;
  readonly error: string | undefined;
  readonly isSending: boolean;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  /** What Enter on an empty line does. */
  readonly emptyMeans: string;
}

const kPauseMs = 250;

export function AnswerBox(props: Props) {
  const { question, text, error, isSending, onText, onSend, emptyMeans } = props;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), [question.problem]);
  const readAs = useReadAs(props);
  const expected = question.asks === 'verdict' ? (question.choices ?? []).join(' or ') : unitHint(question);
  return (
    <form
      class="sum-answer"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSending) onSend();
      }}
    >
      <label class="visually-hidden" for="sum-answer">
        Your answer
      </label>
      <div class="input wrap" data-invalid={error !== undefined}>
        <input
          id="sum-answer"
          ref={field}
          class="mono"
          type="text"
          inputMode="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={text}
          placeholder={expected}
          aria-describedby="sum-hint"
          aria-invalid={error !== undefined}
          onInput={(event) => onText(event.currentTarget.value)}
        />
        <span class="unit only-desk">{readAs === '' ? '' : `read as ${readAs}`}</span>
      </div>
      <button type="submit" class="btn primary big" disabled={isSending}>
        {text.trim() === '' ? emptyMeans : 'Answer'} <kbd>Enter</kbd>
      </button>
      <p id="sum-hint" class={error === undefined ? 'muted' : 'field-error'} role="status">
        {error ?? (question.asks === 'verdict' ? `Type ${expected}.` : bareText(question))}
      </p>
    </form>
  );
}

function unitHint({ unit }: Question): string {
  return unit === null || unit === '' ? 'a number' : `a number, in ${unit} or another unit`;
}

function bareText({ unit }: Question): string {
  return unit === null || unit === ''
    ? 'A plain number. Within 10 % is right.'
    : `A bare number is in ${unit}. Within 10 % is right.`;
}

// While one types, after a pause. Sums from a trace are simulated anew by each call, so those are read when sent.
function useReadAs({ client, question, text }: Props): string {
  const [read, setRead] = useState('');
  const isCheap = /^(math|card)\./.test(question.problem) && question.asks === 'number';
  useEffect(() => {
    setRead('');
    if (!isCheap || text.trim() === '') return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      checkAnswer(client, question.problem, text, { signal: abort.signal })
        // What cannot be read yet may still become an answer: nothing is said before it is sent.
        .then(({ read_as }) => !abort.signal.aborted && setRead(read_as ?? ''))
        .catch(() => undefined);
    }, kPauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, question.problem, isCheap, text]);
  return read;
}
