import type { ExpressionBuilder } from 'kysely';
import { findRepositories, type Repository } from '../../access/find-repository.ts';
import { repositoriesAccess, visibleRepositories } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { Tables } from '../../database/tables.ts';
import { FORMAT } from '../index/format.ts';
import type { Query } from '../query/query.ts';
import type { IndexPlace } from './parts.ts';

/** Where a search looks: in one repository, in those of an owner, or everywhere. */
export interface Scope {
  readonly repositoryId?: number;
  readonly ownerId?: number;
}

/** An index that a search reads. Nothing of it is shown before {@link readableCode} allows it. */
export interface ScopedIndex extends IndexPlace {
  readonly id: number;
  readonly repository_id: number;
  readonly branch: string;
  readonly commit_id: string;
}

/** The indexes of a search, the repositories that changed last first. */
export interface ScopedIndexes {
  readonly indexes: readonly ScopedIndex[];
  /** Some repositories have no index yet. */
  readonly isPending: boolean;
  /** There are more of them than one search reads. */
  readonly isCut: boolean;
}

/** Repositories that one search reads. */
const MAX_REPOSITORIES = 5000;

/** The indexes that the caller may see, filtered by the repositories and owners of the query. */
export async function indexesOf(context: Context, { repositoryId, ownerId }: Scope, query: Query): Promise<ScopedIndexes> {
  const publicOnly = context.actor === null || (context.signIn.token?.publicOnly ?? false);
  const rows = await context.db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .leftJoin('code_indexes', (join) =>
      join
        .onRef('code_indexes.repository_id', '=', 'repositories.id')
        .on('code_indexes.state', '=', 'ready')
        .on('code_indexes.format', '=', FORMAT),
    )
    .select(['repositories.id as repository_id', 'code_indexes.id', 'code_indexes.key', 'code_indexes.branch', 'code_indexes.commit_id'])
    .select(['code_indexes.texts_bytes', 'code_indexes.table_bytes'])
    .where('repositories.is_empty', '=', false)
    // The route of a repository has checked access; other searches only cover listed repositories.
    .where((where) => (repositoryId === undefined ? visibleRepositories(context.actor, { publicOnly })(where) : where.lit(true)))
    .$if(repositoryId !== undefined, (rows) => rows.where('repositories.id', '=', repositoryId ?? 0))
    .$if(ownerId !== undefined, (rows) => rows.where('repositories.owner_id', '=', ownerId ?? 0))
    .$if(query.owners.length > 0, (rows) => rows.where('users.lower_name', 'in', query.owners))
    .$if(query.repositories.length > 0, (rows) => rows.where((where) => isNamed(where, query.repositories)))
    .orderBy('repositories.updated_at', 'desc')
    .orderBy('repositories.id', 'desc')
    .limit(MAX_REPOSITORIES + 1)
    .execute();
  const indexes = rows.slice(0, MAX_REPOSITORIES).flatMap(({ id, key, branch, commit_id, texts_bytes, table_bytes, repository_id }) => {
    if (id === null || key === null || texts_bytes === null || table_bytes === null) return [];
    return [{ id, repository_id, key, branch: branch ?? '', commit_id: commit_id ?? '', texts_bytes, table_bytes }];
  });
  return { indexes, isPending: rows.some(({ id }) => id === null), isCut: rows.length > MAX_REPOSITORIES };
}

function isNamed(where: ExpressionBuilder<Tables, 'repositories' | 'users'>, names: readonly string[]) {
  return where.or(
    names.map((name) => {
      const [owner = '', ...rest] = name.split('/');
      if (rest.length === 0) return where('repositories.lower_name', '=', owner);
      return where.and([where('users.lower_name', '=', owner), where('repositories.lower_name', '=', rest.join('/'))]);
    }),
  );
}

/** The indexes of repositories whose code the caller may read, by the same rules as their pages. */
export async function readableCode(context: Context, ids: readonly number[]): Promise<Map<number, Repository>> {
  if (ids.length === 0) return new Map();
  const repositories = await findRepositories(context.db, ids);
  const access = await repositoriesAccess(context, repositories, context.actor);
  return new Map(repositories.filter(({ id }) => access.get(id)?.canRead('code')).map((repository) => [repository.id, repository]));
}
