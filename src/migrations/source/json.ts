import { hasMoreParts } from '../../text/json-parts.ts';
import { SourceError } from './errors.ts';

/** Objects, lists and their members in one response. */
const MAX_PARTS = 250_000;

/**
 * The JSON of a response; null if the body is empty.
 * @throws SourceError for invalid JSON, or if it has too many parts
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return null;
  if (hasMoreParts(body, MAX_PARTS)) throw new SourceError('content', `the server sent JSON of more than ${MAX_PARTS} parts`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new SourceError('content', 'the server did not send JSON');
  }
}
