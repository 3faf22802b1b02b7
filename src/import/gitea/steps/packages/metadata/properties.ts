import type { PackageType } from '../../../../../database/tables/package-types.ts';
import type { Subject } from '../../../../../packages/registry/properties.ts';
import { flag, fullShape, list, number, type Reader, shape, text, textMap, texts, textsMap } from './shape.ts';

/** The type of a property's value: a text, or a reader of the JSON in it. */
type Property = 'text' | Reader;

type PropertiesOfType = Partial<Readonly<Record<Subject, Readonly<Record<string, Property>>>>>;

const ENTRIES = list(shape({ name: text, flags: text, version: text, epoch: text, release: text }));

const nullable =
  (read: Reader): Reader =>
  (value) =>
    value === null || value === undefined ? null : read(value);

/** The properties with the same meaning here, by package type; the formats store the others differently, or not at all. */
export const PROPERTIES: Partial<Readonly<Record<PackageType, PropertiesOfType>>> = {
  alpine: {
    file: {
      ...{ 'alpine.branch': 'text', 'alpine.repository': 'text', 'alpine.architecture': 'text' },
      'alpine.metadata': shape({
        ...{ checksum: text, packager: text, build_date: number, size: number, architecture: text, origin: text, commit_hash: text },
        ...{ install_if: text, provides: texts, dependencies: texts, provider_priority: number },
      }),
    },
  },
  arch: {
    file: {
      ...{ 'arch.repository': 'text', 'arch.architecture': 'text', 'arch.signature': 'text' },
      'arch.metadata': shape({
        ...{ architecture: text, base: text, installed_size: number, build_date: number, packager: text, groups: texts, provides: texts },
        ...{ replaces: texts, depends: texts, opt_depends: texts, make_depends: texts, check_depends: texts, conflicts: texts },
        ...{ xdata: texts, backup: texts, files: texts },
      }),
    },
  },
  cargo: { version: { 'cargo.yanked': 'text' } },
  composer: { version: { 'composer.type': 'text' } },
  conan: {
    file: {
      ...{ 'conan.recipe.user': 'text', 'conan.recipe.channel': 'text', 'conan.recipe.revision': 'text' },
      ...{ 'conan.package.reference': 'text', 'conan.package.revision': 'text' },
      'conan.package.info': fullShape({
        ...{ settings: nullable(textMap), full_settings: nullable(textMap), requires: nullable(texts), full_requires: nullable(texts) },
        ...{ options: nullable(textMap), full_options: nullable(textMap), recipe_hash: text, environment: nullable(textsMap) },
      }),
    },
  },
  conda: {
    package: { 'conda.name': 'text', 'conda.channel': 'text' },
    file: {
      'conda.subdir': 'text',
      'conda.metadata': shape({
        ...{ is_conda: flag, architecture: text, noarch: text, build: text, build_number: number, dependencies: texts, platform: text },
        timestamp: number,
      }),
    },
  },
  container: {
    version: { 'container.manifest.tagged': 'text', 'container.manifest.reference': 'text' },
    file: { 'container.mediatype': 'text' },
  },
  debian: {
    file: { 'debian.distribution': 'text', 'debian.component': 'text', 'debian.architecture': 'text', 'debian.control': 'text' },
  },
  go: { version: { 'go.mod': 'text' } },
  rpm: {
    file: {
      ...{ 'rpm.group': 'text', 'rpm.architecture': 'text' },
      'rpm.metadata': shape({
        ...{ architecture: text, epoch: text, version: text, release: text, vendor: text, group: text, packager: text, source_rpm: text },
        ...{ build_host: text, build_time: number, file_time: number, installed_size: number, archive_size: number },
        ...{ provide: ENTRIES, require: ENTRIES, conflict: ENTRIES, obsolete: ENTRIES },
        files: list((value) => ({
          ...(shape({ path: text, type: text })(value) as object),
          ...(fullShape({ is_executable: flag })(value) as object),
        })),
        changelogs: list(fullShape({ author: text, date: (value) => number(value) ?? 0, text })),
      }),
    },
  },
  swift: { package: { 'swift.scope': 'text', 'swift.name': 'text' }, version: { 'swift.repository_url': 'text' } },
  terraform: {
    package: {
      'terraform.lock': fullShape({ ID: text, Operation: text, Info: text, Who: text, Version: text, Created: text, Path: text }),
    },
  },
  vagrant: { file: { 'vagrant.provider': 'text' } },
};

/** The value of a property as it is stored here; undefined if it is not stored. */
export function propertyValue(type: PackageType, subject: Subject, name: string, value: string): string | undefined {
  const properties = PROPERTIES[type]?.[subject] ?? {};
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property === undefined || property === 'text') return property && value;
  try {
    return JSON.stringify(property(JSON.parse(value)));
  } catch {
    return undefined;
  }
}
