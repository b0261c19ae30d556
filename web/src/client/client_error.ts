// What a call throws.

/** The codes of docs/api.md: the core's own, and the server's refusals of a request that never reached it. */
export const kWireCodes = [
  'invalid_argument',
  'malformed',
  'not_found',
  'unsupported',
  'internal',
  'forbidden',
  'method_not_allowed',
  'too_large',
  'unsupported_media_type',
  'busy',
] as const;

/** `offline`: no answer came at all; `malformed_reply`: one came that this page cannot read. */
export type ClientErrorCode = 'offline' | 'malformed_reply' | (typeof kWireCodes)[number];

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
