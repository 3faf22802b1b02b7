import type { Readable } from 'node:stream';
import { readTar } from '../archives/tar.ts';
import { invalid } from '../errors.ts';
import { parseJsonObject } from '../protocol/parse-json.ts';
import { webUrlOf } from '../protocol/values.ts';

/** The stored metadata of a version. */
export interface ChefMetadata {
  readonly description?: string | undefined;
  readonly long_description?: string | undefined;
  readonly author?: string | undefined;
  readonly license?: string | undefined;
  readonly repository_url?: string | undefined;
  readonly dependencies?: Readonly<Record<string, string>> | undefined;
}

/** What a cookbook says of itself. */
export interface Cookbook {
  readonly name: string;
  readonly version: string;
  readonly metadata: ChefMetadata;
}

/** Cookbooks that one may depend on. */
const MAX_DEPENDENCIES = 1000;

/**
 * Reads the `metadata.json` in the folder of a cookbook (https://docs.chef.io/config_rb_metadata/).
 * @param archive a tar archive of gzip
 * @throws PackageError 400
 */
export async function readCookbook(archive: Readable | Buffer): Promise<Cookbook> {
  let text: string | undefined;
  await readTar(
    archive,
    async ({ path, isFile, read }) => {
      const [, name, ...deeper] = path.split('/');
      if (!isFile || name !== 'metadata.json' || deeper.length > 0) return undefined;
      text = (await read()).toString('utf8');
      return 'stop';
    },
    { compression: 'gzip' },
  );
  if (text === undefined) throw invalid('metadata.json file is missing');
  return parseMetadata(text);
}

function parseMetadata(json: string): Cookbook {
  const fields = parseJsonObject('metadata.json', json);
  const text = (name: string) => {
    const value = fields[name] ?? undefined;
    if (value !== undefined && typeof value !== 'string') throw invalid(`metadata.json: ${name} has the wrong type`);
    return value || undefined;
  };
  const name = text('name') ?? '';
  if (!/^\S+$/.test(name)) throw invalid('package name is invalid');
  const version = text('version') ?? '';
  if (!/^\d+\.\d+(?:\.\d+)?$/.test(version)) throw invalid('package version is invalid');
  const metadata = {
    description: text('description'),
    long_description: text('long_description'),
    author: text('maintainer'),
    license: text('license'),
    repository_url: webUrlOf(text('source_url')),
    dependencies: dependenciesOf(fields.dependencies),
  };
  return { name, version, metadata };
}

function dependenciesOf(value: unknown): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  const entries = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [['', null] as const];
  if (entries.length > MAX_DEPENDENCIES) throw invalid(`metadata.json: dependencies has more than ${MAX_DEPENDENCIES} entries`);
  if (entries.some(([, wanted]) => typeof wanted !== 'string')) throw invalid('metadata.json: dependencies has the wrong type');
  return Object.fromEntries(entries) as Record<string, string>;
}
