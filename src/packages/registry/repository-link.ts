import { findRepositoryOf, type Repository } from '../../access/find-repository.ts';
import { findUser } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { PackageError } from '../errors.ts';

/**
 * The repository of this instance that a package names as its source, by a clone URL.
 * @returns undefined for other URLs, and for repositories that the caller may not see
 * @throws PackageError 403 where the caller may not write the repository's packages
 */
export async function linkedRepository(context: Context, url: string): Promise<Repository | undefined> {
  const path = pathHere(context, url);
  const [ownerName = '', name = ''] = path?.replace(/^\/+/, '').split('/') ?? [];
  const owner = ownerName && name ? await findUser(context.db, ownerName) : undefined;
  const repository = owner && (await findRepositoryOf(context.db, owner, name.replace(/\.git$/, '')));
  if (!repository) return undefined;
  const access = await repositoryAccess(context, repository, context.actor);
  if (!access.isVisible) return undefined;
  if (repository.owner_id !== context.actor?.id && !access.canWrite('packages')) {
    throw new PackageError('invalid', { status: 403, message: 'no permission to upload this package' });
  }
  return repository;
}

/** Links a package to a repository, as part of the context's transaction if there is one. */
export async function linkRepository({ db }: Pick<Context, 'db'>, packageId: number, repository: Repository): Promise<void> {
  await db.updateTable('packages').set({ repository_id: repository.id }).where('id', '=', packageId).execute();
}

/** The path within this instance; undefined for URLs of others. */
function pathHere({ settings: { server, ssh } }: Context, url: string): string | undefined {
  const root = new URL(server.rootUrl);
  const isSshHost = (name = '') => name === ssh.publicHost || name === root.hostname;
  if (!url.includes('://')) {
    const [, host, path] = /^(?:[^@:/]+@)?([^@:/]+):(.+)$/.exec(url) ?? [];
    return isSshHost(host) ? path : undefined;
  }
  const parsed = URL.parse(url.replace(/^git\+ssh:/, 'ssh:'));
  if (parsed?.protocol === 'ssh:') return isSshHost(parsed.hostname) ? parsed.pathname : undefined;
  const isHere = parsed?.origin === root.origin && parsed.pathname.startsWith(root.pathname);
  return isHere ? parsed.pathname.slice(root.pathname.length) : undefined;
}
