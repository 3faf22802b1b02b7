import type { AnyRoute } from '../../http/route.ts';
import { listPullCommits } from '../../pulls/commits/commits.ts';
import { pullsOn } from '../../pulls/requirements.ts';
import { commitRows } from '../code/commit/summary.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { readConversation } from '../issues/conversation.ts';
import { repositoryPage } from '../resource-pages.ts';
import { pullDocument } from './document.ts';
import { pullOfVisit } from './pull-in.ts';

/** The commits of a pull request. */
export const pullCommitPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/pulls/:index(^[0-9]+$)/commits',
  needs: pullsOn,
  get: async (visit, context) => {
    const pull = await pullOfVisit(visit, context);
    const page = requestedPage(visit, context.settings);
    const { commits, total } = await listPullCommits(context, pull, page);
    const rows = await commitRows(visit, context, visit.repository, commits);
    const body = listOrEmpty(visit, page, { total, rows, empty: visit.view.text.pulls.noCommits });
    const conversation = await readConversation(visit, context, pull.issue);
    return pullDocument(visit, context, { pull, conversation, current: 'commits', body });
  },
});
