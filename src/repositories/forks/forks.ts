import { findRepository, type Repository, withOwners } from '../../access/find-repository.ts';
import { visibleRepositories } from '../../access/repository-access.ts';
import { isBlocked } from '../../accounts/blocks/blocked.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { RepositoryUpdate } from '../../database/tables/repositories.ts';
import { copyRepository } from '../../git/copy-repository.ts';
import type { GitRepository } from '../../git/repository.ts';
import { forbidden, notFound } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { createRepository } from '../create.ts';
import { requireUnforked } from './count.ts';

/**
 * Creates a fork: a separate repository with the branches, tags and objects of the source, as private as that.
 * @throws HttpError 403 when the source's owner has blocked the caller; 404 also when the source is deleted meanwhile; 404, 409, 422 as
 * {@link createRepository}
 */
export async function forkRepository(context: Context, source: Repository, owner: User, name: string): Promise<Repository> {
  if (await isBlocked(context.db, source.owner_id, signedInActor(context))) throw forbidden('user is blocked');
  // An existing fork is the first thing to check.
  await requireUnforked(context, source, owner);
  return createRepository(context, owner, {
    name,
    description: source.description,
    defaultBranch: source.default_branch,
    objectFormat: source.object_format,
    isPrivate: source.is_private || source.owner.visibility === 'private',
    kind: 'fork',
    columns: { fork_id: source.id },
    fill: (_, folder) => copyContent(context, source, folder),
  });
}

async function copyContent(context: Context, source: Repository, folder: GitRepository): Promise<RepositoryUpdate> {
  const refs = await copyRepository(context.git.locate(source), folder, context.git.pool).catch(async (error: unknown) => {
    throw (await findRepository(context.db, source.id)) ? error : notFound();
  });
  const branches = refs.filter(({ name }) => name.startsWith('refs/heads/')).length;
  return {
    is_empty: branches === 0,
    branches_count: branches,
    language: source.language,
    licenses: JSON.stringify(source.licenses),
  };
}

/** The forks of a repository that the caller may see, oldest first. */
export async function listForks(context: Context, source: Repository, page: Page): Promise<{ repositories: Repository[]; total: number }> {
  const { db, actor, signIn } = context;
  const forks = db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .where('repositories.fork_id', '=', source.id)
    .where(visibleRepositories(actor, { publicOnly: signIn.token?.publicOnly ?? false }));
  const { total } = await forks.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await forks.selectAll('repositories').orderBy('repositories.id').limit(page.limit).offset(page.offset).execute();
  return { repositories: await withOwners(db, rows), total: Number(total) };
}
