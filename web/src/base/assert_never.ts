/** The end of an exhaustive switch: a new variant is a type error here, and an exception if it slips through. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
