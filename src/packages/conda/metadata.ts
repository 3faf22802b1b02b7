import { invalid } from '../errors.ts';
import { parseJsonObject } from '../protocol/parse-json.ts';
import { webUrlOf } from '../protocol/values.ts';

/** The stored metadata of a version. */
export interface VersionMetadata {
  readonly description?: string | undefined;
  readonly summary?: string | undefined;
  readonly project_url?: string | undefined;
  readonly repository_url?: string | undefined;
  readonly documentation_url?: string | undefined;
  readonly license?: string | undefined;
  readonly license_family?: string | undefined;
}

/** The stored metadata of a file: a version has one for each platform and build. */
export interface FileMetadata {
  readonly is_conda: boolean;
  readonly architecture?: string | undefined;
  readonly noarch?: string | undefined;
  readonly build?: string | undefined;
  readonly build_number?: number | undefined;
  readonly dependencies?: readonly string[] | undefined;
  readonly platform?: string | undefined;
  readonly timestamp?: number | undefined;
}

/** The metadata in a package. */
export interface CondaPackage {
  readonly name: string;
  readonly version: string;
  /** The platform that it is for, such as `linux-64`. */
  readonly subdir: string;
  readonly versionMetadata: VersionMetadata;
  readonly fileMetadata: FileMetadata;
}

/** The two documents of a package that the registry reads, as JSON. */
export interface CondaDocuments {
  /** `info/index.json` */
  readonly index?: string | undefined;
  /** `info/about.json` */
  readonly about?: string | undefined;
}

const BAD_CHARACTERS = /[=@#$%^&*:;"'\\|<>?/ ]/;

/**
 * Reads the documents of a package (https://docs.conda.io/projects/conda-build/en/latest/resources/package-spec.html).
 * @throws PackageError 400 for documents that are not as conda writes them, or a name or version that it would not take
 */
export function parseDocuments({ index, about = '{}' }: CondaDocuments, isConda: boolean): CondaPackage {
  if (index === undefined) throw invalid('package structure is invalid');
  const fields = objectOf('info/index.json', index);
  const more = objectOf('info/about.json', about);
  const name = fields.text('name') ?? '';
  if (name === '' || name !== name.toLowerCase() || BAD_CHARACTERS.test(name) || name.includes('!'))
    throw invalid('package name is invalid');
  const version = fields.text('version') ?? '';
  if (version === '' || BAD_CHARACTERS.test(version) || version.includes('-')) throw invalid('package version is invalid');
  const subdir = fields.text('subdir') ?? '';
  if (subdir.includes('/')) throw invalid('package structure is invalid');
  return {
    name,
    version,
    subdir,
    versionMetadata: {
      description: more.text('description'),
      summary: more.text('summary'),
      project_url: webUrlOf(more.text('home')),
      repository_url: webUrlOf(more.text('dev_url')),
      documentation_url: webUrlOf(more.text('doc_url')),
      license: fields.text('license'),
      license_family: fields.text('license_family'),
    },
    fileMetadata: {
      is_conda: isConda,
      architecture: fields.text('arch'),
      noarch: fields.text('noarch'),
      build: fields.text('build'),
      build_number: fields.integer('build_number'),
      dependencies: fields.texts('depends'),
      platform: fields.text('platform'),
      timestamp: fields.integer('timestamp'),
    },
  };
}

/** Readers of the fields of an object; a field that is missing or null is undefined. */
function objectOf(path: string, json: string) {
  const object = parseJsonObject(path, json);
  const read = <T>(name: string, is: (value: unknown) => value is T): T | undefined => {
    const value = object[name] ?? undefined;
    if (value !== undefined && !is(value)) throw invalid(`${path}: ${name} has the wrong type`);
    return value as T | undefined;
  };
  const isText = (value: unknown) => typeof value === 'string';
  return {
    text: (name: string) => read(name, isText),
    integer: (name: string) => read(name, (value): value is number => Number.isSafeInteger(value)),
    texts: (name: string) => read(name, (value): value is string[] => Array.isArray(value) && value.every(isText)),
  };
}
