import { SourceError } from './errors.ts';

/** Objects, lists and their members in one response: many small ones take far longer to read than their bytes say. */
const MAX_PARTS = 250_000;

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = Buffer.from('"\\,[{');

/**
 * The JSON of a response; null if the body is empty.
 * @throws SourceError for invalid JSON, or if it has too many parts
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return null;
  // Each part has a byte of its own.
  if (body.length > MAX_PARTS) checkParts(body);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new SourceError('content', 'the server sent what is not JSON');
  }
}

function checkParts(body: Buffer): void {
  let parts = 0;
  let isInText = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) {
      if (byte === BACKSLASH) at++;
    } else if (byte === COMMA || byte === LIST || byte === OBJECT) parts++;
    if (parts > MAX_PARTS) throw new SourceError('content', `the server sent JSON of more than ${MAX_PARTS} parts`);
  }
}
