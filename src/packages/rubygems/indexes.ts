import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { type BlockPart, joinGzip, joinPlain } from '../indexes/block-parts.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import { type BlockDocument, eachPart } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { describeListed, listAllVersions, type NamedVersion } from '../indexes/listed-versions.ts';
import { findPublished } from '../registry/describe.ts';
import { type GemEntry, infoKey, infoPieces, listedGems, listGemVersions, tupleOf } from './gem-versions.ts';
import type { GemMetadata } from './gemspec.ts';
import { countTuples, dumpTuple, tuplesHead } from './marshal.ts';

const TYPE = 'rubygems';
/** The key of the lists of all gems of an owner. */
export const ALL = 'all';
/** The file of a gem's own index. */
export const INFO = 'info';

/** Builds the lists of all gems, or the index of one. */
export async function buildGemIndex(context: Context, owner: User, key: string): Promise<readonly IndexFile[]> {
  return key === ALL ? await buildLists(context, owner) : await buildInfo(context, owner, key.slice(infoKey('').length));
}

async function buildInfo(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const row = await findPublished(context.db, { ownerId: owner.id, type: TYPE, name });
  if (!row) {
    await retainDocuments(context.db, { ownerId: owner.id, type: TYPE, key: infoKey(name) }, []);
    return [];
  }
  const versions = await listGemVersions(context, row.id);
  return [{ name: INFO, content: Readable.from(infoPieces(context, owner, name, versions)) }];
}

async function buildLists(context: Context, owner: User): Promise<readonly IndexFile[]> {
  const byGemAndAge = (a: NamedVersion, b: NamedVersion) => a.package_id - b.package_id || b.created_at - a.created_at || b.id - a.id;
  const listed = await listAllVersions(context, owner.id, TYPE, byGemAndAge);
  const gems = gemsOf(listed);
  const index = { ownerId: owner.id, type: TYPE, key: ALL } as const;
  const versions = { index, name: 'versions', versions: gems, write: versionLines(context, owner) };
  const specs: BlockDocument<NamedVersion> = {
    index,
    name: 'specs',
    versions: listed,
    write: async (some, isFirst) => {
      const described = await describeListed<GemMetadata>(context.db, some);
      return Buffer.concat(described.map((one, at) => dumpTuple(tupleOf(one), isFirst && at === 0)));
    },
  };
  const latest = { index, name: 'latest', versions: gems, write: latestTuples(context, owner) };
  const zipped = (count: number, parts: AsyncIterable<BlockPart>) => Readable.from(joinGzip([tuplesHead(count), parts]));
  return [
    { name: 'versions', content: Readable.from(joinPlain(['---\n', eachPart(context, versions)])) },
    { name: 'specs.4.8.gz', content: zipped(listed.length, eachPart(context, specs, 'deflate')) },
    { name: 'latest_specs.4.8.gz', content: zipped(await countLatest(context, latest), eachPart(context, latest, 'deflate')) },
    // Clients leave versions out themselves that are not releases: they are in the list of all.
    { name: 'prerelease_specs.4.8.gz', content: Readable.from(joinGzip([tuplesHead(0)])) },
  ];
}

/** Each gem with its versions; a gem changes with any of them. */
function gemsOf(listed: readonly NamedVersion[]): GemEntry[] {
  return [...Map.groupBy(listed, ({ package_id }) => package_id)].map(([id, versions]) => {
    const state = versions.map((version) => `${version.id}.${version.revision}`).join(',');
    return { id, name: versions[0]?.name ?? '', revision: 0, created_at: versions[0]?.created_at ?? 0, state, versions };
  });
}

function versionLines(context: Context, owner: User) {
  return async (gems: readonly GemEntry[]): Promise<string> => {
    const listed = await listedGems(context, owner, gems);
    return listed.map(({ name, tokens, md5 }) => (tokens === '' ? '' : `${name} ${tokens} ${md5}\n`)).join('');
  };
}

function latestTuples(context: Context, owner: User) {
  return async (gems: readonly GemEntry[], isFirst: boolean): Promise<Uint8Array> => {
    const tuples = (await listedGems(context, owner, gems)).flatMap(({ latest }) => latest);
    return Buffer.concat(tuples.map((tuple, at) => dumpTuple(tuple, isFirst && at === 0)));
  };
}

async function countLatest(context: Context, document: BlockDocument<GemEntry>): Promise<number> {
  let count = 0;
  for await (const { content } of eachPart(context, document)) count += countTuples(content);
  return count;
}
