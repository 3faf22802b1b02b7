import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { type AnyRoute, query } from '../../http/route.ts';
import { string } from '../../http/schema.ts';
import type { IssueInput } from '../../issues/find.ts';
import { pullOf } from '../find.ts';
import { pullIndex, pullsOn } from '../requirements.ts';
import { pullDiff } from './diff.ts';

const CONTENT_TYPE = 'text/plain; charset=utf-8';
const diffQuery = { binary: query.boolean('whether binary files are within, so that git can apply it') };

/** Pull requests as a diff, or as mails. */
export const pullDiffRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/pulls/:index.:diffType(^diff|patch$)',
    id: 'repoDownloadPullDiffOrPatch',
    summary: 'Returns what a pull request changes, as a diff or as a patch',
    scope: 'repository',
    produces: ['text/plain'],
    parameters: { ...pullIndex, diffType: { description: 'diff or patch', enum: ['diff', 'patch'] } },
    needs: pullsOn,
    query: diffQuery,
    responses: { 200: string() },
    handle: async ({ query, ...input }, context) => diffResponse(input, query.binary ?? false, context),
  }),
  repositoryRoute({
    method: 'GET',
    path: '//:owner/:repo/pulls/:index.:diffType(^diff|patch$)',
    download: true,
    id: 'pullDiffOrPatchPage',
    summary: 'Returns what a pull request changes, as a diff or as a patch',
    scope: 'repository',
    needs: pullsOn,
    query: diffQuery,
    responses: { 200: null },
    hidden: true,
    handle: async ({ query, ...input }, context) => diffResponse(input, query.binary ?? false, context),
  }),
];

async function diffResponse(
  input: IssueInput & { params: { diffType: string } },
  binary: boolean,
  context: Context,
): Promise<HttpResponse> {
  const pull = await pullOf(input, context);
  const format = input.params.diffType === 'patch' ? 'patch' : binary ? 'binary-diff' : 'diff';
  return raw(await pullDiff(context, pull, format), CONTENT_TYPE);
}
