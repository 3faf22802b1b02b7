import type { Fields } from '../source/fields.ts';
import type { SourcePerson } from '../source/source.ts';

/** A user; undefined for none. Negative ids mean deleted users. */
export function readPerson(fields: Fields | undefined): SourcePerson | undefined {
  if (!fields) return undefined;
  const name = fields.text('login', 255) || fields.text('username', 255);
  return name === '' ? undefined : { id: readId(fields), name };
}

function readId(fields: Fields): number {
  try {
    return fields.count('id');
  } catch {
    return 0;
  }
}
