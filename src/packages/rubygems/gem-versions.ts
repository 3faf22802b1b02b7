import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { joinPlain } from '../indexes/block-parts.ts';
import { type BlockDocument, eachPart, type ListedVersion } from '../indexes/blocks.ts';
import { describeListed, listVersions } from '../indexes/listed-versions.ts';
import type { DescribedVersion } from '../registry/describe.ts';
import { byRubyVersion } from '../versions/compare.ts';
import { INFO_HEAD, infoLine, versionToken } from './compact-index.ts';
import type { GemMetadata } from './gemspec.ts';
import type { GemTuple } from './marshal.ts';

/** A gem whose versions are listed, newest first. */
export interface GemEntry extends ListedVersion {
  readonly name: string;
  readonly versions: readonly ListedVersion[];
}

/** What the lists of all gems have of one. */
export interface ListedGem {
  readonly name: string;
  /** Its versions, as the compact index writes them. */
  readonly tokens: string;
  /** The MD5 of the file of its own. */
  readonly md5: string;
  /** The highest release of each platform, or the highest version where there is no release. */
  readonly latest: readonly GemTuple[];
}

type Described = DescribedVersion<GemMetadata>;

/** Versions of a gem of which nothing is kept for the lists of all. */
const FEW = 64;

/** The key of the index of one gem. */
export function infoKey(name: string): string {
  return `info/${name.toLowerCase()}`;
}

/** The versions of a gem in the order of its file. */
export async function listGemVersions(context: Context, packageId: number): Promise<readonly ListedVersion[]> {
  return await listVersions(context, packageId, 'newest');
}

/** The file of a gem in pieces. */
export function infoPieces(context: Context, owner: User, name: string, versions: readonly ListedVersion[]): AsyncGenerator<Uint8Array> {
  const write = async (some: readonly Described[]) => some.map((described) => `${infoLine(described)}\n`).join('');
  return joinPlain([INFO_HEAD, eachPart(context, gemDocument(context, owner, name, 'info', versions, write))]);
}

/** What the lists have of some gems, in their order. Those with few versions are read at once. */
export async function listedGems(context: Context, owner: User, gems: readonly GemEntry[]): Promise<ListedGem[]> {
  const few = gems.filter(({ versions }) => versions.length <= FEW);
  const versions = few.flatMap((gem) => gem.versions);
  const described = versions.length === 0 ? [] : await describeListed<GemMetadata>(context.db, versions);
  const byGem = Map.groupBy(described, ({ package: { id } }) => id);
  const listed: ListedGem[] = [];
  for (const gem of gems) {
    listed.push(gem.versions.length <= FEW ? gemOfFew(gem.name, byGem.get(gem.id) ?? []) : await gemOfMany(context, owner, gem));
  }
  return listed;
}

function gemOfFew(name: string, described: readonly Described[]): ListedGem {
  const info = `${INFO_HEAD}${described.map((one) => `${infoLine(one)}\n`).join('')}`;
  const md5 = createHash('md5').update(info).digest('hex');
  return { name, tokens: described.map(versionToken).join(','), md5, latest: latestOf(described.map(tupleOf)) };
}

async function gemOfMany(context: Context, owner: User, { name, versions }: GemEntry): Promise<ListedGem> {
  const tokens = gemDocument(context, owner, name, 'tokens', versions, async (some, isFirst) =>
    some.map((one, at) => (isFirst && at === 0 ? versionToken(one) : `,${versionToken(one)}`)).join(''),
  );
  // Of each block only those versions that may be the highest.
  const latest = gemDocument(context, owner, name, 'latest', versions, async (some) =>
    latestOf(some.map(tupleOf))
      .map((tuple) => `${JSON.stringify(tuple)}\n`)
      .join(''),
  );
  const md5 = createHash('md5');
  for await (const bytes of infoPieces(context, owner, name, versions)) md5.update(bytes);
  const highest = (await textOf(context, latest)).split('\n').filter(Boolean);
  return {
    name,
    tokens: await textOf(context, tokens),
    md5: md5.digest('hex'),
    latest: latestOf(highest.map((line) => JSON.parse(line) as GemTuple)),
  };
}

/** A version in the lists of marshalled objects. */
export function tupleOf({ package: { name }, version: { version }, metadata: { platform } }: Described): GemTuple {
  return { name, version, platform };
}

function gemDocument(
  { db }: Context,
  owner: User,
  gem: string,
  name: string,
  versions: readonly ListedVersion[],
  write: (some: readonly Described[], isFirst: boolean) => Promise<string>,
): BlockDocument<ListedVersion> {
  return {
    index: { ownerId: owner.id, type: 'rubygems', key: infoKey(gem) },
    name,
    versions,
    write: async (some, isFirst) => await write(await describeListed<GemMetadata>(db, some), isFirst),
  };
}

async function textOf(context: Context, document: BlockDocument<ListedVersion>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(joinPlain([eachPart(context, document)]))).toString('utf8');
}

function latestOf(tuples: readonly GemTuple[]): GemTuple[] {
  const isRelease = ({ version }: GemTuple) => !/[A-Za-z-]/.test(version);
  const latest = new Map<string | undefined, GemTuple>();
  for (const tuple of tuples) {
    const other = latest.get(tuple.platform);
    const isHigher = other && isRelease(other) === isRelease(tuple) ? byRubyVersion(tuple.version, other.version) > 0 : isRelease(tuple);
    if (!other || isHigher) latest.set(tuple.platform, tuple);
  }
  return [...latest.values()];
}
