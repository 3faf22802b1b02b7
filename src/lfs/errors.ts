import { HttpResponse } from '../http/responses.ts';
import { LFS_MEDIA_TYPE } from './media-type.ts';

const TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  416: 'Requested Range Not Satisfiable',
  422: 'Unprocessable Entity',
  503: 'Service Unavailable',
};

/** A refusal as clients of Git LFS read it. */
export class LfsError extends Error {
  override readonly name = 'LfsError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** @param message the status in words when left out */
  constructor(status: number, message = TEXTS[status] ?? '', headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }

  /** The key has a capital letter, as in Gitea; clients read it case-insensitively. */
  toResponse(): HttpResponse {
    return lfsResponse({ Message: this.message }, { status: this.status, headers: this.headers });
  }
}

/** A response of the media type of Git LFS. */
export function lfsResponse(body: unknown, options: { status?: number; headers?: Readonly<Record<string, string>> } = {}): HttpResponse {
  const { status = 200, headers } = options;
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`);
  return new HttpResponse(bytes, { status, headers: { 'content-type': LFS_MEDIA_TYPE, ...headers }, raw: true });
}
