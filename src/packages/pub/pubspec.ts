import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { readTar } from '../archives/tar.ts';
import { parseYaml } from '../archives/yaml.ts';
import { invalid } from '../errors.ts';
import { textOf, webUrlOf, withoutEmpty } from '../protocol/values.ts';
import { formatVersion, parseVersion } from '../versions/loose.ts';

/** What is in the archive of a package. */
export interface PubPackage {
  readonly name: string;
  readonly version: string;
  readonly metadata: PubMetadata;
  /** The text of `README.md`; undefined without one. */
  readonly readme: string | undefined;
}

/** What is stored of a version, besides the text about it. */
export interface PubMetadata {
  readonly description?: string;
  readonly project_url?: string;
  readonly repository_url?: string;
  readonly documentation_url?: string;
  /** The whole `pubspec.yaml`, as JSON. */
  readonly pubspec: Readonly<Record<string, unknown>>;
}

/** Bytes, as pub.dev takes them. */
const MAX_PUBSPEC = 128 * 1024;
const MAX_README = 1024 * 1024;

/**
 * Reads `pubspec.yaml` (https://dart.dev/tools/pub/pubspec) and the readme of an archive.
 * @throws PackageError 400
 */
export async function readPackage(context: Context, archive: Readable | Buffer): Promise<PubPackage> {
  let pubspec: Buffer | undefined;
  let readme: string | undefined;
  await readTar(
    archive,
    async ({ path, isFile, size, read }) => {
      const name = path.replace(/^\.\//, '');
      if (isFile && name === 'pubspec.yaml') {
        if (size > MAX_PUBSPEC) throw invalid('Pubspec file is too large');
        pubspec = await read();
      } else if (isFile && name.toLowerCase() === 'readme.md' && size <= MAX_README) readme = (await read()).toString('utf8');
      return undefined;
    },
    { compression: 'gzip' },
  );
  if (!pubspec) throw invalid('Pubspec file is missing');
  return { ...(await readPubspec(context, pubspec)), readme };
}

async function readPubspec(context: Context, document: Buffer): Promise<Omit<PubPackage, 'readme'>> {
  const texts = await parseYaml(context, document, { maxBytes: MAX_PUBSPEC });
  const text = (field: string) => textOf(texts[field]);
  const [name, version] = [text('name'), text('version')];
  if (!/^[a-zA-Z_]\w*$/.test(name)) throw invalid('package name is invalid');
  const parsed = parseVersion(version);
  if (!parsed) throw invalid('package version is invalid');
  const about = withoutEmpty({
    description: text('description'),
    project_url: webUrlOf(texts.homepage),
    repository_url: webUrlOf(texts.repository),
    documentation_url: webUrlOf(texts.documentation),
  });
  const pubspec = await parseYaml(context, document, { maxBytes: MAX_PUBSPEC, typed: true });
  return { name, version: formatVersion(parsed), metadata: { ...about, pubspec } };
}
