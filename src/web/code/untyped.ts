import { canRead } from '../../access/requirements.ts';
import { escapePath } from '../../code/escape-path.ts';
import { redirectUntyped } from '../../code/raw/untyped.ts';
import { isCommitIdLike } from '../../git/refs/revisions.ts';
import { MovedError } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';

const code = { needs: [canRead('code')] };

/** Leads from URLs that name a place in the code in another way: without the kind of the ref, or as other hosts do. */
export const untypedPages: readonly AnyRoute[] = [
  ...repositoryPage({ ...code, path: '/:owner/:repo/src', get: async (visit) => leadTo(visit, '') }),
  ...['src', 'commits', 'blame', 'find'].flatMap((page) =>
    repositoryPage({
      ...code,
      path: `/:owner/:repo/${page}/*`,
      get: ({ repository, params }, context) => redirectUntyped(context, repository, page, params['*'] ?? ''),
    }),
  ),
  // Links to the repository of a submodule have `tree`, so that they fit every host.
  ...repositoryPage({ ...code, path: '/:owner/:repo/tree/*', get: async (visit) => leadTo(visit, 'src/') }),
  ...repositoryPage({
    ...code,
    path: '/:owner/:repo/blob/*',
    get: async (visit, { git }) => {
      const [first = ''] = (visit.params['*'] ?? '').split('/');
      return leadTo(visit, isCommitIdLike(first, git.locate(visit.repository)) ? 'src/commit/' : 'src/');
    },
  }),
];

function leadTo({ view, repository, params, request }: RepositoryVisit, place: string): never {
  const path = repositoryPath(view, repository, place + escapePath(params['*'] ?? ''));
  throw new MovedError(path + new URL(request.url).search, 303);
}
