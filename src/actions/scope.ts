import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** The owner of secrets, variables and runners: a repository, a user or an organization, or the instance. */
export type ActionScope = { readonly repositoryId: number } | { readonly ownerId: number } | { readonly instance: true };

/** The tables whose rows belong to a scope. */
type ScopedTable = 'action_secrets' | 'action_variables' | 'action_runners' | 'action_runner_tokens';

/** The condition that rows belong to a scope. */
export function inScope(scope: ActionScope) {
  return <T extends ScopedTable>(where: ExpressionBuilder<Tables, T>) => {
    const row = where as unknown as ExpressionBuilder<Tables, 'action_runners'>;
    if ('repositoryId' in scope) return row('repository_id', '=', scope.repositoryId);
    if ('ownerId' in scope) return row('owner_id', '=', scope.ownerId);
    return row.and([row('repository_id', 'is', null), row('owner_id', 'is', null)]);
  };
}

/** The columns of a scope. */
export function scopeColumns(scope: ActionScope): { repository_id: number | null; owner_id: number | null } {
  return {
    repository_id: 'repositoryId' in scope ? scope.repositoryId : null,
    owner_id: 'ownerId' in scope ? scope.ownerId : null,
  };
}

/** A text that identifies the scope, for encryption and locks. */
export function scopeName(scope: ActionScope): string {
  if ('repositoryId' in scope) return `repository ${scope.repositoryId}`;
  return 'ownerId' in scope ? `owner ${scope.ownerId}` : 'instance';
}
