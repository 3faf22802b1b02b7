import { notArchived, signedIn } from '../../../access/requirements.ts';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../http/errors.ts';
import { empty } from '../../../http/responses.ts';
import type { AnyRoute } from '../../../http/route.ts';
import type { Issue } from '../../../issues/find.ts';
import { deleteVersion } from '../../../issues/history/delete.ts';
import { editedTexts } from '../../../issues/history/versions.ts';
import { findPeople } from '../../../issues/people.ts';
import { issuesOrPulls } from '../../../issues/requirements.ts';
import { listOrEmpty, requestedPage } from '../../components/list-page.ts';
import { timeAgo } from '../../components/numbers.ts';
import { html } from '../../html.ts';
import { type Reply, seeOther } from '../../page.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { issuePath } from '../paths.ts';
import { historyPath, versionAuthor, versionWord } from './menu.ts';
import { anchorOf, historyDocument, idField, issueOfVisit, subjectOf, subjectTitle } from './subject.ts';
import { versionPage } from './version-page.ts';

const AT = '/:owner/:repo/:kind(^issues|pulls$)/:index(^[0-9]+$)/content-history' as const;
const needs = [issuesOrPulls];

type Shown = (visit: RepositoryVisit, context: Context, issue: Issue) => Promise<Reply>;

/** Redirects the history of a pull request from its path as an issue, like its page. An issue is not found among pull requests. */
function shown(show: Shown): (visit: RepositoryVisit, context: Context) => Promise<Reply> {
  return async (visit, context) => {
    const { view, params, request } = visit;
    const issue = await issueOfVisit(visit, context);
    if (issue.is_pull === (params.kind === 'pulls')) return show(visit, context, issue);
    if (!issue.is_pull) throw notFound();
    const url = new URL(request.url);
    return empty(302, { location: `${issuePath(view, issue)}/content-history/${url.pathname.split('/').at(-1)}${url.search}` });
  };
}

/** The histories of the texts of issues and pull requests, at Gitea's URLs. */
export const contentHistoryPages: readonly AnyRoute[] = [
  ...repositoryPage({ path: `${AT}/overview`, needs, get: shown(overview) }),
  ...repositoryPage({ path: `${AT}/list`, needs, get: shown(list) }),
  ...repositoryPage({ path: `${AT}/detail`, needs, semaphore: 'renders', get: shown(versionPage) }),
  ...repositoryPage({
    path: `${AT}/soft-delete`,
    needs: [...needs, signedIn, notArchived],
    post: async (visit, context) => {
      const issue = await issueOfVisit(visit, context);
      const { comment } = await deleteVersion(context, visit.access, issue, idField(visit, 'history_id'));
      const path = issuePath(visit.view, issue).slice(visit.view.root.length);
      return seeOther(context, historyPath(path, 'list', { comment_id: comment?.id ?? 0 }));
    },
  }),
];

/** The edited texts of a conversation. */
async function overview(visit: RepositoryVisit, context: Context, issue: Issue): Promise<Reply> {
  const { view } = visit;
  const { history: text } = view.text;
  const page = requestedPage(visit, context.settings);
  const { texts, total } = await editedTexts(context, issue, page);
  const path = issuePath(view, issue);
  const authors = texts.map(({ author_id: id }) => id ?? 0);
  const people = await findPeople(context.db, authors, [context.actor]);
  const rows = texts.map(({ comment_id: id, author_id: author, original_author: original, versions, written_at: at }) => {
    const name = id === null ? text.description : text.comment(original || people(author ?? 0).name);
    const href = historyPath(path, 'list', { comment_id: id ?? 0 });
    return html`<li><a href="${href}">${name}</a> <span class="muted push">${text.versions(versions)}, ${text.lastEdited} ${timeAgo(view, at)}</span></li>`;
  });
  return historyDocument(visit, context, issue, {
    title: text.editedTexts,
    body: listOrEmpty(visit, page, { total, rows: html`<ul class="rows box">${rows}</ul>`, empty: text.noneEdited }),
  });
}

/** The versions of one text. */
async function list(visit: RepositoryVisit, context: Context, issue: Issue): Promise<Reply> {
  const { view } = visit;
  const { history: text } = view.text;
  const subject = await subjectOf(visit, context, issue, idField(visit, 'comment_id'));
  const { path, id, versions } = subject;
  const rows = versions.map((version) => {
    const words = html`${versionWord(view, version)} ${timeAgo(view, version.written_at)}`;
    const href = historyPath(path, 'detail', { comment_id: id, history_id: version.id });
    return html`<li>${versionAuthor(view, subject, version)} ${version.is_deleted ? html`<span class="muted">${words}</span>` : html`<a href="${href}">${words}</a>`}</li>`;
  });
  return historyDocument(visit, context, issue, {
    title: subjectTitle(view, subject),
    body: html`<p><a href="${path}${anchorOf(issue, id)}">${text.showText}</a></p>
${rows.length === 0 ? html`<p class="empty">${text.notEdited}</p>` : html`<ul class="rows box">${rows}</ul>`}`,
  });
}
