import { dumpMarshal, RubyObject } from '../archives/marshal.ts';
import type { DescribedVersion } from '../registry/describe.ts';
import type { GemDependency, GemMetadata, GemRequirement } from './gemspec.ts';

/** What the lists of all gems say of a version. */
export interface GemTuple {
  readonly name: string;
  readonly version: string;
  readonly platform: string | undefined;
}

/**
 * What a list of so many tuples begins with, in Ruby's format of objects, as `specs.4.8` has it
 * (https://docs.ruby-lang.org/en/master/marshal_rdoc.html). The tuples follow, so that a list can be put together of parts.
 */
export function tuplesHead(count: number): Uint8Array {
  return Buffer.from([4, 8, LIST, ...integer(count)]);
}

/**
 * The name, version and platform of a gem.
 * @param isFirst whether it is the first of its list: that one has the names of what all refer to
 */
export function dumpTuple({ name, version, platform = 'ruby' }: GemTuple, isFirst: boolean): Uint8Array {
  const [encoding, className] = isFirst ? [':\x06E', ':\x11Gem::Version'] : [';\0', ';\x06'];
  const parts = [text(name, encoding), `U${className}[\x06`, text(version, ';\0'), text(platform, ';\0')];
  return Buffer.concat([TUPLE, ...parts.map((part) => Buffer.from(part, 'latin1'))]);
}

/** How many tuples stand one after the other: no text in them has the byte with which each begins. */
export function countTuples(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = buffer.indexOf(TUPLE); at >= 0; at = buffer.indexOf(TUPLE, at + TUPLE.length)) count++;
  return count;
}

const LIST = 0x5b;
/** A list of three. */
const TUPLE = Buffer.from([LIST, 8]);

/** A text of ASCII, as those in tuples are, with its encoding UTF-8. */
function text(value: string, encoding: string): string {
  const bytes = Buffer.from(value, 'utf8').toString('latin1');
  return `I"${String.fromCharCode(...integer(bytes.length))}${bytes}\x06${encoding}T`;
}

function integer(value: number): number[] {
  if (value === 0) return [0];
  if (value < 123) return [value + 5];
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  return [bytes.length, ...bytes];
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
