import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { IndexFile } from '../indexes/build.ts';
import { eachVersion, eachVersionOf, findPublished } from '../registry/describe.ts';
import { byRubyVersion } from '../versions/compare.ts';
import { infoFile, infoLine, versionToken } from './compact-index.ts';
import type { GemMetadata } from './gemspec.ts';
import { dumpTuples, type GemTuple } from './marshal.ts';

/** The key of the lists of all gems of an owner. */
export const ALL = 'all';
/** The file of a gem's own index. */
export const INFO = 'info';

/** A gem of the lists. */
interface ListedGem {
  readonly name: string;
  readonly tokens: string[];
  readonly lines: string[];
  readonly tuples: GemTuple[];
}

/** The key of the index of one gem. */
export function infoKey(name: string): string {
  return `${INFO}/${name.toLowerCase()}`;
}

/** Builds the lists of all gems, or the index of one. */
export async function buildGemIndex(context: Context, owner: User, key: string): Promise<readonly IndexFile[]> {
  return key === ALL ? await buildLists(context, owner) : await buildInfo(context, owner, key.slice(INFO.length + 1));
}

async function buildInfo({ db }: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const row = await findPublished(db, { ownerId: owner.id, type: 'rubygems', name });
  if (!row) return [];
  const lines: string[] = [];
  for await (const batch of eachVersion<GemMetadata>(db, row.id, 'newest')) lines.push(...batch.map(infoLine));
  return [{ name: INFO, content: Buffer.from(infoFile(lines)) }];
}

async function buildLists({ db }: Context, owner: User): Promise<readonly IndexFile[]> {
  const gems = new Map<number, ListedGem>();
  for await (const batch of eachVersionOf<GemMetadata>(db, owner.id, 'rubygems')) {
    for (const described of batch) {
      const { id, name } = described.package;
      const gem = gems.get(id) ?? { name, tokens: [], lines: [], tuples: [] };
      gems.set(id, gem);
      gem.tokens.push(versionToken(described));
      gem.lines.push(infoLine(described));
      gem.tuples.push({ name, version: described.version.version, platform: described.metadata.platform });
    }
  }
  const listed = [...gems].sort(([a], [b]) => a - b).map(([, gem]) => gem);
  const all = listed.flatMap(({ tuples }) => tuples);
  return [
    { name: 'versions', content: Buffer.from(versionsFile(listed)) },
    { name: 'specs.4.8.gz', content: await zipped(all) },
    { name: 'latest_specs.4.8.gz', content: await zipped(listed.flatMap(({ tuples }) => latestOf(tuples))) },
    // Clients leave versions out themselves that are no releases: they are in the list of all.
    { name: 'prerelease_specs.4.8.gz', content: await zipped([]) },
  ];
}

function versionsFile(gems: readonly ListedGem[]): string {
  const md5 = (lines: readonly string[]) => createHash('md5').update(infoFile(lines)).digest('hex');
  return `---\n${gems.map(({ name, tokens, lines }) => `${name} ${tokens.join(',')} ${md5(lines)}\n`).join('')}`;
}

/** The highest release of each platform, or the highest version where there is no release. */
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

async function zipped(tuples: readonly GemTuple[]): Promise<Buffer> {
  return await promisify(gzip)(dumpTuples(tuples));
}
