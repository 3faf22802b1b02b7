import { hasMoreParts } from '../../text/json-parts.ts';
import { invalid } from '../errors.ts';

/** Objects, lists and members of a document that is parsed on the main thread: it is blocked for some tens of milliseconds at most. */
const MAX_PARTS = 100_000;

/**
 * Parses a document that a client sent.
 * @param what its name, for the error
 * @throws PackageError 400 for invalid JSON, or too many parts
 */
export function parseJson(what: string, json: Buffer | string, maxParts = MAX_PARTS): unknown {
  if (hasMoreParts(typeof json === 'string' ? Buffer.from(json) : json, maxParts))
    throw invalid(`${what} has more than ${maxParts} objects, lists and members`);
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    throw invalid(`${what} is not JSON`);
  }
}

/**
 * {@link parseJson} for an object.
 * @throws PackageError 400
 */
export function parseJsonObject(what: string, json: Buffer | string, maxParts?: number): Record<string, unknown> {
  const parsed = parseJson(what, json, maxParts);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  throw invalid(`${what} is not a JSON object`);
}
