// The mental-math pages' public face.
export type { MathAttempt, MathAttemptStore } from './attempts';
export { MathPage } from './math_page';
export { ReferencePage } from './reference_page';
export { isMathMode, type MathMode } from './state';
export { SumButton } from './sum_button';
