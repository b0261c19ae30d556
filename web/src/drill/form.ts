// The commit form as a value: what has been entered so far, and the commit it comes to.
import type { Catalog, Commit, Diagnosis, PartId, Place } from '../client/messages';
import { parseDecidingNumber, parseWin } from './numbers';

// The seven parts in their order, by the key that reaches each.
export const kParts = [
  'diagnosis',
  'place',
  'number',
  'measurement',
  'fix',
  'win',
  'confidence',
] as const satisfies readonly PartId[];

export const kConfidences = [50, 65, 80, 95] as const;

export interface Form {
  readonly diagnosis: string | undefined;
  readonly place: Place | undefined;
  readonly numberText: string;
  readonly measurement: string | undefined;
  readonly fix: string | undefined;
  readonly winText: string;
  readonly confidencePercent: number | undefined;
}

export const kEmptyForm: Form = {
  diagnosis: undefined,
  place: undefined,
  numberText: '',
  measurement: undefined,
  fix: undefined,
  winText: '',
  confidencePercent: undefined,
};

export function chosenDiagnosis(form: Form, catalog: Catalog): Diagnosis | undefined {
  return catalog.diagnoses.find((entry) => entry.id === form.diagnosis);
}

// Some diagnoses are not decided by one number: the API then leaves its label out.
export function asksNumber(diagnosis: Diagnosis): boolean {
  return (diagnosis.deciding_number ?? '') !== '';
}

export interface FormErrors {
  readonly number?: string;
  readonly win?: string;
}

// What stands in the way of a commit. A part left empty does not; one that cannot be read does, so that a slip of the
// finger is not graded as an answer.
export function formErrors(form: Form, catalog: Catalog): FormErrors {
  const number = parseDecidingNumber(form.numberText, chosenDiagnosis(form, catalog)?.deciding_unit ?? '');
  const win = parseWin(form.winText);
  return { ...(number.ok ? {} : { number: number.error }), ...(win.ok ? {} : { win: win.error }) };
}

// Why Commit is disabled; undefined if it is not.
export function whyNotYet(form: Form, catalog: Catalog): string | undefined {
  if (form.diagnosis === undefined) return 'Choose a diagnosis first; the other parts may stay empty.';
  const errors = formErrors(form, catalog);
  if (errors.number !== undefined) return `Part 3 cannot be read. ${errors.number}`;
  if (errors.win !== undefined) return `Part 6 cannot be read. ${errors.win}`;
  return undefined;
}

export interface Timing {
  readonly elapsedMs: number;
  readonly paused: boolean;
}

// The commit as the API takes it; undefined while whyNotYet() gives a reason.
export function toCommit(form: Form, catalog: Catalog, timing: Timing): Commit | undefined {
  if (form.diagnosis === undefined || whyNotYet(form, catalog) !== undefined) return undefined;
  const diagnosis = chosenDiagnosis(form, catalog);
  const number = parseDecidingNumber(form.numberText, diagnosis?.deciding_unit ?? '');
  const win = parseWin(form.winText);
  return {
    diagnosis: form.diagnosis,
    place: form.place ?? null,
    number: diagnosis !== undefined && asksNumber(diagnosis) && number.ok ? (number.value ?? null) : null,
    measurement: form.measurement ?? null,
    fix: form.fix ?? null,
    win: win.ok ? (win.value ?? null) : null,
    confidence_percent: form.confidencePercent ?? null,
    elapsed_ms: Math.round(timing.elapsedMs),
    paused: timing.paused,
  };
}
