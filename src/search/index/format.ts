/*
 * An index is one blob: the compressed texts of all files, one after the other, and then the table of the files. Each search reads
 * the table directly in shared memory, in threads as well, so it has no structure that would have to be parsed:
 * a header, records of fixed size, then filters, ids, paths and the names of languages. Numbers are unsigned, of 32 bits, in the
 * byte order of all machines that Node runs on.
 */

/** Version of the layout, of trigrams, and of the indexed files; indexes of another version are built again. */
export const FORMAT = 1;

const HEADER_WORDS = 8;
const RECORD_WORDS = 8;

/** Flags of a file, besides its language. */
export const GENERATED = 1;
export const VENDORED = 2;

/** A file of an index. */
export interface IndexedFile {
  readonly path: string;
  /** The id of its blob. */
  readonly oid: string;
  /** Its name, then its other names in lower case; empty if it is unknown. */
  readonly language: readonly string[];
  /** {@link GENERATED}, {@link VENDORED}. */
  readonly flags: number;
  /** Bytes of its text. */
  readonly size: number;
  /** Where its compressed text begins in the blob, and how long that is. */
  readonly textStart: number;
  readonly textLength: number;
  readonly filter: Uint32Array;
}

/** Writes the table of files. */
export function writeTable(files: readonly IndexedFile[]): Buffer[] {
  const languages = [...new Map(files.map(({ language }) => [language[0], language])).values()];
  const languageIds = new Map(languages.map(([name], id) => [name, id]));
  const paths = files.map(({ path }) => Buffer.from(path));
  const records = new Uint32Array(files.length * RECORD_WORDS);
  let [filterWords, pathBytes] = [0, 0];
  files.forEach((file, at) => {
    const path = paths[at]?.length ?? 0;
    const kind = ((languageIds.get(file.language[0]) ?? 0) << 8) | file.flags;
    records.set([pathBytes, path, filterWords, file.filter.length, file.textStart, file.textLength, file.size, kind], at * RECORD_WORDS);
    filterWords += file.filter.length;
    pathBytes += path;
  });
  const ids = Buffer.from(files.map(({ oid }) => oid).join(''), 'hex');
  const names = Buffer.from(JSON.stringify(languages));
  const header = Uint32Array.of(FORMAT, files.length, filterWords, ids.length, pathBytes, names.length, 0, 0);
  return [bytesOf(header), bytesOf(records), ...files.map(({ filter }) => bytesOf(filter)), ids, ...paths, names];
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Reads the table of an index. */
export class FileTable {
  readonly count: number;
  /** The names of each, as {@link IndexedFile} has them. */
  readonly languages: readonly (readonly string[])[];
  /** The filters of all files. */
  readonly filters: Uint32Array;
  readonly #records: Uint32Array;
  readonly #ids: Buffer;
  readonly #paths: Buffer;

  /** @throws Error when it is none */
  constructor(memory: SharedArrayBuffer) {
    if (memory.byteLength < HEADER_WORDS * 4) throw new Error('the index is damaged');
    const header = new Uint32Array(memory, 0, HEADER_WORDS);
    const [format = 0, count = 0, filterWords = 0, idBytes = 0, pathBytes = 0, languageBytes = 0] = header;
    const filtersAt = 4 * (HEADER_WORDS + count * RECORD_WORDS);
    const idsAt = filtersAt + 4 * filterWords;
    const pathsAt = idsAt + idBytes;
    const languagesAt = pathsAt + pathBytes;
    if (format !== FORMAT || languagesAt + languageBytes !== memory.byteLength) throw new Error('the index is damaged');
    this.count = count;
    this.#records = new Uint32Array(memory, 4 * HEADER_WORDS, count * RECORD_WORDS);
    this.filters = new Uint32Array(memory, filtersAt, filterWords);
    this.#ids = Buffer.from(memory, idsAt, idBytes);
    this.#paths = Buffer.from(memory, pathsAt, pathBytes);
    this.languages = JSON.parse(Buffer.from(memory, languagesAt, languageBytes).toString()) as string[][];
  }

  path(file: number): string {
    const start = this.#field(file, 0);
    return this.#paths.toString('utf8', start, start + this.#field(file, 1));
  }

  oid(file: number): string {
    const length = this.#ids.length / this.count;
    return this.#ids.toString('hex', file * length, (file + 1) * length);
  }

  /** Where its filter lies in {@link filters}. */
  filter(file: number): { start: number; length: number } {
    return { start: this.#field(file, 2), length: this.#field(file, 3) };
  }

  /** Where its compressed text lies in the blob. */
  text(file: number): { start: number; length: number } {
    return { start: this.#field(file, 4), length: this.#field(file, 5) };
  }

  size(file: number): number {
    return this.#field(file, 6);
  }

  /** The index of its language in {@link languages}. */
  languageId(file: number): number {
    return this.#field(file, 7) >>> 8;
  }

  flags(file: number): number {
    return this.#field(file, 7) & 0xff;
  }

  /** All that is known of a file; its filter is still in the shared memory. */
  at(file: number): IndexedFile {
    const { start, length } = this.filter(file);
    const text = this.text(file);
    return {
      path: this.path(file),
      oid: this.oid(file),
      language: this.languages[this.languageId(file)] ?? [],
      flags: this.flags(file),
      size: this.size(file),
      textStart: text.start,
      textLength: text.length,
      filter: this.filters.subarray(start, start + length),
    };
  }

  #field(file: number, field: number): number {
    return this.#records[file * RECORD_WORDS + field] ?? 0;
  }
}
