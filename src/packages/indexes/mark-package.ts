import type { Context } from '../../context.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import { markIndexes } from './mark.ts';

/** Marks the index of a package, for formats whose keys are the lower-case names of packages. */
export async function markPackageIndex(context: Context, ownerId: number, type: PackageType, packageId: number): Promise<void> {
  const row = await context.db.selectFrom('packages').select('lower_name').where('id', '=', packageId).executeTakeFirst();
  if (row) await markIndexes(context, ownerId, type, [row.lower_name]);
}
