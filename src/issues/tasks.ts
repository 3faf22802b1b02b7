import { conflict } from '../http/errors.ts';

/**
 * A text with the checkbox of a task toggled.
 * @param position the byte offset of its checkbox, as in `data-source-position` of rendered texts
 * @throws HttpError 409 when no checkbox is there, as after somebody else's change
 */
export function withTaskTicked(text: string, position: number): string {
  const bytes = Buffer.from(text);
  const box = Number.isSafeInteger(position) && position >= 0 ? bytes.toString('latin1', position, position + 3) : '';
  if (!/^\[[ xX]\]$/.test(box)) throw conflict('the text is already changed');
  bytes[position + 1] = (box === '[ ]' ? 'x' : ' ').charCodeAt(0);
  return bytes.toString();
}
