import { invalid } from '../errors.ts';
import { objectOf, textOf, textsOf, webUrlOf, withoutEmpty } from '../protocol/values.ts';
import { parseVersion } from '../versions/loose.ts';

/** A dependency as the index shows it. */
export interface CargoDependency {
  readonly name: string;
  readonly req: string;
  readonly features: readonly string[];
  readonly optional: boolean;
  readonly default_features: boolean;
  readonly target: string | null;
  readonly kind: string;
  readonly registry: string | null;
  /** The name of the crate, if the dependency has another. */
  readonly package: string | null;
}

/** The stored metadata of a version. */
export interface CargoMetadata {
  readonly dependencies?: readonly CargoDependency[];
  readonly features?: Readonly<Record<string, readonly string[]>>;
  readonly authors?: readonly string[];
  readonly description?: string;
  readonly documentation?: string;
  readonly homepage?: string;
  readonly readme?: string;
  readonly keywords?: readonly string[];
  readonly categories?: readonly string[];
  readonly license?: string;
  readonly repository?: string;
  readonly links?: string;
  readonly rustVersion?: string;
}

/** Whether a crate's name is valid. */
export function isCrateName(name: string): boolean {
  return /^[a-z][a-z0-9_-]{0,63}$/i.test(name);
}

const TEXTS = ['name', 'vers', 'description', 'documentation', 'homepage', 'readme', 'license', 'repository', 'links', 'rust_version'];
const LISTS = ['authors', 'keywords', 'categories'];
const OF_DEPENDENCIES = {
  texts: ['name', 'version_req', 'target', 'kind', 'registry', 'explicit_name_in_toml'],
  flags: ['optional', 'default_features'],
  lists: ['features'],
};

/**
 * Reads the metadata of a publication: https://doc.rust-lang.org/cargo/reference/registry-web-api.html#publish
 * @throws PackageError 400
 */
export function readMetadata(document: unknown): { name: string; version: string; metadata: CargoMetadata } {
  const given = objectOf(document);
  const { deps, features: wanted } = given;
  checkTypes(given, TEXTS, isText);
  checkTypes(given, LISTS, isTexts);
  checkTypes(given, ['deps'], Array.isArray);
  checkTypes(given, ['features'], isObject);
  checkTypes(objectOf(wanted), Object.keys(objectOf(wanted)), isTexts, 'features');
  const [name, version] = [textOf(given.name), textOf(given.vers)];
  if (!isCrateName(name)) throw invalid('package name is invalid');
  if (!parseVersion(version)) throw invalid('package version is invalid');
  const features = Object.entries(objectOf(wanted)).map(([feature, parts]) => [feature, textsOf(parts)]);
  const metadata = withoutEmpty({
    dependencies: (Array.isArray(deps) ? deps : []).map(readDependency),
    features: Object.fromEntries(features) as Record<string, string[]>,
    authors: textsOf(given.authors),
    description: textOf(given.description),
    documentation: webUrlOf(given.documentation),
    homepage: webUrlOf(given.homepage),
    readme: textOf(given.readme),
    keywords: textsOf(given.keywords),
    categories: textsOf(given.categories),
    license: textOf(given.license),
    repository: webUrlOf(given.repository),
    links: textOf(given.links),
    rustVersion: textOf(given.rust_version),
  });
  return { name, version, metadata };
}

function readDependency(value: unknown): CargoDependency {
  if (value !== null && !isObject(value)) throw invalid('deps has the wrong type');
  const given = objectOf(value);
  checkTypes(given, OF_DEPENDENCIES.texts, isText, 'deps');
  checkTypes(given, OF_DEPENDENCIES.flags, (flag) => typeof flag === 'boolean', 'deps');
  checkTypes(given, OF_DEPENDENCIES.lists, isTexts, 'deps');
  const alias = textOf(given.explicit_name_in_toml);
  return {
    name: alias || textOf(given.name),
    req: textOf(given.version_req),
    features: textsOf(given.features),
    optional: given.optional === true,
    default_features: given.default_features === true,
    target: textOf(given.target) || null,
    kind: textOf(given.kind),
    registry: textOf(given.registry) || null,
    package: alias === '' ? null : textOf(given.name),
  };
}

/**
 * Fields may be missing, or null.
 * @param within the parent field
 * @throws PackageError 400
 */
function checkTypes(given: Record<string, unknown>, fields: readonly string[], is: (value: unknown) => boolean, within?: string): void {
  const wrong = fields.find((field) => given[field] !== undefined && given[field] !== null && !is(given[field]));
  if (wrong !== undefined) throw invalid(`${within === undefined ? '' : `${within}.`}${wrong} has the wrong type`);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => item === null || typeof item === 'string');
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
