import type { Context } from '../../context.ts';
import { listVersions, type VersionOfPackage } from '../indexes/listed-versions.ts';
import { compareVersions, parseVersion } from '../versions/loose.ts';

/** All versions of a package in the order of semantic versions, the lowest first, before all of them is read. */
export async function listInOrder(context: Context, packageId: number): Promise<VersionOfPackage[]> {
  const rows = await listVersions(context, packageId, 'name');
  // Read once each: a comparison of texts would read them for every pair.
  const read = rows.flatMap((row) => {
    const parsed = parseVersion(row.version);
    return parsed ? [{ row, parsed }] : [];
  });
  return read.sort((a, b) => compareVersions(a.parsed, b.parsed)).map(({ row }) => row);
}
