import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { type Pull, pullOf } from '../../pulls/find.ts';
import { checkedSoon } from '../../pulls/mergeability/check.ts';
import { pullsOn } from '../../pulls/requirements.ts';
import { composerBytes } from '../components/composer.ts';
import { html } from '../html.ts';
import { attachForm } from '../issues/attach.ts';
import { changeConversation } from '../issues/change.ts';
import { COMMENT_SCRIPTS } from '../issues/comment.ts';
import { commentForm } from '../issues/comment-form.ts';
import { type Draft, readConversation } from '../issues/conversation.ts';
import { readDraft } from '../issues/issue-page.ts';
import { sideBar } from '../issues/side-bar.ts';
import { readSideData } from '../issues/side-data.ts';
import { timeline } from '../issues/timeline.ts';
import { fault, type Reply } from '../page.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { PULL_ACTIONS } from './actions.ts';
import { pullDocument } from './document.ts';
import { mergeBox } from './merge-box.ts';
import { reviewRenderers } from './review-block.ts';

/** A pull request: what was said about it, and what stands between it and merging. */
export const pullConversationPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/pulls/:index(^[0-9]+$)',
  needs: pullsOn,
  semaphore: 'renders',
  maxBytes: composerBytes,
  get: async (visit, context) => pullPage(visit, context, readDraft(visit)),
  post: async (visit, context) => {
    const { issue } = await pullOfVisit(visit, context);
    return changeConversation(visit, context, issue, (draft) => pullPage(visit, context, draft), PULL_ACTIONS);
  },
});

/** The pull request of a path. @throws HttpError 404 */
export function pullOfVisit({ repository, access, params }: RepositoryVisit, context: Context): Promise<Pull> {
  return pullOf({ repository, access, params: { index: params.index ?? '' } }, context);
}

async function pullPage(visit: RepositoryVisit, context: Context, draft: Draft): Promise<Reply> {
  const pull = await checkedSoon(context, await pullOfVisit(visit, context));
  const conversation = await readConversation(visit, context, pull.issue, draft);
  const renderers = await reviewRenderers(context, conversation);
  const body = html`${draft.fault !== undefined && fault(draft.fault)}
<div class="columns conversation"><div>${await timeline(conversation, renderers)}
${await mergeBox(conversation, context, pull)}
${attachForm(conversation)}${commentForm(conversation)}</div>
${sideBar(conversation, await readSideData(conversation, context))}</div>`;
  const status = draft.fault === undefined ? 200 : 422;
  return pullDocument(visit, context, { pull, conversation, current: 'conversation', body, scripts: COMMENT_SCRIPTS, status });
}
