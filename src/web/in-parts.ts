import { TimeSlice } from '../concurrency/time-slice.ts';
import { Html } from './html.ts';

/** Characters of a part that is sent: much longer texts start collections of the whole heap when they are converted to bytes. */
const PART = 64 * 1024;

/** Markup of many pieces in parts of some length, with pauses in which others are served. */
export async function* inParts(pieces: AsyncIterable<Html> | Iterable<Html>): AsyncGenerator<Html> {
  const slice = new TimeSlice();
  let text = '';
  for await (const piece of pieces) {
    if (slice.isOver) await slice.next();
    text += piece.text;
    if (text.length < PART) continue;
    yield new Html(text);
    text = '';
  }
  if (text !== '') yield new Html(text);
}
