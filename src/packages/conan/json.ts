import { type HttpResponse, raw } from '../../http/responses.ts';

/** A JSON document of the registry: as bytes, so that its media type gets no character set, as clients of Gitea know it. */
export function json(body: unknown, options: { status?: number; headers?: Record<string, string> } = {}): HttpResponse {
  return raw(Buffer.from(`${JSON.stringify(body)}\n`), 'application/json', options);
}
