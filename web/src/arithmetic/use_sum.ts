// Runs one sum after another: asks the core, keeps the clock's start, grades, and hands on what was attempted.
import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Client } from '../client/client';
import { checkAnswer, gradeAnswer, type Graded, type Question } from './api';
import { referenceAt } from './book';
import { reduce, type State } from './state';

export interface SumOptions {
  readonly client: Client;
  readonly first: State;
  readonly hasClock: boolean;
  readonly load: () => Promise<Question>;
  readonly onGraded: (graded: Graded, answer: string, elapsedMs: number) => void;
}

export interface Sum {
  readonly state: State;
  readonly next: () => void;
  readonly type: (text: string) => void;
  readonly send: () => void;
}

export const now = (): number => performance.now();

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function useSum(options: SumOptions): Sum {
  const [state, dispatch] = useReducer(reduce, options.first);
  const held = useRef(options);
  held.current = options;
  const latest = useRef(state);
  latest.current = state;

  useEffect(() => {
    if (state.phase !== 'loading') return undefined;
    let isGone = false;
    held.current
      .load()
      .then((question) => {
        if (isGone) return;
        // The clock starts with the frame in which the question is on screen.
        requestAnimationFrame(() => {
          if (!isGone) dispatch({ type: 'opened', question, nowMs: now(), wallMs: Date.now() });
        });
      })
      .catch((error: unknown) => !isGone && dispatch({ type: 'failed', message: messageOf(error) }));
    return () => {
      isGone = true;
    };
  }, [state.phase]);

  const send = async () => {
    const asked = latest.current;
    if (asked.phase !== 'asking' || asked.isSending) return;
    dispatch({ type: 'send' });
    const { client, hasClock } = held.current;
    const elapsedMs = now() - asked.startMs;
    const text = asked.text.trim();
    try {
      // Asked first, so that what cannot be read is no failed request: no answer was given, and the clock goes on.
      const { expected } =
        text === '' ? { expected: null } : await checkAnswer(client, asked.question.problem, text);
      if (expected !== null) {
        dispatch({ type: 'refused', message: expected });
        return;
      }
      const openBook = referenceAt() >= asked.startedAtMs;
      const graded = await gradeAnswer(
        client,
        asked.question.problem,
        text === '' ? null : text,
        hasClock ? elapsedMs : 0,
        openBook,
      );
      held.current.onGraded(graded, text, elapsedMs);
      dispatch({ type: 'graded', graded, elapsedMs });
    } catch (error) {
      // No reply: it may be sent again.
      dispatch({ type: 'refused', message: messageOf(error) });
    }
  };
  return {
    state,
    next: () => dispatch({ type: 'load' }),
    type: (text) => dispatch({ type: 'typed', text }),
    send: () => void send(),
  };
}
