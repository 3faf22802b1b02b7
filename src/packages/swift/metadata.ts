import { type RandomAccess, readZip } from '../archives/zip.ts';
import { invalid } from '../errors.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { objectOf, textOf, webUrlOf, withoutEmpty } from '../protocol/values.ts';
import { parseLooseVersion } from '../versions/loose.ts';

/** What is stored of a release. */
export interface SwiftMetadata {
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly repository_url?: string;
  readonly license?: string;
  readonly license_url?: string;
  readonly author?: Readonly<Record<'name' | 'givenName' | 'middleName' | 'familyName', string>>;
  /** By the version of Swift, such as `5.8.1`; empty for that of all others. */
  readonly manifests: Readonly<Record<string, Manifest>>;
}

/** A `Package.swift`. */
export interface Manifest {
  readonly content: string;
  readonly tools_version?: string;
}

/** A release's description by its client: what is stored, and where its sources are. */
export interface Described {
  readonly about: Omit<SwiftMetadata, 'manifests'>;
  readonly repositoryUrls: readonly string[];
}

/** Bytes. */
const MAX_MANIFEST = 128 * 1024;
/** Manifests in an archive, those of other packages in it included. */
const MAX_MANIFESTS = 100;
const MANIFEST = /^Package(?:@swift-(\d+(?:\.\d+)?(?:\.\d+)?))?\.swift$/;
const TOOLS_VERSION = /^\/\/ swift-tools-version:(\d+(?:\.\d+)?(?:\.\d+)?)/;

/**
 * The manifests of a release: those in the folder of its archive that is nearest to the top.
 * @throws PackageError 400
 */
export async function readManifests(archive: RandomAccess): Promise<SwiftMetadata['manifests']> {
  let nearest = Number.POSITIVE_INFINITY;
  let manifests: Record<string, Manifest> = {};
  let count = 0;
  await readZip(
    archive,
    async ({ path, isFile, size, read }) => {
      const folders = path.split('/');
      const [name, version] = MANIFEST.exec(folders.pop() ?? '') ?? [];
      if (name === undefined || !isFile || folders.length > nearest) return undefined;
      count++;
      if (size > MAX_MANIFEST) throw invalid('Package.swift file is too large');
      if (count > MAX_MANIFESTS) throw invalid(`the archive has more than ${MAX_MANIFESTS} manifests`);
      if (folders.length < nearest) manifests = {};
      nearest = folders.length;
      manifests[version === undefined ? '' : shortVersion(version)] = manifestOf((await read()).toString('utf8'));
      return undefined;
    },
    { maxEntryBytes: MAX_MANIFEST },
  );
  if (!manifests['']) throw invalid('Package.swift file is missing');
  return manifests;
}

/** A version of Swift without a last number that is zero; as it is if it is none. */
export function shortVersion(text: string): string {
  const [major, minor, patch] = parseLooseVersion(text)?.numbers ?? [];
  return major === undefined ? text : `${major}.${minor}${patch === 0 ? '' : `.${patch}`}`;
}

/**
 * Reads the description that comes with a release (https://schema.org/SoftwareSourceCode).
 * @throws PackageError 400
 */
export function readDescription(document: Buffer): Described {
  const { description, keywords, license, licenseURL, codeRepository, author, repositoryURLs } = objectOf(
    parseJson('the metadata', document),
  );
  const about = {
    description: textOf(description),
    keywords: textsIn(keywords),
    repository_url: webUrlOf(codeRepository),
    license: textOf(license),
    license_url: webUrlOf(licenseURL),
  };
  const person = personOf(objectOf(author));
  return { about: { ...withoutEmpty(about), ...(person.name && { author: person }) }, repositoryUrls: textsIn(repositoryURLs) };
}

function manifestOf(content: string): Manifest {
  const version = TOOLS_VERSION.exec(content)?.[1];
  return { content, ...(version !== undefined && { tools_version: shortVersion(version) }) };
}

function personOf(person: Record<string, unknown>): NonNullable<SwiftMetadata['author']> {
  const [givenName, middleName, familyName] = [textOf(person.givenName), textOf(person.middleName), textOf(person.familyName)];
  const name = textOf(person.name) || [givenName, middleName, familyName].filter((part) => part !== '').join(' ');
  return { name, givenName, middleName, familyName };
}

/** @throws PackageError 400 for anything but a list of texts */
function textsIn(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > 100 || !value.every((item) => typeof item === 'string')) {
    throw invalid('the metadata has a list that must have strings only');
  }
  return value;
}
