import type { Db } from '../../database/database.ts';
import type { ListedVersion } from '../indexes/blocks.ts';
import { versionsOfPackage } from '../indexes/listed-versions.ts';
import { compareVersions, parseVersion } from '../versions/loose.ts';

/** All versions of a package in the order of semantic versions, the lowest first, before all of them is read. */
export async function listInOrder(db: Db, packageId: number): Promise<(ListedVersion & { version: string })[]> {
  const rows = await versionsOfPackage(db, packageId).orderBy('lower_version').execute();
  // Read once each: a comparison of texts would read them for every pair.
  const read = rows.flatMap((row) => {
    const parsed = parseVersion(row.version);
    return parsed ? [{ row, parsed }] : [];
  });
  return read.sort((a, b) => compareVersions(a.parsed, b.parsed)).map(({ row }) => row);
}
