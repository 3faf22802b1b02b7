import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** The owner of hooks: a repository, a user or an organization, or the instance. */
export type HookScope = { repositoryId: number } | { ownerId: number } | { instance: true };

/** The condition that rows of `webhooks` belong to a scope. */
export function inScope(scope: HookScope) {
  return (where: ExpressionBuilder<Tables, 'webhooks'>) => {
    if ('repositoryId' in scope) return where('repository_id', '=', scope.repositoryId);
    if ('ownerId' in scope) return where('owner_id', '=', scope.ownerId);
    return where.and([where('repository_id', 'is', null), where('owner_id', 'is', null)]);
  };
}

/** The columns of the scope of a hook. */
export function scopeColumns(scope: HookScope): { repository_id: number | null; owner_id: number | null } {
  return {
    repository_id: 'repositoryId' in scope ? scope.repositoryId : null,
    owner_id: 'ownerId' in scope ? scope.ownerId : null,
  };
}
