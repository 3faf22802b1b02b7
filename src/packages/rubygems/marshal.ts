import { dumpMarshal, RubyObject } from '../archives/marshal.ts';
import type { DescribedVersion } from '../registry/describe.ts';
import type { GemDependency, GemMetadata, GemRequirement } from './gemspec.ts';

/** What the lists of all gems say of a version. */
export interface GemTuple {
  readonly name: string;
  readonly version: string;
  readonly platform: string | undefined;
}

/** A list of gems in Ruby's format of objects, as `specs.4.8` has it: names, versions and platforms. */
export function dumpTuples(tuples: readonly GemTuple[]): Uint8Array {
  return dumpMarshal(tuples.map(({ name, version, platform = 'ruby' }) => [name, gemVersion(version), platform]));
}

/** The `Gem::Specification` of a version in that format, as far as resolving dependencies needs it. */
export function dumpSpecification({ package: row, version, metadata }: DescribedVersion<GemMetadata>): Uint8Array {
  const { platform = 'ruby', dependencies = [], requiredRuby = [], requiredRubygems = [] } = metadata;
  const specification = new RubyObject(Symbol.for('Gem::Specification'));
  specification.userDefined = dumpMarshal([
    // The versions of RubyGems and of the specification that have these fields, in this order.
    '3.2.3',
    4,
    row.name,
    gemVersion(version.version),
    null,
    metadata.summary ?? '',
    gemRequirement(requiredRuby),
    gemRequirement(requiredRubygems),
    platform,
    dependencies.map(gemDependency),
    '',
    '',
    metadata.authors ?? [],
    metadata.description ?? '',
    metadata.homepage ?? '',
    true,
    platform,
    metadata.licenses ?? [],
    {},
  ]);
  return dumpMarshal(specification);
}

function gemVersion(version: string): RubyObject {
  return marshalled('Gem::Version', [version]);
}

function gemRequirement(requirements: readonly GemRequirement[]): RubyObject {
  const all = requirements.length > 0 ? requirements : [{ restriction: '>=', version: '0' }];
  return marshalled('Gem::Requirement', [all.map(({ restriction, version }) => [restriction, gemVersion(version)])]);
}

function gemDependency({ name, requirements }: GemDependency): RubyObject {
  const fields = { name, requirement: gemRequirement(requirements), type: Symbol.for('runtime'), prerelease: false };
  const variables = Object.entries(fields).map(([field, value]) => [Symbol.for(`@${field}`), value]);
  return Object.assign(new RubyObject(Symbol.for('Gem::Dependency')), Object.fromEntries(variables));
}

function marshalled(className: string, value: unknown): RubyObject {
  const object = new RubyObject(Symbol.for(className));
  object.userMarshal = value;
  return object;
}
