import type { Loaded } from '../access/load.ts';
import type { Db } from '../database/database.ts';
import { type AuditObject, INSTANCE } from './actions.ts';

/** The object of a request: the resource of its path, else the caller's account, or the instance for routes of administrators. */
export function objectOf({ repository, team, organization, user, params }: Loaded, path: string, actor: Actor): AuditObject {
  if (repository) {
    const name = `${repository.owner.name}/${repository.name}`;
    return { type: 'repository', id: repository.id, name, ownerId: repository.owner_id };
  }
  if (team) return { type: 'team', id: team.id, name: `${organization?.name ?? ''}/${team.name}`, ownerId: team.organization_id };
  const account = organization ?? user;
  if (account) return accountObject(account);
  if (path.startsWith('/admin/') || path.startsWith('//-/admin/')) return INSTANCE;
  if (params.owner && params.repo) return { type: 'repository', id: null, name: `${params.owner}/${params.repo}`, ownerId: null };
  return actor ? { type: 'user', id: actor.id, name: actor.name, ownerId: actor.id } : INSTANCE;
}

type Actor = { readonly id: number; readonly name: string } | null;

/** An account as the object. */
export function accountObject({ id, name, type }: { id: number; name: string; type?: string }): AuditObject {
  return { type: type === 'organization' ? 'organization' : 'user', id, name, ownerId: id };
}

/** A repository as the object, by its id; also one that is not ready. */
export async function repositoryObject(db: Db, id: number): Promise<AuditObject> {
  const row = await db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .select(['repositories.name', 'users.name as owner_name', 'repositories.owner_id'])
    .where('repositories.id', '=', id)
    .executeTakeFirst();
  return { type: 'repository', id, name: row ? `${row.owner_name}/${row.name}` : '', ownerId: row?.owner_id ?? null };
}
