import { deflateRawSync } from 'node:zlib';
import { lookAt } from '../../git/languages/language-task.ts';
import { linguistData } from '../../git/languages/linguist-data.ts';
import { makeFilter } from './filter.ts';
import { foldTable } from './fold.ts';
import { GENERATED, VENDORED } from './format.ts';

/*
 * Reads files for an index, in a worker.
 */

/** A file as Git has it. */
export interface RawFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** The data of a file in an index. */
export interface Digest {
  readonly filter: Uint32Array;
  /** The compressed text. */
  readonly text: Uint8Array;
  /** As `IndexedFile` has it. */
  readonly language: readonly string[];
  readonly flags: number;
}

/** git treats a file with a zero byte in these first bytes as binary. */
const BINARY_LOOK = 8000;
/** Bytes of a file that are enough to detect its language. */
const LANGUAGE_LOOK = 16 * 1024;
const COMPRESSION = { level: 4 };

foldTable();

/** One digest for each file; undefined for one that is not a text. */
export function run(files: readonly RawFile[]): (Digest | undefined)[] {
  return files.map(digest);
}

function digest({ path, content }: RawFile): Digest | undefined {
  if (content.subarray(0, BINARY_LOOK).includes(0)) return undefined;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const { language, generated } = lookAt(path, bytes.subarray(0, LANGUAGE_LOOK));
  const vendored = linguistData().vendored.test(path);
  return {
    filter: makeFilter(bytes.toString('utf8')),
    text: new Uint8Array(deflateRawSync(bytes, COMPRESSION)),
    language: language === undefined ? [] : [language, ...(linguistData().languages.get(language)?.aliases ?? [])],
    flags: (generated ? GENERATED : 0) | (vendored ? VENDORED : 0),
  };
}
