// The `math_*` methods of docs/api.md.
import type { CallOptions, Client } from '../client/client';

export type MathGrade = 'right' | 'close' | 'wrong';

export interface Question {
  readonly problem: string;
  readonly question: string;
  readonly conventions: string;
  readonly asks: 'number' | 'verdict';
  /** Of a bare number; null for verdicts, empty for a plain count. */
  readonly unit: string | null;
  readonly choices: readonly string[] | null;
}

export interface Step {
  readonly text: string;
  readonly sum: string;
}

export interface Graded extends Question {
  readonly category: string;
  readonly seed: number;
  readonly grade: MathGrade;
  readonly why: string;
  readonly slip: string | null;
  /** Null if no answer was given. */
  readonly read_as: string | null;
  readonly in_time: boolean;
  readonly open_book: boolean;
  readonly answer_text: string;
  readonly steps: readonly Step[];
  readonly shortcut: Step | null;
  readonly in_practice: Step | null;
  readonly source: string | null;
  /** Of a category; cards and sums from a trace may have none. */
  readonly title?: string;
  readonly identity?: string;
  readonly formula_source?: string;
}

export interface MathCategory {
  readonly id: string;
  readonly title: string;
  readonly identity: string;
  readonly source: string;
  readonly is_core: boolean;
}

export interface MathCatalog {
  readonly categories: readonly MathCategory[];
  readonly limit_s: number;
  readonly storm_s: number;
}

export interface Reference {
  readonly formulas: readonly MathCategory[];
  readonly tables: readonly {
    readonly title: string;
    readonly note: string;
    readonly columns: readonly { readonly title: string; readonly unit: string }[];
    readonly rows: readonly {
      readonly title: string;
      readonly values: readonly (string | null)[];
      readonly source: string;
    }[];
  }[];
}

export type NextMode = 'plain' | 'weakest' | 'cards' | 'traces';

/** What the core needs of an attempt to choose and to count. */
export interface WireAttempt {
  readonly category: string;
  readonly grade: MathGrade;
  readonly in_time: boolean;
  readonly open_book: boolean;
  readonly elapsed_ms: number;
}

export interface Tally {
  readonly count: number;
  readonly right: number;
  readonly close: number;
  readonly wrong: number;
  readonly miss: number;
  readonly open_book: number;
  readonly median_ms: number | null;
}

export interface Summary {
  readonly all: Tally;
  readonly categories: readonly (Tally & {
    readonly category: string;
    readonly title: string;
    readonly expected_score: number;
  })[];
}

async function call<T>(client: Client, method: string, request: object, options?: CallOptions): Promise<T> {
  return (await client.call(method, request, options)).json as T;
}

export const fetchMathCatalog = (client: Client) => call<MathCatalog>(client, 'math_catalog', {});
export const fetchReference = (client: Client) => call<Reference>(client, 'math_reference', {});
export const openProblem = (client: Client, problem: string) =>
  call<Question>(client, 'math_open', { problem });
export const summarise = (client: Client, attempts: readonly WireAttempt[]) =>
  call<Summary>(client, 'math_summary', { attempts });

export async function nextProblem(
  client: Client,
  mode: NextMode,
  set: 'core' | 'all',
  seed: number,
  attempts: readonly WireAttempt[],
): Promise<Question> {
  const { problem } = await call<{ problem: string }>(client, 'math_next', { mode, set, seed, attempts });
  return openProblem(client, problem);
}

/** How a typed answer is read, or what was expected instead: one of the two is null. */
export const checkAnswer = (client: Client, problem: string, answer: string, options?: CallOptions) =>
  call<{ readonly read_as: string | null; readonly expected: string | null }>(
    client,
    'math_check',
    { problem, answer },
    options,
  );

export const gradeAnswer = (
  client: Client,
  problem: string,
  answer: string | null,
  elapsedMs: number,
  openBook: boolean,
) =>
  call<Graded>(client, 'math_answer', {
    problem,
    answer,
    elapsed_ms: Math.round(elapsedMs),
    open_book: openBook,
  });
