import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../context.ts';
import { isForeignKeyViolation } from '../../database/deletions.ts';
import { DatabaseError } from '../../database/errors.ts';
import { loggableUrl } from '../../log.ts';
import { StorageUnavailableError } from '../../storage/storage.ts';
import type { HttpError } from '../errors.ts';
import { errorResponse, HttpResponse } from '../responses.ts';
import { diskFull } from './disk-errors.ts';

/** The plain-text messages of failed sign-ins. */
const PLAIN_REFUSALS: Readonly<Record<number, string>> = { 401: 'Failed to authenticate user', 403: 'Forbidden' };

/** Errors of downloads are plain text. */
export function refuseDownload(reply: FastifyReply, { status, message, fields }: HttpError): FastifyReply {
  const text = PLAIN_REFUSALS[status] ?? ('errors' in fields ? 'Not found.' : message);
  return reply.code(status).type('text/plain; charset=utf-8').send(`${text}\n`);
}

/**
 * The `code` of the log line about a row that refers to one that does not exist. Where nothing was deleted meanwhile, a check is missing:
 * `.ci/run` fails on it.
 */
const MISSING_REFERENCE = 'missing_reference';

/** Converts an error to a response; an unexpected one is a 500 and a line in the log. */
export async function refuse(services: Services, request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply> {
  const descriptionUrl = `${services.settings.server.rootUrl}api/swagger`;
  const full = diskFull(error);
  if (full) services.log.error({ requestId: request.id, url: loggableUrl(request.url), err: error }, 'the disk is full');
  const known = errorResponse(full ?? error, descriptionUrl, request.method);
  const about = { requestId: request.id, method: request.method, url: loggableUrl(request.url), err: error };
  if (error instanceof StorageUnavailableError) services.log.warn(about, 'the storage could not be used for a request');
  if (error instanceof DatabaseError) services.log.warn(about, 'the database could not be used for a request');
  if (isForeignKeyViolation(error))
    services.log.warn({ ...about, code: MISSING_REFERENCE }, 'a request refers to what was deleted meanwhile');
  if (!known) {
    // A client that disconnects while it sends its body is not an error of the server.
    if (isClientGone(request.raw, error)) services.log.info(about, 'a client left before its request was answered');
    else services.log.error(about, 'a request failed');
  }
  const response = known ?? new HttpResponse({ message: '', url: descriptionUrl }, { status: 500 });
  reply.code(response.status ?? 500).headers(response.headers);
  if (response.raw) return reply.send(response.body === '' ? undefined : response.body);
  return reply.header('content-type', 'application/json; charset=utf-8').send(`${JSON.stringify(response.body)}\n`);
}

function isClientGone(request: FastifyRequest['raw'], error: unknown): boolean {
  return (request.destroyed && !request.complete) || (error instanceof Error && error.name === 'AbortError');
}
