import type { Services } from '../../context.ts';
import { HttpResponse, raw } from '../../http/responses.ts';
import type { RequestParts } from '../../http/route.ts';
import { PackageError } from '../errors.ts';
import { plainRefusal } from '../protocol/routes.ts';

/** The header of every response of a registry, by which clients recognize it. */
export const API_VERSION = { 'docker-distribution-api-version': 'registry/2.0' };

/** The codes of the distribution specification, "Error Codes", with the status of each. */
const STATUSES = {
  BLOB_UNKNOWN: 404,
  BLOB_UPLOAD_INVALID: 400,
  BLOB_UPLOAD_UNKNOWN: 404,
  DENIED: 403,
  DIGEST_INVALID: 400,
  MANIFEST_BLOB_UNKNOWN: 404,
  MANIFEST_INVALID: 400,
  MANIFEST_UNKNOWN: 404,
  NAME_INVALID: 400,
  NAME_UNKNOWN: 404,
  SIZE_INVALID: 400,
  TOOMANYREQUESTS: 429,
  UNAUTHORIZED: 401,
  UNSUPPORTED: 501,
} as const;

/** A code of the distribution specification. */
export type ContainerCode = keyof typeof STATUSES;

/** An error with one of the codes of container registries. */
export class ContainerError extends PackageError {
  readonly code: ContainerCode;
  /** @param options.status if it is not the usual one of the code */
  constructor(code: ContainerCode, options: { message?: string; status?: number; headers?: Record<string, string> } = {}) {
    super('invalid', { message: '', status: STATUSES[code], ...options });
    this.code = code;
  }
}

/** The response to an error: JSON with a code, but plain text if the caller has no right, as clients of Gitea expect. */
export function refuseContainer(error: PackageError, _request: RequestParts, services: Services): HttpResponse {
  if (error instanceof ContainerError) return errorResponse(error.code, error);
  if (error.problem === 'unauthorized' && !error.headers['www-authenticate']) {
    return errorResponse('UNAUTHORIZED', { ...error, message: '', headers: { 'www-authenticate': bearerChallenge(services) } });
  }
  if (error.status === 403) return errorResponse('DENIED', error);
  if (error.status === 429 || error.status === 503) return errorResponse('TOOMANYREQUESTS', error);
  const { status, headers, body } = plainRefusal(error);
  return new HttpResponse(body, { status: status ?? error.status, headers: { ...API_VERSION, ...headers }, raw: true });
}

/** The challenge for a client without credentials: where it gets a token (distribution specification, "Token Authentication"). */
export function bearerChallenge({ settings }: Pick<Services, 'settings'>): string {
  return `Bearer realm="${new URL(settings.server.rootUrl).origin}/v2/token",service="container_registry",scope="*"`;
}

/** A JSON document of the registry. */
export function json(body: unknown, options: { status?: number; headers?: Record<string, string>; type?: string } = {}): HttpResponse {
  const { status = 200, headers = {}, type = 'application/json' } = options;
  // As bytes, so that no charset is added to the media type, which clients compare.
  return raw(Buffer.from(`${JSON.stringify(body)}\n`), type, { status, headers: { ...API_VERSION, ...headers } });
}

function errorResponse(code: ContainerCode, error: Pick<PackageError, 'message' | 'status' | 'headers'>): HttpResponse {
  const { message, status, headers } = error;
  return json({ errors: [{ code, message }] }, { status, headers: { ...headers } });
}
