import { type HttpResponse, raw } from '../../http/responses.ts';

/** A JSON document of the registry: as bytes, so that its media type has no charset, as clients of Gitea expect. */
export function json(body: unknown, options: { status?: number; headers?: Record<string, string> } = {}): HttpResponse {
  return raw(Buffer.from(`${JSON.stringify(body)}\n`), 'application/json', options);
}
