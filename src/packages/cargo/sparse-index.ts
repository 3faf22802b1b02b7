import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { IndexFile } from '../indexes/build.ts';
import { type DescribedVersion, findPublished } from '../registry/describe.ts';
import { eachFragment } from '../registry/fragments.ts';
import { propertyOf } from '../registry/properties.ts';
import type { CargoMetadata } from './metadata.ts';

/** The name of the file with a line for each version of a crate. */
export const INDEX_FILE = 'versions';
/** The property that says whether a version is yanked, `true` or `false`. */
export const YANKED = 'cargo.yanked';

/** Builds the file of a crate: https://doc.rust-lang.org/cargo/reference/registry-index.html */
export async function buildIndexFile({ db }: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const row = await findPublished(db, { ownerId: owner.id, type: 'cargo', name });
  return row ? [{ name: INDEX_FILE, content: Readable.from(linesOf(db, row.id), { objectMode: false }) }] : [];
}

async function* linesOf(db: Db, packageId: number): AsyncGenerator<string> {
  const make = (version: DescribedVersion<CargoMetadata>) => `${JSON.stringify(lineOf(version))}\n`;
  for await (const batch of eachFragment(db, packageId, { variant: 'line', make })) yield batch.map(({ content }) => content).join('');
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
