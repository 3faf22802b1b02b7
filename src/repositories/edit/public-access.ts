import type { Repository } from '../../access/find-repository.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { UnitName, UnitSettings, Units } from '../../database/tables/repositories.ts';
import { notFound, unprocessable } from '../../http/errors.ts';

/** The levels of public access to a unit, also for users who do not see the repository otherwise. */
export const PUBLIC_ACCESS = ['not-set', 'anonymous-read', 'everyone-read', 'everyone-write'] as const;
export type PublicAccess = (typeof PUBLIC_ACCESS)[number];

/** The units that can have public access. */
export const OPENABLE_UNITS = ['code', 'issues', 'pulls', 'releases', 'wiki', 'projects', 'packages', 'actions'] as const;
type OpenableUnit = (typeof OPENABLE_UNITS)[number];

const LEVELS: Record<PublicAccess, UnitSettings> = {
  'not-set': {},
  'anonymous-read': { anonymousAccess: 1 },
  'everyone-read': { everyoneAccess: 1 },
  'everyone-write': { everyoneAccess: 2 },
};

/** The public access of a unit. */
export function publicAccessOf({ anonymousAccess = 0, everyoneAccess = 0 }: UnitSettings): PublicAccess {
  if (everyoneAccess >= 2) return 'everyone-write';
  if (everyoneAccess === 1) return 'everyone-read';
  return anonymousAccess >= 1 ? 'anonymous-read' : 'not-set';
}

/** The possible public access of a unit: only wikis can be written by everybody. */
export function publicAccessChoices(unit: UnitName): readonly PublicAccess[] {
  return unit === 'wiki' ? PUBLIC_ACCESS : PUBLIC_ACCESS.filter((access) => access !== 'everyone-write');
}

/**
 * Sets the public access of units of a repository. Disabled units stay unchanged.
 * @throws HttpError 422 for access that a unit cannot have, and if the instance has only private repositories
 */
export async function setPublicAccess(context: Context, { id }: Repository, wanted: Readonly<Record<string, string>>): Promise<void> {
  if (context.settings.repository.forcePrivate) throw unprocessable('the instance (repository.forcePrivate) opens no repository');
  await inTransaction(context, async (context) => {
    const { db } = context;
    // The row is locked before it is read: other settings of the units may change meanwhile.
    const row = await db
      .updateTable('repositories')
      .set((rows) => ({ owner_id: rows.ref('owner_id') }))
      .where('id', '=', id)
      .returning(['units', 'owner_id'])
      .executeTakeFirst();
    if (!row) throw notFound();
    const { units, isReduced } = opened(row.units, wanted);
    await db
      .updateTable('repositories')
      .set({ units: JSON.stringify(units) })
      .where('id', '=', id)
      .execute();
    if (isReduced) await context.events.emit(context, 'access.reduced', { ownerId: row.owner_id, repositoryId: id });
  });
}

function opened(units: Units, wanted: Readonly<Record<string, string>>): { units: Units; isReduced: boolean } {
  let isReduced = false;
  const changed: Units = { ...units };
  for (const unit of OPENABLE_UNITS) {
    const before = units[unit];
    const access = wanted[unit];
    if (!before || access === undefined) continue;
    const found = publicAccessChoices(unit).find((choice) => choice === access);
    if (found === undefined) throw unprocessable(`[${unit}]: one of ${publicAccessChoices(unit).join(', ')}`);
    isReduced ||= isLess(before, LEVELS[found]);
    open(changed, unit, LEVELS[found]);
  }
  return { units: changed, isReduced };
}

function isLess(before: UnitSettings, after: UnitSettings): boolean {
  return (after.anonymousAccess ?? 0) < (before.anonymousAccess ?? 0) || everyone(after) < everyone(before);
}

/** The access of signed-in users: at least that of anonymous ones. */
function everyone({ anonymousAccess = 0, everyoneAccess = 0 }: UnitSettings): number {
  return Math.max(anonymousAccess, everyoneAccess);
}

function open<U extends OpenableUnit>(units: Units, unit: U, level: UnitSettings): void {
  const settings = units[unit];
  if (!settings) return;
  const { anonymousAccess, everyoneAccess, ...others } = settings as UnitSettings;
  units[unit] = { ...others, ...level } as Units[U];
}
