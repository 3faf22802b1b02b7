import type { Readable } from 'node:stream';
import { readTar } from '../archives/tar.ts';
import { invalid } from '../errors.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { objectOf, webUrlOf, withoutEmpty } from '../protocol/values.ts';

/** What is stored of a box. */
export interface BoxMetadata {
  readonly author?: string;
  readonly description?: string;
  readonly project_url?: string;
  readonly repository_url?: string;
}

/** Where each value comes from: no specification names the keys of `info.json`. */
const KEYS: Readonly<Record<string, keyof BoxMetadata>> = {
  description: 'description',
  short_description: 'description',
  website: 'project_url',
  homepage: 'project_url',
  url: 'project_url',
  repository: 'repository_url',
  source: 'repository_url',
  author: 'author',
  authors: 'author',
};

/** Size limit of `info.json` in bytes. */
const MAX_INFO = 256 * 1024;
/** Disks are large, and mostly zeros. */
const LIMITS = { maxEntryBytes: MAX_INFO, maxBytes: 256 * 1024 ** 3, maxRatio: 2000 };

/**
 * Reads `info.json` of a box, if it has one (https://developer.hashicorp.com/vagrant/docs/boxes/info).
 * @throws PackageError 400
 */
export async function readBox(archive: Readable | Buffer): Promise<BoxMetadata> {
  let info: Buffer | undefined;
  await readTar(
    archive,
    async ({ path, isFile, read }) => {
      if (!isFile || path.replace(/^\.\//, '') !== 'info.json') return undefined;
      info = await read();
      return 'stop';
    },
    { ...LIMITS, compression: 'gzip' },
  );
  return info ? metadataOf(objectOf(parseJson('info.json', info))) : {};
}

function metadataOf(info: Record<string, unknown>): BoxMetadata {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(info)) {
    if (typeof value !== 'string') throw invalid('info.json has a value that is not a string');
    const key = Object.hasOwn(KEYS, name.toLowerCase()) ? KEYS[name.toLowerCase()] : undefined;
    const checked = key?.endsWith('_url') ? webUrlOf(value) : value;
    if (key !== undefined && checked !== '') found[key] = checked;
  }
  return withoutEmpty(found);
}
