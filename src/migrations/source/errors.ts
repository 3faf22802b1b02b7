/**
 * Why a source could not be read: it refused the credentials (`authentication`), asks for a second factor (`two-factor`), limits its
 * requests for too long (`rate-limit`), has no such thing (`missing`), sent what cannot be used (`content`), or failed otherwise (`other`).
 */
export type SourceFault = 'authentication' | 'two-factor' | 'rate-limit' | 'missing' | 'content' | 'other';

/** The API of a source could not be read. Users may read the message: it contains neither credentials nor text of the source. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly fault: SourceFault;
  constructor(fault: SourceFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
