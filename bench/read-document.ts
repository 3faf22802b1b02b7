import { type Agent, request } from 'node:http';

/**
 * Reads all bytes of a response and counts them.
 * @param headers on a condition, those that say which bytes the client has already
 * @param agent the connections; Node's own when left out
 */
export async function readDocument(
  url: string,
  headers: Record<string, string> = {},
  agent?: Agent,
): Promise<{ bytes: number; etag: string }> {
  return await new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      // Lists that are made for each request have no entity tag.
      const isExpected = response.statusCode === ('if-none-match' in headers ? 304 : 200);
      response.on('end', () =>
        isExpected ? resolve({ bytes, etag: response.headers.etag ?? '' }) : reject(new Error(`${response.statusCode} ${url}`)),
      );
    });
    sent.on('error', reject).end();
  });
}
