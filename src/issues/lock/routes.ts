import { repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { loadIssue } from '../load.ts';
import { issuesOrPulls } from '../requirements.ts';
import { lockIssue, unlockIssue } from './lock.ts';
import { LockIssueOption } from './schema.ts';

const common = {
  path: '/repos/:owner/:repo/issues/:index/lock',
  scope: 'issue',
  tag: 'issue',
  needs: [issuesOrPulls, signedIn, repositoryAdmin],
  parameters: { index: { type: 'integer', format: 'int64', description: 'number of the issue' } },
  responses: { 204: null },
} as const;

/** Locking conversations. */
export const lockRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...common,
    method: 'PUT',
    id: 'issueLockIssue',
    summary: 'Locks the conversation of an issue',
    body: LockIssueOption,
    handle: async (input, context) => {
      await lockIssue(context, await loadIssue(input, context), input.body.lock_reason ?? '');
      return empty(204);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'DELETE',
    id: 'issueUnlockIssue',
    summary: 'Unlocks the conversation of an issue',
    handle: async (input, context) => {
      await unlockIssue(context, await loadIssue(input, context));
      return empty(204);
    },
  }),
];
