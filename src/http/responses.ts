import { BusyError } from '../concurrency/semaphore.ts';
import { isForeignKeyViolation } from '../database/deletions.ts';
import { DatabaseError } from '../database/errors.ts';
import { HarmfulFileError } from '../git/edit/fsck-files.ts';
import { ObjectTooLargeError } from '../git/objects/object.ts';
import { GitLimitError, isGitMissing } from '../git/processes/process.ts';
import { VolumeUnavailableError } from '../git/volumes.ts';
import { RepositoryLockedError } from '../git/write-gate.ts';
import { StorageUnavailableError } from '../storage/storage.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { WorkerLimitError, WorkersBusyError } from '../workers/errors.ts';
import { HttpError, MovedError, notFoundBecause, unprocessable } from './errors.ts';

/** A handler's response that is more than a body with the route's default status. */
export class HttpResponse {
  readonly status: number | undefined;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  /** The body is sent as it is (text, bytes or a stream), not as JSON. */
  readonly raw: boolean;
  constructor(body: unknown, options: { status?: number; headers?: Record<string, string>; raw?: boolean } = {}) {
    this.body = body;
    this.status = options.status;
    this.headers = options.headers ?? {};
    this.raw = options.raw ?? false;
  }
}

/** A response without a body. */
export function empty(status: number, headers: Record<string, string> = {}): HttpResponse {
  return new HttpResponse('', { status, headers, raw: true });
}

/** Text, bytes or a stream with its own content type. */
export function raw(body: unknown, contentType: string, options: { status?: number; headers?: Record<string, string> } = {}): HttpResponse {
  return new HttpResponse(body, { status: options.status, headers: { 'content-type': contentType, ...options.headers }, raw: true });
}

/** `text/html`, for rendered markup. */
export function html(text: string): HttpResponse {
  return raw(text, 'text/html; charset=utf-8');
}

/** `text/plain`. */
export function text(body: string, status?: number): HttpResponse {
  return raw(body, 'text/plain; charset=utf-8', status === undefined ? {} : { status });
}

/** The response to an error: status, body, headers; undefined for an unexpected one. */
export function errorResponse(error: unknown, descriptionUrl: string, method: string): HttpResponse | undefined {
  if (error instanceof MovedError) return redirect(error, method);
  if (error instanceof BusyError) {
    return errorResponse(
      new HttpError(503, error.message, { headers: { 'retry-after': String(error.retryAfter) } }),
      descriptionUrl,
      method,
    );
  }
  if (error instanceof WorkersBusyError)
    return errorResponse(new HttpError(503, 'the server is too busy with such work, try again later'), descriptionUrl, method);
  if (error instanceof GitLimitError || error instanceof ObjectTooLargeError || error instanceof WorkerLimitError)
    return errorResponse(unprocessable('this is too large, or takes too long, to be worked out'), descriptionUrl, method);
  if (isGitMissing(error)) return errorResponse(new HttpError(503, 'git is not available on the server'), descriptionUrl, method);
  if (error instanceof HarmfulFileError) return errorResponse(unprocessable(error.message), descriptionUrl, method);
  if (error instanceof StorageUnavailableError || error instanceof VolumeUnavailableError || error instanceof RepositoryLockedError)
    return errorResponse(new HttpError(503, `${error.message}; try again later`, AGAIN), descriptionUrl, method);
  if (isForeignKeyViolation(error)) return errorResponse(notFoundBecause(DELETED_MEANWHILE), descriptionUrl, method);
  if (error instanceof DatabaseError) return errorResponse(unusable(error), descriptionUrl, method);
  if (error instanceof HttpError) {
    if (error.body === '') return empty(error.status, { ...error.headers });
    if (error.body !== undefined) return new HttpResponse(error.body, { status: error.status, headers: { ...error.headers } });
    const body = error.withUrl
      ? { message: error.message, url: descriptionUrl, ...error.fields }
      : { message: error.message, ...error.fields };
    return new HttpResponse(body, { status: error.status, headers: { ...error.headers } });
  }
  return undefined;
}

/** A request found what it refers to, such as a label, and another one deleted that before it was used. */
const DELETED_MEANWHILE = 'something that this refers to was deleted meanwhile';

/** When a client may try again while the database or the storage is unavailable. */
const AGAIN = { headers: { 'retry-after': '2' } };

function unusable({ failure, message }: DatabaseError): HttpError {
  if (failure === 'full') return new HttpError(507, message);
  return new HttpError(503, `${message}; try again later`, AGAIN);
}

/** A redirect, with the small HTML page that clients expect. */
function redirect({ status, location }: MovedError, method: string): HttpResponse {
  if (method !== 'GET' && method !== 'HEAD') return empty(status, { location });
  const reasons = { 301: 'Moved Permanently', 302: 'Found', 303: 'See Other', 307: 'Temporary Redirect' };
  return raw(`<a href="${escapeHtml(location)}">${reasons[status]}</a>.\n\n`, 'text/html; charset=utf-8', {
    status,
    headers: { location },
  });
}
