import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import { nameKey, namespaceOf } from './names.ts';
import { matchesAny, namesExactly } from './patterns.ts';

/** A name of an owner's packages. */
export interface OwnedName {
  readonly ownerId: number;
  readonly type: PackageType;
  readonly name: string;
}

const inOrder = prepared((db, ownerId: number, type: PackageType) =>
  db.selectFrom('package_upstreams').selectAll().where('owner_id', '=', ownerId).where('type', '=', type).orderBy('priority').orderBy('id'),
);

/** Whether an owner's packages of a type may come from an upstream. */
export async function hasUpstream(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  ownerId: number,
  type: PackageType,
): Promise<boolean> {
  return settings.packages.upstreams !== 'off' && (await inOrder(db, ownerId, type)).some(({ enabled }) => enabled);
}

/** The upstreams of an owner's packages of a type, in the order of their use. */
async function upstreamsOf({ db }: Pick<Context, 'db'>, { ownerId, type }: OwnedName): Promise<PackageUpstreamRow[]> {
  return await inOrder(db, ownerId, type);
}

/**
 * The upstream that a name may come from by its patterns, whatever is published here: the first that allows the name, if none denies it, not
 * even a disabled one. Others are never requested, so that nobody can take a name over by publishing it elsewhere.
 */
export async function upstreamByPatterns(
  context: Pick<Context, 'db' | 'settings'>,
  named: OwnedName,
): Promise<PackageUpstreamRow | undefined> {
  const { upstreams: mode, upstreamDeny } = context.settings.packages;
  if (mode === 'off') return undefined;
  const { type } = named;
  const key = nameKey(type, named.name);
  const upstreams = await upstreamsOf(context, named);
  if (upstreams.length === 0 || matchesAny(type, upstreamDeny, key)) return undefined;
  if (upstreams.some(({ deny }) => matchesAny(type, patternsOf(deny), key))) return undefined;
  return upstreams.find(({ enabled, allow }) => enabled && matchesAny(type, patternsOf(allow), key));
}

/**
 * The upstream that a name is read from; undefined for one of the owner. That is a name that is or was published here,
 * or that is in the scope or group of one that is or was; the latter does not count if a pattern allows exactly this name.
 */
export async function upstreamFor(context: Pick<Context, 'db' | 'settings'>, named: OwnedName): Promise<PackageUpstreamRow | undefined> {
  const upstream = await upstreamByPatterns(context, named);
  if (!upstream) return undefined;
  const { ownerId, type } = named;
  const key = nameKey(type, named.name);
  const isExplicit = namesExactly(type, patternsOf(upstream.allow), key);
  const own = await context.db
    .selectFrom('package_names')
    .select('package_id')
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('name', '=', key)
    .where('upstream_id', 'is', null)
    .executeTakeFirst();
  if (own && (own.package_id !== null || !isExplicit)) return undefined;
  const isOfOwner = !isExplicit && (await isInOwnNamespace(context.db, ownerId, type, namespaceOf(type, key)));
  return isOfOwner ? undefined : upstream;
}

async function isInOwnNamespace(db: Db, ownerId: number, type: PackageType, namespace: string): Promise<boolean> {
  if (namespace === '') return false;
  const found = await db
    .selectFrom('package_names')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('namespace', '=', namespace)
    .where('upstream_id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The patterns of a column. */
export function patternsOf(column: string): readonly string[] {
  return JSON.parse(column) as string[];
}
