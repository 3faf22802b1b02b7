import { BusyError } from '../../concurrency/semaphore.ts';
import type { Context } from '../../context.ts';
import { DatabaseError } from '../../database/errors.ts';
import { HttpResponse } from '../../http/responses.ts';

/** The used codes, with their names and statuses in the Connect protocol: https://connectrpc.com/docs/protocol#error-codes */
const CODES = {
  InvalidArgument: ['invalid_argument', 400],
  NotFound: ['not_found', 404],
  AlreadyExists: ['already_exists', 409],
  PermissionDenied: ['permission_denied', 403],
  ResourceExhausted: ['resource_exhausted', 429],
  Internal: ['internal', 500],
  Unavailable: ['unavailable', 503],
  Unauthenticated: ['unauthenticated', 401],
} as const;

/** An error of a procedure, with a code of the Connect protocol. */
export class ProcedureError extends Error {
  override readonly name = 'ProcedureError';
  readonly code: keyof typeof CODES;

  constructor(code: keyof typeof CODES, message: string) {
    super(message);
    this.code = code;
  }
}

/** An error with a code of the Connect protocol. */
export function refusal(code: keyof typeof CODES, message: string): ProcedureError {
  return new ProcedureError(code, message);
}

/** Converts an error to one of the Connect protocol; an unexpected one is also logged. */
export function procedureError({ log, requestId }: Pick<Context, 'log' | 'requestId'>, error: unknown): ProcedureError {
  if (error instanceof ProcedureError) return error;
  if (error instanceof BusyError || error instanceof DatabaseError) return refusal('Unavailable', error.message);
  log.error({ err: error, requestId }, 'a request of a runner failed');
  return refusal('Internal', 'internal error');
}

/** The response to a request that is refused before its message is read. */
export function errorResponse({ code, message }: ProcedureError): HttpResponse {
  const [name, status] = CODES[code];
  return new HttpResponse(JSON.stringify({ code: name, message }), {
    status,
    headers: { 'content-type': 'application/json' },
    raw: true,
  });
}
