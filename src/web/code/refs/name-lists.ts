import type { Repository } from '../../../access/find-repository.ts';
import { canRead } from '../../../access/requirements.ts';
import { listBranches } from '../../../code/branches/branches.ts';
import { listTagNames } from '../../../code/tags/tags.ts';
import { HttpResponse } from '../../../http/responses.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { repositoryPath } from '../../repository/frame.ts';
import { repositoryPage } from '../../resource-pages.ts';
import type { View } from '../../view.ts';

/** More tags than anybody would choose from. */
const MAX_TAGS = 10_000;

/** The lists of names as a field has them. */
export function refNames(view: View, repository: Repository, kinds: readonly ('branches' | 'tags')[]): string {
  return kinds.map((kind) => repositoryPath(view, repository, `${kind}/list`)).join(' ');
}

/** The names of all branches and of the tags, for scripts that offer a choice. */
export const nameListPages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: '/:owner/:repo/branches/list',
    needs: [canRead('code')],
    semaphore: 'searches',
    get: async ({ repository }, context) => {
      const names = repository.is_empty ? [] : (await listBranches(context, repository)).map(({ name }) => name);
      const others = names.filter((name) => name !== repository.default_branch);
      return new HttpResponse({ results: others.length < names.length ? [repository.default_branch, ...others] : others });
    },
  }),
  ...repositoryPage({
    path: '/:owner/:repo/tags/list',
    needs: [canRead('code')],
    semaphore: 'searches',
    get: async ({ repository }, context) => {
      const { names } = repository.is_empty ? { names: [] } : await listTagNames(context, repository, MAX_TAGS);
      return new HttpResponse({ results: names });
    },
  }),
];
