import { HttpResponse } from '../http/responses.ts';

/** A refusal for git: plain text, which it shows to the user after `remote:`. */
export class GitRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'GitRefusal';
    this.status = status;
    this.headers = headers;
  }

  /** The refusal as a response. */
  toResponse(): HttpResponse {
    const type: Record<string, string> = this.message === '' ? {} : { 'content-type': 'text/plain; charset=utf-8' };
    return new HttpResponse(this.message, { status: this.status, headers: { ...type, ...this.headers }, raw: true });
  }
}
