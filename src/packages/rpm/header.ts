import { invalid } from '../errors.ts';

/** Bytes before the signature. */
const LEAD = 96;
const MAGIC = 0x8eade801;
const INTRO = 16;
const ENTRY = 16;
/** Bytes and entries of one header: those of packages with many files have some millions and some dozens. */
const MAX_HEADER = 32 * 1024 * 1024;
const MAX_ENTRIES = 65_536;
/** Values of all entries that are read. */
const MAX_VALUES = 2_000_000;

const WIDTHS: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8 };
const [STRING, STRINGS, I18N] = [6, 8, 9];

interface Entry {
  readonly type: number;
  readonly offset: number;
  readonly count: number;
}

/** One of the two headers of a package: values by the number of their tag (https://rpm-software-management.github.io/rpm/manual/tags.html). */
export class RpmHeader {
  readonly #entries: ReadonlyMap<number, Entry>;
  readonly #store: Buffer;
  /** Bytes. */
  readonly length: number;

  /** @throws PackageError 400 */
  constructor(bytes: Buffer) {
    const { entries, size } = introOf(bytes);
    this.length = INTRO + entries * ENTRY + size;
    if (bytes.length < this.length) throw invalid('the package ends early');
    const at = (index: number, part: number) => bytes.readUInt32BE(INTRO + index * ENTRY + part * 4);
    const found = Array.from({ length: entries }, (_, index) => {
      return [at(index, 0), { type: at(index, 1), offset: at(index, 2), count: at(index, 3) }] as const;
    });
    if (found.reduce((sum, [, { count }]) => sum + count, 0) > MAX_HEADER) throw invalid('the header of the package has too many values');
    this.#entries = new Map(found);
    this.#store = bytes.subarray(INTRO + entries * ENTRY, this.length);
  }

  /** The texts of a tag; none where it is missing or has no texts. */
  texts(tag: number): string[] {
    const entry = this.#entries.get(tag);
    if (!entry || ![STRING, STRINGS, I18N].includes(entry.type)) return [];
    const texts: string[] = [];
    let at = entry.offset;
    for (let index = 0; index < checkCount(entry.type === STRING ? 1 : entry.count); index++) {
      const end = at < this.#store.length ? this.#store.indexOf(0, at) : -1;
      if (end < 0) throw invalid('the header of the package has a text without an end');
      texts.push(this.#store.toString('utf8', at, end));
      at = end + 1;
    }
    return texts;
  }

  /** The numbers of a tag; none where it is missing or has no numbers. */
  numbers(tag: number): number[] {
    const entry = this.#entries.get(tag);
    const width = WIDTHS[entry?.type ?? 0];
    if (!entry || !width) return [];
    if (entry.offset + checkCount(entry.count) * width > this.#store.length)
      throw invalid('the header of the package has numbers beyond its end');
    return Array.from({ length: entry.count }, (_, index) => {
      const at = entry.offset + index * width;
      return width === 8 ? Number(this.#store.readBigUInt64BE(at)) : this.#store.readUIntBE(at, width);
    });
  }

  text(tag: number): string {
    return this.texts(tag)[0] ?? '';
  }

  number(tag: number): number {
    return this.numbers(tag)[0] ?? 0;
  }
}

/** Reads bytes of the package, fewer at its end. */
export type ReadBytes = (start: number, length: number) => Promise<Buffer>;

/**
 * The signature and the header of a package (https://rpm-software-management.github.io/rpm/manual/format_v4.html).
 * @throws PackageError 400
 */
export async function readHeaders(read: ReadBytes): Promise<{ signature: RpmHeader; header: RpmHeader }> {
  const lead = await read(0, LEAD);
  if (lead.length < LEAD || lead.readUInt32BE(0) !== 0xedabeedb) throw invalid('the file is not a package of RPM');
  const signature = await readHeader(read, LEAD);
  // What follows is aligned to eight bytes.
  const end = LEAD + signature.length;
  return { signature, header: await readHeader(read, end + (-end & 7)) };
}

/** Where a part of a package is: from `start` up to `end`. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the two headers of a package are.
 * @throws PackageError 400
 */
export async function readExtents(read: ReadBytes): Promise<{ signature: Extent; header: Extent }> {
  const after = async (start: number) => {
    const { entries, size } = introOf(await read(start, INTRO));
    return { start, end: start + INTRO + entries * ENTRY + size };
  };
  const signature = await after(LEAD);
  return { signature, header: await after(signature.end + (-signature.end & 7)) };
}

async function readHeader(read: ReadBytes, start: number): Promise<RpmHeader> {
  const { entries, size } = introOf(await read(start, INTRO));
  return new RpmHeader(await read(start, INTRO + entries * ENTRY + size));
}

function introOf(bytes: Buffer): { entries: number; size: number } {
  if (bytes.length < INTRO || bytes.readUInt32BE(0) !== MAGIC) throw invalid('the file is not a package of RPM');
  const [entries, size] = [bytes.readUInt32BE(8), bytes.readUInt32BE(12)];
  if (entries > MAX_ENTRIES || size > MAX_HEADER) throw invalid('the header of the package is too large');
  return { entries, size };
}

function checkCount(count: number): number {
  if (count > MAX_VALUES) throw invalid('the header of the package has too many values');
  return count;
}
