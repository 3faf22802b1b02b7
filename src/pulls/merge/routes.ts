import { notArchived, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { withRefErrors } from '../../code/ref-errors.ts';
import type { Context } from '../../context.ts';
import type { GitMergeStyle } from '../../git/merge/merge-styles.ts';
import { notFound } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { Shape } from '../../http/schema.ts';
import type { IssueInput } from '../../issues/find.ts';
import { cancelMerge, planMerge } from '../auto-merge/auto-merge.ts';
import { findPull, type Pull, pullOf } from '../find.ts';
import { pullIndex, pullsOn } from '../requirements.ts';
import { deleteMergedBranch, deletesBranch } from './delete-branch.ts';
import { markMergedManually } from './manual.ts';
import { mergePull } from './merge.ts';
import { defaultMessage } from './message.ts';
import { MERGE_STYLES, MergePullRequestOption } from './schema.ts';

/** Merging pull requests. */
export const pullMergeRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/pulls/:index/merge',
    id: 'repoPullRequestIsMerged',
    summary: 'Checks whether a pull request has been merged',
    scope: 'repository',
    parameters: pullIndex,
    needs: pullsOn,
    responses: { 204: null },
    handle: async (input, context) => {
      const { merged_commit_id: commit } = await pullOf(input, context);
      if (commit === '') throw notFound();
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/pulls/:index/merge',
    id: 'repoMergePullRequest',
    summary: 'Merges a pull request',
    scope: 'repository',
    parameters: pullIndex,
    needs: [...pullsOn, signedIn, notArchived],
    body: MergePullRequestOption,
    responses: { 200: null, 201: null },
    also: [405, 409, 412, 423],
    handle: async (input, context) => merge(context, await pullToMerge(input, context), input.body),
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo/pulls/:index/merge',
    id: 'repoCancelScheduledAutoMerge',
    summary: 'Cancels a merge that waits for its checks',
    scope: 'repository',
    parameters: pullIndex,
    needs: [...pullsOn, signedIn, notArchived],
    responses: { 204: null },
    also: [423],
    handle: async (input, context) => cancelMerge(context, await pullOf(input, context)),
  }),
];

async function merge(context: Context, pull: Pull, body: Shape<typeof MergePullRequestOption>) {
  const style = MERGE_STYLES.find((known) => known === body.do) ?? 'merge';
  if (style === 'manually-merged') {
    await markMergedManually(context, pull, body.merge_commit_id || body.MergeCommitID || '');
    return empty(200);
  }
  const deletes = deletesBranch(pull, body.delete_branch_after_merge);
  const message = await messageOf(context, pull, style, body);
  if (body.merge_when_checks_succeed) {
    await planMerge(context, pull, { style, message, deletesBranch: deletes });
    return empty(201);
  }
  const options = { style, message, force: body.force_merge ?? false, expectedHead: body.head_commit_id ?? '', isAutomatic: false };
  await withRefErrors(() => mergePull(context, pull, options));
  if (deletes) await deleteMergedBranch(context, pull);
  return empty(200);
}

/** The given message, with a default title. */
async function messageOf(context: Context, pull: Pull, style: GitMergeStyle, body: Shape<typeof MergePullRequestOption>): Promise<string> {
  const given = (body.merge_title_field || body.MergeTitleField || '').trim();
  const title = given || ((await defaultMessage(context, pull, style))?.title ?? '');
  const rest = (body.merge_message_field || body.MergeMessageField || '').trim();
  return rest === '' ? title : `${title}\n\n${rest}`;
}

async function pullToMerge({ repository, params }: IssueInput, { db }: Context): Promise<Pull> {
  const number = pathId(params.index);
  const pull = await findPull(db, repository, number);
  if (pull) return pull;
  // Without a number there is nothing to find.
  const baseId = number > 0 ? repository.id : 0;
  const facts = `id: 0, issue_id: 0, head_repo_id: 0, base_repo_id: ${baseId}, head_branch: , base_branch: `;
  throw notFound([`pull request does not exist [${facts}]`], 'GetPullRequestByIndex');
}
