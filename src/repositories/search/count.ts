import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { visibleRepositories } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { User, Visibility } from '../../database/tables/accounts.ts';
import type { Tables } from '../../database/tables.ts';
import type { RepositorySearch } from './repository-search.ts';

/** The requested kind of repositories; undefined means any. */
export type KindFilter = Pick<RepositorySearch, 'isPrivate' | 'isTemplate' | 'isArchived' | 'isMirror' | 'isFork'>;

/** The owners whose repositories a caller sees without any right of their own, and whether private ones as well. */
interface OpenTo {
  visibilities: readonly Visibility[];
  withPrivate: boolean;
}

type Where = ExpressionBuilder<Tables, 'repositories' | 'users'>;

/** The condition of a filter on rows of `repositories`. */
export function ofKind(filter: KindFilter) {
  return (where: ExpressionBuilder<Tables, 'repositories'>): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = columnsOf(filter).map(([column, value]) => where(`repositories.${column}`, '=', value));
    if (filter.isFork !== undefined) conditions.push(where('repositories.fork_id', filter.isFork ? 'is not' : 'is', null));
    return where.and(conditions);
  };
}

function columnsOf({ isPrivate, isTemplate, isArchived, isMirror }: KindFilter) {
  const columns = { is_private: isPrivate, is_template: isTemplate, is_archived: isArchived, is_mirror: isMirror };
  return Object.entries(columns).filter(([, value]) => value !== undefined) as [keyof typeof columns, boolean][];
}

/**
 * The number of repositories of a kind that the caller may see. The cost depends only on those with a right of the caller: the public ones
 * are counted already.
 * @param publicOnly count only public ones
 */
export async function countVisible(context: Context, filter: KindFilter, publicOnly: boolean): Promise<number> {
  const { actor } = context;
  const open = openTo(actor, publicOnly);
  const rest =
    actor && !actor.is_admin && (actor.is_restricted || !publicOnly) ? await countOwn(context, actor, filter, publicOnly, open) : 0;
  return (await countOpen(context, filter, open)) + rest;
}

function openTo(actor: User | null, publicOnly: boolean): OpenTo {
  if (actor?.is_admin && !publicOnly) return { visibilities: ['public', 'limited', 'private'], withPrivate: true };
  if (actor?.is_restricted && !actor.is_admin) return { visibilities: ['public'], withPrivate: false };
  return { visibilities: actor && !publicOnly ? ['public', 'limited'] : ['public'], withPrivate: false };
}

async function countOpen({ db }: Context, filter: KindFilter, { visibilities, withPrivate }: OpenTo): Promise<number> {
  let counts = db
    .selectFrom('repository_counts')
    .select((select) => select.fn.sum<number | null>('count').as('total'))
    .where('visibility', 'in', visibilities);
  if (!withPrivate) counts = counts.where('is_private', '=', false);
  for (const [column, value] of columnsOf(filter)) counts = counts.where(column, '=', value);
  if (filter.isFork !== undefined) counts = counts.where('is_fork', '=', filter.isFork);
  return Number((await counts.executeTakeFirstOrThrow()).total);
}

/** The number of those that are not public. */
async function countOwn({ db }: Context, actor: User, filter: KindFilter, publicOnly: boolean, open: OpenTo): Promise<number> {
  const { total } = await db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .where('repositories.id', 'in', (select) => mayHaveRightsIn(select, actor))
    .where((where) => where.not(isOpen(where, open)))
    .where(visibleRepositories(actor, { publicOnly }))
    .where(ofKind(filter))
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

function isOpen(where: Where, { visibilities }: OpenTo): Expression<SqlBool> {
  return where.and([where('repositories.is_private', '=', false), where('users.visibility', 'in', visibilities)]);
}

/** The ids of repositories that the user owns, collaborates in, or can access through an organization. */
function mayHaveRightsIn({ selectFrom }: Pick<Where, 'selectFrom'>, { id }: User) {
  const ofOrganizations = (table: 'organization_members' | 'team_members') =>
    selectFrom(table)
      .innerJoin('repositories as held', 'held.owner_id', `${table}.organization_id`)
      .select('held.id')
      .where(`${table}.user_id`, '=', id);
  return selectFrom('repositories as owned')
    .select('owned.id')
    .where('owned.owner_id', '=', id)
    .union(selectFrom('collaborations').select('collaborations.repository_id as id').where('collaborations.user_id', '=', id))
    .union(ofOrganizations('organization_members'))
    .union(ofOrganizations('team_members'));
}
