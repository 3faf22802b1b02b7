import type { Db } from '../../database/database.ts';
import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { PackageError } from '../errors.ts';
import { escapeSegment } from '../protocol/escape.ts';
import type { PackageCall } from '../protocol/format.ts';
import { findPackage } from '../registry/find.ts';
import { type ListedVersion, listInOrder, readInOrder, readListed } from '../registry/ordered.ts';
import type { PubMetadata } from './pubspec.ts';

/** What a client is told of a version. */
export function describe({ baseUrl }: PackageCall, name: string, { version, metadata, created_at }: PackageVersionRow): object {
  return {
    version,
    archive_url: `${baseUrl}/api/packages/${escapeSegment(name)}/files/${escapeSegment(version)}.tar.gz`,
    published: new Date(created_at * 1000).toISOString().replace('.000Z', 'Z'),
    pubspec: (JSON.parse(metadata) as PubMetadata).pubspec,
  };
}

/**
 * The list of all versions in their order, written while it is sent. What it calls the latest is the first one, as clients of Gitea know it:
 * they choose among the versions themselves.
 * @throws PackageError 404
 */
export async function versionsDocument(call: PackageCall): Promise<AsyncIterable<string>> {
  const { context, owner, params } = call;
  const { db } = context;
  const found = await findPackage(db, { ownerId: owner.id, type: 'pub', name: params.name ?? '' }).catch(noPackage);
  const listed = await listInOrder(db, found.id);
  const first = await readListed(db, listed[0]);
  return first ? write(db, (row) => JSON.stringify(describe(call, found.name, row)), found.name, first, listed) : noPackage();
}

async function* write(
  db: Db,
  describeOne: (row: PackageVersionRow) => string,
  name: string,
  first: PackageVersionRow,
  listed: readonly ListedVersion[],
): AsyncGenerator<string> {
  yield `{"name":${JSON.stringify(name)},"latest":${describeOne(first)},"versions":[`;
  let separator = '';
  for await (const rows of readInOrder(db, listed)) {
    for (const row of rows) {
      yield separator + describeOne(row);
      separator = ',';
    }
  }
  yield ']}\n';
}

function noPackage(error: unknown = new PackageError('no-package')): never {
  throw error instanceof PackageError && error.problem === 'no-package' ? new PackageError('no-package', { message: '' }) : error;
}
