import { notArchived, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array, ref, type Shape } from '../../http/schema.ts';
import type { IssueInput } from '../find.ts';
import { loadIssue } from '../load.ts';
import { presentIssue, presentIssues } from '../present.ts';
import { issuesOrPulls } from '../requirements.ts';
import { Issue } from '../schema.ts';
import { addDependency, type End, hasDependencies, listBlocked, listDependencies, removeDependency } from './dependencies.ts';
import { dependencyEnd, MISSING } from './find.ts';
import { presentDependencies } from './present.ts';
import { IssueMeta } from './schema.ts';

const common = { scope: 'issue', tag: 'issue', parameters: { index: { description: 'number of the issue' } } } as const;
const dependencies = { ...common, path: '/repos/:owner/:repo/issues/:index/dependencies' } as const;
const blocks = { ...common, path: '/repos/:owner/:repo/issues/:index/blocks' } as const;
const added = { body: IssueMeta, responses: { 201: ref(Issue) }, also: [400, 409] } as const;
/** Described with 200, sent with 201, as clients expect. */
const removed = { body: IssueMeta, responses: { 201: ref(Issue) }, also: [400] } as const;

/** Dependencies between issues. */
export const dependencyRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...dependencies,
    method: 'GET',
    id: 'issueListIssueDependencies',
    summary: 'Lists the issues that block an issue',
    needs: [issuesOrPulls],
    query: pageQuery,
    responses: { 200: array(ref(Issue)) },
    handle: async (input, context) => {
      if (!hasDependencies(context, input.repository)) throw notFound();
      const issue = await loadIssue(input, context, MISSING);
      const page = pageOf(context, input.query);
      const { dependencies, total } = await listDependencies(context, issue, page);
      return listed(await presentDependencies(context, dependencies), total, { url: input.request.url, ...page });
    },
  }),
  repositoryRoute({
    ...dependencies,
    ...added,
    method: 'POST',
    id: 'issueCreateIssueDependencies',
    summary: 'Adds an issue that blocks an issue',
    needs: [issuesOrPulls, signedIn, notArchived],
    handle: async (input, context) => {
      const issue = await pathEnd(input, context);
      await addDependency(context, issue, await bodyEnd(input, context));
      return presentIssue(context, issue.issue);
    },
  }),
  repositoryRoute({
    ...dependencies,
    ...removed,
    method: 'DELETE',
    id: 'issueRemoveIssueDependencies',
    summary: 'Removes an issue that blocks an issue',
    needs: [issuesOrPulls, signedIn, notArchived],
    handle: async (input, context) => {
      const issue = await pathEnd(input, context);
      await removeDependency(context, issue, await bodyEnd(input, context));
      return presentIssue(context, issue.issue);
    },
  }),
  repositoryRoute({
    ...blocks,
    method: 'GET',
    id: 'issueListBlocks',
    summary: 'Lists the issues that an issue blocks',
    needs: [issuesOrPulls],
    query: pageQuery,
    responses: { 200: array(ref(Issue)) },
    handle: async (input, context) => {
      const issue = await loadIssue(input, context, MISSING);
      const blocked = await listBlocked(context, issue, pageOf(context, input.query));
      return presentIssues(
        context,
        blocked.map((end) => end.issue),
      );
    },
  }),
  repositoryRoute({
    ...blocks,
    ...added,
    method: 'POST',
    id: 'issueCreateIssueBlocking',
    summary: 'Adds an issue that an issue blocks',
    needs: [issuesOrPulls, signedIn],
    handle: async (input, context) => {
      const dependency = await pathEnd(input, context);
      await addDependency(context, await bodyEnd(input, context), dependency);
      return presentIssue(context, dependency.issue);
    },
  }),
  repositoryRoute({
    ...blocks,
    ...removed,
    method: 'DELETE',
    id: 'issueRemoveIssueBlocking',
    summary: 'Removes an issue that an issue blocks',
    needs: [issuesOrPulls, signedIn],
    handle: async (input, context) => {
      const dependency = await pathEnd(input, context);
      await removeDependency(context, await bodyEnd(input, context), dependency);
      return presentIssue(context, dependency.issue);
    },
  }),
];

async function pathEnd(input: IssueInput, context: Context): Promise<End> {
  return { issue: await loadIssue(input, context, MISSING), access: input.access };
}

function bodyEnd({ body, ...input }: IssueInput & { body: Shape<typeof IssueMeta> }, context: Context): Promise<End> {
  const { owner = '', repo = '', index = 0 } = body;
  return dependencyEnd(context, input, { owner, repo, index });
}
