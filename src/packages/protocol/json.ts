import { HttpResponse } from '../../http/responses.ts';

/** A JSON response of a format: its routes have no schemas. */
export function json(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): HttpResponse {
  return new HttpResponse(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers }, raw: true });
}
