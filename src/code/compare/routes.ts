import { canRead } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { notFound } from '../../http/errors.ts';
import { type AnyRoute, query } from '../../http/route.ts';
import { presentCommits } from '../commits/present.ts';
import { compare } from './compare.ts';
import { Compare } from './schema.ts';

/** Comparing revisions. */
export const compareRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/compare/*',
    id: 'repoCompareDiff',
    summary: 'Compares two revisions',
    scope: 'repository',
    needs: [canRead('code')],
    query: {
      verification: query.boolean('whether the verification of signatures is included; true by default'),
      files: query.boolean('whether the changed files are listed; they are unless this says no'),
    },
    parameters: { basehead: { description: 'base...head, where the head may be owner:head or owner/repository:head' } },
    responses: { 200: Compare },
    also: [400],
    handle: async ({ repository, access, params, query }, context) => {
      // Administrators reach this even if the code unit is disabled.
      if (!access.canRead('code')) throw notFound(null, "can't read baseRepo UnitTypeCode");
      const { head, total, commits } = await compare(context, repository, params['*']);
      return { total_commits: total, commits: await presentCommits(context, head, commits, query) };
    },
  }),
];
