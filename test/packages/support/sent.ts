import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A response as it was sent. */
export interface Sent {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Reads what `fetch` would decompress. */
export async function readSent(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Sent> {
  const sent = request(url, { method, headers }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}
