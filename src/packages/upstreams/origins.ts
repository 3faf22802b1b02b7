import type { Context } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { PackageRow } from '../../database/tables/packages.ts';
import { PackageError } from '../errors.ts';
import { upstreamByPatterns, upstreamFor } from './choose.ts';
import { nameKey, namespaceOf, REGISTRY_ITSELF } from './names.ts';

/**
 * Records that a package was published here, within the transaction that creates it: from now on its name is the owner's, even after the
 * package is deleted. A name with cached content stays the upstream's, until a pattern denies it.
 * @throws PackageError 409
 */
export async function claimName(context: Pick<Context, 'db' | 'settings'>, row: PackageRow): Promise<void> {
  const { db } = context;
  const { owner_id, type, id: package_id } = row;
  const name = nameKey(type, row.name);
  const added = await db
    .insertInto('package_names')
    .values({ owner_id, type, name, namespace: namespaceOf(type, name), package_id, upstream_id: null })
    .onConflict((conflict) => conflict.columns(['owner_id', 'type', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) return;
  const known = await db
    .selectFrom('package_names')
    .select(['id', 'upstream_id'])
    .where('owner_id', '=', owner_id)
    .where('type', '=', type)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!known) return await claimName(context, row);
  if (known.upstream_id !== null) {
    if (await upstreamByPatterns(context, { ownerId: owner_id, type, name })) {
      throw new PackageError('package-exists', { message: 'packages of this name come from an upstream registry' });
    }
    await db.deleteFrom('package_upstream_files').where('name_id', '=', known.id).execute();
  }
  await db.updateTable('package_names').set({ package_id, upstream_id: null }).where('id', '=', known.id).execute();
}

/**
 * Records that a name is one of an upstream, within the transaction that adds the first content of it to the cache.
 * @returns the id of the name
 * @throws PackageError 404 if it is not one of the upstream any more, such as one that was published here meanwhile
 */
export async function noteUpstreamName(
  context: Pick<Context, 'db' | 'settings'>,
  { owner_id, type, id: upstream_id }: PackageUpstreamRow,
  key: string,
): Promise<number> {
  const { db } = context;
  // What is about the upstream as a whole is not a name.
  const isName = key !== REGISTRY_ITSELF;
  const current = isName ? (await upstreamFor(context, { ownerId: owner_id, type, name: key }))?.id : upstream_id;
  if (current !== upstream_id) throw new PackageError('no-package');
  const added = await db
    .insertInto('package_names')
    .values({ owner_id, type, name: key, namespace: namespaceOf(type, key), package_id: null, upstream_id })
    .onConflict((conflict) => conflict.columns(['owner_id', 'type', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) return added.id;
  // A name whose packages are gone is here only if a pattern allows exactly that name; another upstream if patterns were changed.
  const taken = await db
    .updateTable('package_names')
    .set({ upstream_id })
    .where('owner_id', '=', owner_id)
    .where('type', '=', type)
    .where('name', '=', key)
    .where('package_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!taken) throw new PackageError('no-package');
  return taken.id;
}
