import type { Context } from '../../context.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { issueOf } from '../../issues/find.ts';
import { issuesOrPulls } from '../../issues/requirements.ts';
import { subjects } from '../../processes/subjects.ts';
import { composerBytes } from '../components/composer.ts';
import { fault } from '../components/fault.ts';
import { field, postForm } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import { titleText } from '../components/title.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { Reply } from '../page.ts';
import { issueHere } from '../repository/elsewhere.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { icon } from '../view.ts';
import { attachForm } from './attach.ts';
import { changeConversation } from './change.ts';
import { COMMENT_SCRIPTS } from './comment.ts';
import { commentForm } from './comment-form.ts';
import { type Conversation, type Draft, readTimeline, type WholeConversation } from './conversation.ts';
import { issuePath } from './paths.ts';
import { stateBadge } from './shown.ts';
import { sideBar } from './side-bar.ts';
import { readSideData } from './side-data.ts';
import { timeline } from './timeline.ts';

/** An issue. A pull request redirects to its own page. */
export const issueConversationPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/issues/:index(^[0-9]+$)',
  needs: [issueHere, issuesOrPulls],
  semaphore: 'renders',
  maxBytes: composerBytes,
  get: async (visit, context) => issuePage(visit, context, readDraft(visit)),
  post: async (visit, context) => {
    const issue = await issueOf(inputOf(visit), context);
    return changeConversation(visit, context, issue, (draft) => issuePage(visit, context, draft));
  },
});

function inputOf({ repository, access, params }: RepositoryVisit) {
  return { repository, access, params: { index: params.index ?? '' } };
}

/** The field that the URL requests to edit. */
export function readDraft({ fields }: RepositoryVisit): Draft {
  const edit = fields.get('edit');
  if (edit === 'title' || edit === 'body') return { edit };
  return edit !== undefined && /^\d{1,15}$/.test(edit) ? { edit: Number(edit) } : {};
}

async function issuePage(visit: RepositoryVisit, context: Context, draft: Draft): Promise<Reply> {
  const issue = await issueOf(inputOf(visit), context);
  if (issue.is_pull) return empty(302, { location: issuePath(visit.view, issue) + new URL(visit.request.url).search });
  const conversation = await readTimeline(visit, context, issue, draft);
  return repositoryDocument(visit, context, await issueDocument(conversation, context));
}

async function issueDocument(conversation: WholeConversation, context: Context): Promise<Document & { tab: 'issues' }> {
  const { issue, draft, shown, visit } = conversation;
  const { view } = visit;
  return {
    tab: 'issues',
    title: `${issue.title} #${issue.number}`,
    scripts: COMMENT_SCRIPTS,
    live: [subjects.issue(issue.id)],
    summary: { description: issue.body },
    ...(draft.fault !== undefined && { status: 422 }),
    body: html`${conversationHead(conversation, html`${view.text.issues.opened} ${timeAgo(view, shown.created_at)}`)}
${draft.fault !== undefined && fault(view, draft.fault)}
<div class="columns conversation"><div>${await timeline(conversation)}
${attachForm(conversation)}${commentForm(conversation)}</div>
${sideBar(conversation, await readSideData(conversation, context))}</div>`,
  };
}

/** The title, its form, and the state. @param facts the text next to the state, such as the branches of a pull request */
export function conversationHead(conversation: Conversation, facts: Html): Html {
  const { visit, issue, shown, canEdit, draft, path } = conversation;
  const { view, repository } = visit;
  const { timeline: text, issues, common } = view.text;
  const list = repositoryPath(view, repository, `${issue.is_pull ? 'pulls' : 'issues'}/new${issue.is_pull ? '' : '/choose'}`);
  const title =
    canEdit && draft.edit === 'title'
      ? postForm(
          view,
          html`<input type="hidden" name="do" value="edit">${field({ name: 'title', label: text.title, value: draft.text ?? shown.title, isRequired: true, maxLength: 255 })}
<div class="buttons"><button class="primary">${common.save}</button> <a class="button" href="${path}">${common.cancel}</a></div>`,
          { action: path, className: 'title-form' },
        )
      : html`<h2 class="issue-heading">${titleText(shown.title)} <span class="muted">#${shown.number}</span></h2>
<span class="row">${canEdit && html`<a class="button" href="${path}?edit=title">${text.editTitle}</a>`}
${!issue.is_pull && !repository.is_archived && html`<a class="button primary" href="${list}" data-key="c">${issues.newIssue}</a>`}</span>`;
  return html`<div class="issue-head" data-comments="${shown.comments}"><div class="row issue-title-row">${title}</div>
<p class="row" id="issue-state" data-live-part>${stateBadge(view, shown)} <span class="muted">${facts}${issue.ref !== '' && html` · ${icon(view, 'git-branch')} ${text.reference}: <code>${issue.ref.replace(/^refs\/(heads|tags)\//, '')}</code>`}</span>
${shown.comments > 0 && html`<span class="muted">· ${issues.comments(shown.comments)}</span>`}${issue.is_locked && html` <span class="badge warning">${icon(view, 'lock')}</span>`}</p></div>`;
}
