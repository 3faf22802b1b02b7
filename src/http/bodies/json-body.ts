import { TimeSlice } from '../../concurrency/time-slice.ts';
import { JsonPartCounter } from '../../text/json-parts.ts';
import { unprocessable } from '../errors.ts';

/** Objects, lists and members of a body: many small ones would block the main thread. A commit of 10,000 files has 60,000. */
const MAX_PARTS = 100_000;
/** Bytes in which they are counted before others are served. */
const STEP = 256 * 1024;

/**
 * Refuses JSON of too many parts.
 * @throws HttpError 422 `[]: …`
 */
export async function refuseManyParts(body: Buffer): Promise<void> {
  // Each part has a byte of its own.
  if (body.length <= MAX_PARTS) return;
  const counter = new JsonPartCounter();
  const slice = new TimeSlice();
  for (let at = 0; at < body.length; at += STEP) {
    counter.add(body.subarray(at, at + STEP));
    if (counter.parts > MAX_PARTS) throw unprocessable(`[]: more than ${MAX_PARTS} objects, lists and members`);
    if (slice.isOver) await slice.next();
  }
}

/**
 * The JSON value that a body begins with; what follows it does not count. An empty body is an empty object.
 * @throws HttpError 422 `[]: …`
 */
export function parseJsonBody(text: string): unknown {
  if (/^[ \t\r\n]*$/.test(text)) return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    const end = endOfFirstValue(text);
    if (end < text.length) return parseJsonBody(text.slice(0, end));
    throw unprocessable(`[]: ${(error as Error).message}`);
  }
}

/** Where the object or list that a text begins with ends; the length of the text if it begins with neither or has no end. */
function endOfFirstValue(text: string): number {
  if (!/^[ \t\r\n]*[{[]/.test(text)) return text.length;
  let depth = 0;
  let isInString = false;
  // A loop instead of an expression, which would look for the end of a string from each quote in it.
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') isInString = !isInString;
    else if (isInString) {
      if (sign === '\\') at++;
    } else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}
