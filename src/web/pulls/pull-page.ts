import type { Context } from '../../context.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute } from '../../http/route.ts';
import { findIssue } from '../../issues/find.ts';
import { checkedSoon } from '../../pulls/mergeability/check.ts';
import { pullsOn } from '../../pulls/requirements.ts';
import { reviewsOfPull } from '../../pulls/reviews/of-pull.ts';
import { composerBytes } from '../components/composer.ts';
import { fault } from '../components/fault.ts';
import { type Html, html } from '../html.ts';
import { attachForm } from '../issues/attach.ts';
import { changeConversation } from '../issues/change.ts';
import { COMMENT_SCRIPTS } from '../issues/comment.ts';
import { commentForm } from '../issues/comment-form.ts';
import { type Draft, readTimeline } from '../issues/conversation.ts';
import { readDraft } from '../issues/issue-page.ts';
import { issuePath } from '../issues/paths.ts';
import { sideBar } from '../issues/side-bar.ts';
import { readSideData } from '../issues/side-data.ts';
import { timeline } from '../issues/timeline.ts';
import { type Reply, seeOther } from '../page.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { PULL_ACTIONS } from './actions.ts';
import { pullDocument } from './document.ts';
import { mergeBox } from './merge/box.ts';
import { mergeFacts } from './merge/facts.ts';
import { mergeSummary } from './merge/summary.ts';
import { pullOfVisit } from './pull-in.ts';
import { reviewRenderers } from './review/blocks.ts';
import { type ThreadSource, threadSource } from './review/source.ts';
import { batchForm, hasSuggestions } from './review/suggestion.ts';
import { pullSide } from './side.ts';

/** A pull request: its conversation and its merge box. */
export const pullConversationPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/pulls/:index(^[0-9]+$)',
  needs: pullsOn,
  semaphore: 'renders',
  maxBytes: composerBytes,
  get: async (visit, context) => (await issueInstead(visit, context)) ?? pullPage(visit, context, readDraft(visit)),
  post: async (visit, context) => {
    const { issue } = await pullOfVisit(visit, context);
    return changeConversation(visit, context, issue, (draft) => pullPage(visit, context, draft), PULL_ACTIONS);
  },
});

/** Redirects to the page of the issue, if the number is that of one. */
async function issueInstead(visit: RepositoryVisit, context: Context): Promise<Reply | undefined> {
  const { params, repository, view } = visit;
  const issue = await findIssue(context.db, repository, pathId(params.index ?? ''));
  return issue && !issue.is_pull ? seeOther(context, issuePath(view, issue).slice(view.root.length)) : undefined;
}

async function pullPage(visit: RepositoryVisit, context: Context, draft: Draft): Promise<Reply> {
  const pull = await checkedSoon(context, await pullOfVisit(visit, context));
  const conversation = await readTimeline(visit, context, pull.issue, draft);
  const reviews = await reviewsOfPull(context, pull.issue);
  const source = await threadSource(context, { conversation, pull, reviews, back: '' });
  const facts = await mergeFacts(context, pull);
  const renderers = await reviewRenderers(context, conversation, source);
  const body = html`${draft.fault !== undefined && fault(visit.view, draft.fault)}
<div class="columns conversation"><div>${await timeline(conversation, renderers)}
${hasSuggestions(source) && batchForm(source)}${pendingNote(source)}
${await mergeBox(conversation, context, pull, facts)}
${attachForm(conversation)}${commentForm(conversation)}</div>
${sideBar(conversation, await readSideData(conversation, context), html`${mergeSummary(conversation, pull, facts)}${await pullSide(conversation, context, pull, reviews)}`)}</div>`;
  const status = draft.fault === undefined ? 200 : 422;
  return pullDocument(visit, context, {
    pull,
    conversation,
    current: 'conversation',
    body,
    scripts: [...COMMENT_SCRIPTS, 'pull.js'],
    status,
  });
}

/** Reminds the user of an unsubmitted review. */
function pendingNote({ conversation, reviews }: ThreadSource): Html | false {
  const { visit, path } = conversation;
  const { view } = visit;
  const own = reviews.find(({ review }) => review.type === 'pending' && review.reviewer_id === view.user?.id);
  if (!own || own.comments.length === 0) return false;
  const { reviewing: text } = view.text;
  return html`<p class="notice">${text.pendingReview(own.comments.length)} <a href="${path}/files">${text.finishReview}</a></p>`;
}
