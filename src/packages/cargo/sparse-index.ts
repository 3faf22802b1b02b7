import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import type { ListedVersion } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ComposedDocument, cachedBlocks } from '../indexes/composed.ts';
import { describeListed, listVersions } from '../indexes/listed-versions.ts';
import { type DescribedVersion, findPublished } from '../registry/describe.ts';
import { propertyOf } from '../registry/properties.ts';
import type { CargoMetadata } from './metadata.ts';

/** The name of the file with a line for each version of a crate. */
export const INDEX_FILE = 'versions';
/** The property that says whether a version is yanked, `true` or `false`. */
export const YANKED = 'cargo.yanked';

/** Builds the file of a crate: https://doc.rust-lang.org/cargo/reference/registry-index.html */
export async function buildIndexFile(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const index = { ownerId: owner.id, type: 'cargo', key: name } as const;
  const row = await findPublished(db, { ownerId: owner.id, type: 'cargo', name });
  await retainDocuments(db, index, row ? [INDEX_FILE] : []);
  if (!row) return [];
  const versions = await listVersions(context, row.id, 'name');
  const write = async (some: readonly ListedVersion[]) =>
    (await describeListed<CargoMetadata>(db, some)).map((version) => `${JSON.stringify(lineOf(version))}\n`).join('');
  return [
    {
      name: INDEX_FILE,
      content: new ComposedDocument([cachedBlocks(context, { index, name: INDEX_FILE, versions, write })]),
    },
  ];
}

function lineOf({ package: row, version, metadata, files, properties }: DescribedVersion<CargoMetadata>) {
  return {
    name: row.name,
    vers: version.version,
    deps: metadata.dependencies ?? [],
    cksum: files[0]?.blob.sha256 ?? '',
    features: metadata.features ?? {},
    yanked: propertyOf(properties, YANKED) === 'true',
    links: metadata.links,
    rust_version: metadata.rustVersion,
  };
}
