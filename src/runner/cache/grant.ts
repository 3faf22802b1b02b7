import { plainAt, scalarText, textAt } from '../plain.ts';
import type { CacheGrant } from './server.ts';

/**
 * What a job may do with caches, by its `github` context: it keeps them for its repository and ref, and finds those of its base and of the
 * default branch too. The repository is known by its id, since another one may get the name of one that is gone.
 */
export function cacheGrantOf(github: unknown): CacheGrant {
  const repository = plainAt(plainAt(github, 'event'), 'repository');
  const own = `${textAt(github, 'server_url')}${textAt(github, 'repository_id') || scalarText(repository.id) || textAt(github, 'repository')}`;
  const branches = [textAt(github, 'base_ref'), textAt(repository, 'default_branch')];
  const refs = [textAt(github, 'ref'), ...branches.filter((name) => name !== '').map((name) => `refs/heads/${name}`)];
  const [scope = '', ...others] = refs.map((ref) => `${own}\n${ref}`);
  return { scope, readable: [scope, ...others] };
}
