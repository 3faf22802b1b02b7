import { findRepositoryOf } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { defaultLocation } from '../code/location.ts';
import { findReadme, readmeBox } from '../code/readme.ts';
import { readFolder } from '../code/tree.ts';
import type { Html } from '../html.ts';
import type { AccountVisit } from '../resource-pages.ts';

/** The repository whose README is shown on the page of its owner. */
const PROFILE_REPOSITORY = '.profile';

/** The README in an account's repository `.profile`, if the user may read it. */
export async function profileReadme(visit: AccountVisit, context: Context): Promise<Html | false> {
  const repository = await findRepositoryOf(context.db, visit.user, PROFILE_REPOSITORY);
  if (!repository || repository.is_private) return false;
  const access = await repositoryAccess(context, repository, context.actor);
  const location = access.canRead('code') ? await defaultLocation(context, repository) : undefined;
  const readme = location && findReadme(await readFolder(context, location));
  return readme ? readmeBox({ ...visit, repository, access }, context, location, readme) : false;
}
