import { Readable } from 'node:stream';
import { invalid } from '../errors.ts';
import type { RandomAccess } from './zip.ts';

const MAGIC = '!<arch>\n';
const HEADER = 60;

/** A member of an archive. */
export interface ArMember {
  /** Without the slash that some writers end it with. */
  readonly name: string;
  readonly size: number;
  readonly open: () => Promise<Readable>;
}

/**
 * The members of an archive of `ar`, in their order (https://man7.org/linux/man-pages/man5/deb.5.html).
 * @throws PackageError 400 for an invalid archive, or more members than `maxMembers`
 */
export async function* readAr(source: RandomAccess, maxMembers: number): AsyncGenerator<ArMember> {
  if ((await readText(source, 0, MAGIC.length)) !== MAGIC) throw invalid('the archive cannot be read: it is none of ar');
  let members = 0;
  for (let at = MAGIC.length; at + HEADER <= source.size; ) {
    members++;
    if (members > maxMembers) throw invalid(`the archive has more than ${maxMembers} members`);
    const header = await readText(source, at, HEADER);
    const size = header.slice(48, 58).trim();
    const start = at + HEADER;
    if (!header.endsWith('`\n') || !/^\d{1,10}$/.test(size) || start + Number(size) > source.size) {
      throw invalid('the archive cannot be read: a member has no valid header');
    }
    const end = start + Number(size) - 1;
    yield {
      name: header.slice(0, 16).trim().replace(/\/$/, ''),
      size: Number(size),
      open: async () => (end < start ? Readable.from([]) : await source.open({ start, end })),
    };
    // Members begin at even offsets.
    at = end + 1 + ((end + 1) % 2);
  }
}

async function readText(source: RandomAccess, start: number, length: number): Promise<string> {
  if (start + length > source.size) return '';
  return Buffer.concat(await Array.fromAsync(await source.open({ start, end: start + length - 1 }))).toString('latin1');
}
