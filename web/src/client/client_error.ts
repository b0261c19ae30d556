// What a call throws.

/** `offline`: no answer came at all; `malformed_reply`: one came that this page cannot read; else the core's own code. */
export type ClientErrorCode =
  'offline' | 'malformed_reply' | 'invalid_argument' | 'malformed' | 'not_found' | 'unsupported' | 'internal';

export class ClientError extends Error {
  constructor(
    readonly code: ClientErrorCode,
    message: string,
    /** File, method or field; empty if it is not known. */
    readonly where = '',
  ) {
    super(message);
    this.name = 'ClientError';
  }
}
