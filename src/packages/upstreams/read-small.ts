import type { Context } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import { isMissing } from './fetching.ts';
import { requestUpstream, UpstreamError } from './request.ts';

/** Milliseconds for a small text. */
const TIMEOUT_MS = 30_000;

/**
 * The text of a small response, such as a checksum; undefined if the upstream has none.
 * @throws UpstreamError
 */
export async function readSmall(context: Context, upstream: PackageUpstreamRow, url: string, maxSize: number): Promise<string | undefined> {
  try {
    const timeout = Math.min(TIMEOUT_MS, context.settings.packages.upstreamTimeout);
    const { body } = await requestUpstream(context, upstream, { url, timeout });
    return await readBody(body, maxSize);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * The text of the body of a small response.
 * @throws UpstreamError if it has more bytes
 */
export async function readBody(body: AsyncIterable<Buffer>, maxSize: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxSize) throw new UpstreamError(`its response has more than ${maxSize} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof UpstreamError ? error : new UpstreamError('its response ended too early', { cause: error });
  }
  return Buffer.concat(chunks).toString('utf8');
}
