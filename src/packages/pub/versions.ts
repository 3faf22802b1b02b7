import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import type { ListedVersion } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ComposedDocument, cachedBlocks } from '../indexes/composed.ts';
import { jsonItems } from '../indexes/json-items.ts';
import { listInOrder, readListed } from '../indexes/listed-versions.ts';
import { escapeSegment } from '../protocol/escape.ts';
import { registryUrl } from '../protocol/registry-url.ts';
import { findPublished } from '../registry/describe.ts';
import type { PubMetadata } from './pubspec.ts';

const TYPE = 'pub';
/** The file that lists all versions of a package. */
export const VERSIONS = 'versions.json';

/** A version for a client, with URLs of the registry that has it. */
export function describe(url: string, name: string, { version, metadata, created_at }: PackageVersionRow): object {
  return {
    version,
    archive_url: `${url}/api/packages/${escapeSegment(name)}/files/${escapeSegment(version)}.tar.gz`,
    published: new Date(created_at * 1000).toISOString().replace('.000Z', 'Z'),
    pubspec: (JSON.parse(metadata) as PubMetadata).pubspec,
  };
}

/**
 * Builds the list of all versions of a package in their order. What it calls the latest is the first one, as clients of Gitea know it: they
 * choose among the versions themselves. The composite key is the URL that is in its links.
 */
export async function buildVersions(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const row = await findPublished(db, { ownerId: owner.id, type: TYPE, name });
  const versions = row ? await listInOrder(context, row.id) : [];
  const index = { ownerId: owner.id, type: TYPE, key: name } as const;
  const url = registryUrl(context, owner, TYPE);
  const [first] = await readListed(db, versions.slice(0, 1));
  await retainDocuments(db, index, first ? [url] : []);
  if (!row || !first) return [];
  const describeOne = (version: PackageVersionRow) => JSON.stringify(describe(url, row.name, version));
  const write = async (some: readonly ListedVersion[], isFirst: boolean) => {
    const items = (await readListed(db, some)).map(describeOne);
    return jsonItems(items, isFirst);
  };
  const head = `{"name":${JSON.stringify(row.name)},"latest":${describeOne(first)},"versions":[`;
  const parts = cachedBlocks(context, { index, name: url, versions, write });
  return [{ name: VERSIONS, compositeKey: url, content: new ComposedDocument([head, parts, ']}\n']) }];
}
