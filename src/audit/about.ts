import { findUserById } from '../access/find-user.ts';
import type { Context } from '../context.ts';
import { INSTANCE } from './actions.ts';
import { accountObject, repositoryObject } from './object.ts';

/** Sets the object of this request's act: an account or a repository, or the instance if there is neither. */
export async function actIsAbout(context: Context, place: { owner_id: number | null; repository_id: number | null }): Promise<void> {
  if (!context.act) return;
  if (place.repository_id !== null) return context.act.about(await repositoryObject(context.db, place.repository_id));
  const owner = place.owner_id === null ? undefined : await findUserById(context.db, place.owner_id);
  context.act.about(owner ? accountObject(owner) : INSTANCE);
}
