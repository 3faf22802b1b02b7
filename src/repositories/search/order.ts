import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { RepositorySearch } from './repository-search.ts';
import type { SearchOrder } from './sorts.ts';

type Query<O> = SelectQueryBuilder<Tables, 'repositories' | 'users', O>;

type Direction = SearchOrder['direction'];

/**
 * Sorts a search: by name by default, with preferred owners first.
 * @param equals the order of repositories with equal numbers: oldest first
 */
export function orderOf<O>(query: Query<O>, search: RepositorySearch, keywords: readonly string[], equals: Direction = 'asc'): Query<O> {
  return sorted(favoured(query, search, keywords), search.order ?? { by: 'name', direction: 'asc' }, equals);
}

function favoured<O>(query: Query<O>, { priorityOwnerId }: RepositorySearch, keywords: readonly string[]): Query<O> {
  if (priorityOwnerId) {
    return query.orderBy(sql`case when repositories.owner_id = ${priorityOwnerId} then 0 else repositories.owner_id end`);
  }
  const [owner, name, more] = keywords.length === 1 ? (keywords[0] ?? '').split('/') : [];
  // A search for `owner/name` lists that owner's first.
  if (owner === undefined || name === undefined || more !== undefined) return query;
  return query.orderBy(sql`case when users.lower_name = ${owner} then 0 else 1 end`);
}

function sorted<O>(query: Query<O>, { by, direction }: SearchOrder, equals: Direction): Query<O> {
  switch (by) {
    case 'name':
      return query.orderBy('repositories.name', direction).orderBy('repositories.id', direction);
    case 'alpha':
      return query.orderBy('users.name', direction).orderBy('repositories.name', direction);
    case 'created':
      return query.orderBy('repositories.created_at', direction).orderBy('repositories.id', direction);
    case 'updated':
      return query.orderBy('repositories.updated_at', direction).orderBy('repositories.id', direction);
    case 'size':
      return query.orderBy('repositories.size', direction).orderBy('repositories.id', equals);
    case 'git_size':
      return query.orderBy(sql`repositories.size - repositories.lfs_size`, direction).orderBy('repositories.id', equals);
    case 'lfs_size':
      return query.orderBy('repositories.lfs_size', direction).orderBy('repositories.id', equals);
    case 'stars':
      return query.orderBy('repositories.stars_count', direction).orderBy('repositories.id', equals);
    case 'forks':
      return query.orderBy('repositories.forks_count', direction).orderBy('repositories.id', equals);
    case 'id':
      return query.orderBy('repositories.id', direction);
  }
}
