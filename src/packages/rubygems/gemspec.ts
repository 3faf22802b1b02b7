import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from '../../context.ts';
import { decompressSmall } from '../archives/decompress.ts';
import { readTar } from '../archives/tar.ts';
import { parseYaml } from '../archives/yaml.ts';
import { type Content, openArchive } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { objectOf, textOf, textsOf, webUrlOf, withoutEmpty } from '../protocol/values.ts';

/** Size limit of a specification, and of what is read of it, in bytes. */
const MAX_SPECIFICATION = 8 * 1024 * 1024;
const MAX_READ = 256 * 1024;
/** Lists of a specification that may be long, and that nothing is kept of. */
const SKIPPED = /^(?:files|test_files|extra_rdoc_files|executables|cert_chain|rdoc_options):\s*$/;

/** A condition on a version, such as `>= 2.0`. */
export interface GemRequirement {
  readonly restriction: string;
  readonly version: string;
}

/** A gem that another needs. */
export interface GemDependency {
  readonly name: string;
  readonly requirements: readonly GemRequirement[];
}

/** The stored metadata of a version. */
export interface GemMetadata {
  /** Left out for gems of all platforms. */
  readonly platform?: string;
  readonly description?: string;
  readonly summary?: string;
  readonly authors?: readonly string[];
  readonly licenses?: readonly string[];
  readonly homepage?: string;
  readonly requiredRuby?: readonly GemRequirement[];
  readonly requiredRubygems?: readonly GemRequirement[];
  readonly dependencies?: readonly GemDependency[];
  readonly developmentDependencies?: readonly GemDependency[];
}

const NAME = /^[\w.-]+$/;
const VERSION = /^\d+(?:\.[0-9A-Za-z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * Reads the specification in a gem: https://guides.rubygems.org/specification-reference/
 * @throws PackageError 400
 */
export async function readGem(context: Context, blob: Content): Promise<{ name: string; version: string; metadata: GemMetadata }> {
  const specification = await parseYaml(context, withoutLists(await readSpecification(context, blob)), { maxBytes: MAX_READ });
  const name = textOf(specification.name);
  if (!NAME.test(name)) throw invalid('package name is invalid');
  const version = textOf(objectOf(specification.version).version);
  if (version.length > 255 || !VERSION.test(version)) throw invalid('package version is invalid');
  const dependencies = (Array.isArray(specification.dependencies) ? specification.dependencies : []).map(objectOf);
  const ofType = (isRuntime: boolean) => dependencies.filter(({ type }) => (type === ':runtime') === isRuntime).map(readDependency);
  const platform = readPlatform(specification.platform);
  const metadata = withoutEmpty({
    ...(platform !== 'ruby' && { platform }),
    description: textOf(specification.description),
    summary: textOf(specification.summary),
    authors: textsOf(specification.authors),
    licenses: textsOf(specification.licenses),
    homepage: webUrlOf(specification.homepage),
    requiredRuby: readRequirements(specification.required_ruby_version),
    requiredRubygems: readRequirements(specification.required_rubygems_version),
    dependencies: ofType(true),
    developmentDependencies: ofType(false),
  });
  return { name, version, metadata };
}

/** The name of the file of a gem. */
export function fileNameOf(name: string, version: string, platform: string | undefined): string {
  return `${name}-${version}${platform ? `-${platform}` : ''}.gem`.toLowerCase();
}

async function readSpecification(context: Context, blob: Content): Promise<Buffer> {
  let found: Buffer | undefined;
  const source = await openArchive(context, blob);
  await readTar(
    source,
    async ({ path, read }) => {
      if (path !== 'metadata.gz') return undefined;
      found = await read();
      return 'stop';
    },
    { compression: 'none' },
  );
  if (!found) throw invalid('metadata.gz file is missing');
  try {
    return decompressSmall(found, 'gzip') ?? (await promisify(gunzip)(found, { maxOutputLength: MAX_SPECIFICATION }));
  } catch {
    throw invalid('metadata.gz cannot be read');
  }
}

/** The names of its files can make a specification a hundred times as long. */
function withoutLists(specification: Buffer): Buffer {
  let isSkipped = false;
  const kept = specification
    .toString('utf8')
    .split('\n')
    .filter((line) => {
      if (/^[^\s-]/.test(line)) isSkipped = SKIPPED.test(line);
      return !isSkipped;
    });
  return Buffer.from(kept.join('\n'));
}

function readPlatform(value: unknown): string {
  const { cpu, os, version } = objectOf(value);
  const platform = textOf(value) || [cpu, os, version].map(textOf).filter(Boolean).join('-') || 'ruby';
  if (!NAME.test(platform)) throw invalid('package platform is invalid');
  return platform;
}

function readDependency(value: Record<string, unknown>): GemDependency {
  const name = textOf(value.name);
  if (!NAME.test(name)) throw invalid('the name of a dependency is invalid');
  return { name, requirements: readRequirements(value.requirement ?? value.version_requirements) };
}

/** Without those that every version meets. */
function readRequirements(value: unknown): GemRequirement[] {
  const { requirements } = objectOf(value);
  return (Array.isArray(requirements) ? requirements : []).flatMap((pair): GemRequirement[] => {
    if (!Array.isArray(pair) || pair.length !== 2) return [];
    const [restriction, version] = [textOf(pair[0]), textOf(objectOf(pair[1]).version)];
    if (restriction === '' || version === '' || (restriction === '>=' && version === '0')) return [];
    if (!/^(?:=|!=|>|<|>=|<=|~>)$/.test(restriction) || !NAME.test(version)) throw invalid('a requirement is invalid');
    return [{ restriction, version }];
  });
}
