import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ComposedDocument, cachedBlocks } from '../indexes/composed.ts';
import { groupedByPackage, hasVersions, listAllVersions, readListed } from '../indexes/listed-versions.ts';
import type { PackageCall } from '../protocol/format.ts';
import { json } from '../protocol/json.ts';
import { registryUrl } from '../protocol/registry-url.ts';
import { serveIndex } from '../protocol/serve-index.ts';
import type { ChefMetadata } from './metadata.ts';

const TYPE = 'chef';
/** The key of the index of all cookbooks of an owner. */
export const UNIVERSE = 'universe';

/** `GET /universe`: every version with what it depends on, for clients that resolve dependencies. */
export async function serveUniverse(call: PackageCall) {
  const { context, owner, baseUrl } = call;
  if (!(await hasVersions(context.db, owner.id, TYPE))) return json({});
  const named = { name: UNIVERSE, compositeKey: baseUrl };
  const index = { type: TYPE, key: UNIVERSE, builder: buildUniverse, document: named } as const;
  return await serveIndex(call, index, { type: 'application/json; charset=utf-8' });
}

/** Builds the list of all versions, by cookbook. The composite key is the URL that is in its links. */
export async function buildUniverse(context: Context, owner: User): Promise<readonly IndexFile[]> {
  const { db } = context;
  const url = registryUrl(context, owner, TYPE);
  const index = { ownerId: owner.id, type: TYPE, key: UNIVERSE } as const;
  const versions = groupedByPackage(await listAllVersions(context, owner.id, TYPE, (a, b) => a.package_id - b.package_id || a.id - b.id));
  const write = async (some: typeof versions, isFirst: boolean) => {
    const byId = new Map(some.map((version) => [version.id, version]));
    return (await readListed(db, some)).map((row, at) => entryOf(url, row, byId.get(row.id), isFirst && at === 0)).join('');
  };
  await retainDocuments(db, index, [url]);
  const parts = cachedBlocks(context, { index, name: url, versions, write: (some, isFirst) => write([...some], isFirst) });
  return [
    {
      name: UNIVERSE,
      compositeKey: url,
      content: new ComposedDocument(['{', parts, versions.length > 0 ? '}}' : '}']),
    },
  ];
}

function entryOf(
  url: string,
  { version, metadata }: { version: string; metadata: string },
  listed: { name: string; isFirstOfPackage: boolean } | undefined,
  isFirst: boolean,
): string {
  const { name = '', isFirstOfPackage = false } = listed ?? {};
  const entry = {
    location_type: 'opscode',
    location_path: `${url}/api/v1`,
    download_url: `${url}/api/v1/cookbooks/${encodeURIComponent(name)}/versions/${version}/download`,
    dependencies: (JSON.parse(metadata) as ChefMetadata).dependencies ?? null,
  };
  const cookbook = isFirstOfPackage ? `${isFirst ? '' : '},'}${JSON.stringify(name)}:{` : ',';
  return `${cookbook}${JSON.stringify(version)}:${JSON.stringify(entry)}`;
}
