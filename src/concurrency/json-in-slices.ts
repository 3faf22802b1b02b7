import { TimeSlice } from './time-slice.ts';

/** Items that are serialized at once: some milliseconds, if they are small. */
const PIECE = 1000;

/** The JSON of a list, or of an object that may have long lists, made with pauses in which others are served. */
export async function jsonInSlices(value: object): Promise<string> {
  if (Array.isArray(value)) return listInSlices(value);
  const members = Object.entries(value);
  if (!members.some(([, member]) => isLong(member))) return JSON.stringify(value);
  const parts: string[] = [];
  for (const [name, member] of members) {
    const json = isLong(member) ? await listInSlices(member) : JSON.stringify(member);
    if (json !== undefined) parts.push(`${JSON.stringify(name)}:${json}`);
  }
  return `{${parts.join(',')}}`;
}

function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > PIECE;
}

async function listInSlices(items: readonly unknown[]): Promise<string> {
  if (items.length <= PIECE) return JSON.stringify(items);
  const slice = new TimeSlice();
  const parts: string[] = [];
  for (let at = 0; at < items.length; at += PIECE) {
    if (slice.isOver) await slice.next();
    parts.push(JSON.stringify(items.slice(at, at + PIECE)).slice(1, -1));
  }
  return `[${parts.join(',')}]`;
}
