import type { Context } from '../../../context.ts';
import type { Issue } from '../../../issues/find.ts';
import { canDeleteVersion, findVersion, type Version, versionBefore } from '../../../issues/history/versions.ts';
import { postForm } from '../../components/form.ts';
import { timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import type { Reply } from '../../page.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon } from '../../view.ts';
import { comparison } from './comparison.ts';
import { historyPath, versionAuthor, versionWord } from './menu.ts';
import { anchorOf, historyDocument, idField, olderAndNewer, type Subject, subjectOf, subjectTitle } from './subject.ts';

/** One version of a text, and its changes. */
export async function versionPage(visit: RepositoryVisit, context: Context, issue: Issue): Promise<Reply> {
  const { view, access } = visit;
  const found = await findVersion(context, issue, idField(visit, 'history_id'));
  const subject = await subjectOf(visit, context, issue, found.comment ?? null);
  const mayDelete = !found.version.is_deleted && !issue.repository.is_archived && canDeleteVersion(context, access, issue, found);
  return historyDocument(visit, context, issue, {
    title: subjectTitle(view, subject),
    body: html`${versionHead(visit, issue, subject, found)}${await versionText(visit, context, found)}${mayDelete && deleteForm(visit, subject, found)}`,
  });
}

/** The author and time, and links to the other versions. */
function versionHead({ view }: RepositoryVisit, issue: Issue, subject: Subject, { version }: Version): Html {
  const { history: text } = view.text;
  const { path, id, versions } = subject;
  const shown = versions.find((one) => one.id === version.id);
  const { older, newer } = olderAndNewer(versions, version.id);
  const step = (to: { id: number } | undefined, label: Html) =>
    to && html`<a class="button" href="${historyPath(path, 'detail', { comment_id: id, history_id: to.id })}">${label}</a>`;
  return html`<div class="row version-head"><p>${shown && html`${versionAuthor(view, subject, shown)} ${versionWord(view, shown)}`} ${timeAgo(view, version.written_at)}</p>
<p class="row push">${step(older, html`${icon(view, 'arrow-left')} ${text.older}`)}${step(newer, html`${text.newer} ${icon(view, 'arrow-right')}`)}
<a class="button" href="${historyPath(path, 'list', { comment_id: id })}">${text.all(versions.length)}</a>
<a class="button" href="${path}${anchorOf(issue, id)}">${text.showText}</a></p></div>`;
}

async function versionText({ view }: RepositoryVisit, context: Context, { version }: Version): Promise<Html> {
  const { history: text } = view.text;
  if (version.is_deleted) return html`<p class="empty">${text.textDeleted}</p>`;
  const before = await versionBefore(context, version);
  const whole =
    version.body === '' ? html`<p class="empty">${text.empty}</p>` : html`<pre class="version-text" tabindex="0">${version.body}</pre>`;
  if (!before) return html`<div class="box">${whole}</div>`;
  return html`<div class="box">${await comparison(context, view, { before: before.body, after: version.body })}</div>
<details class="box version-whole"><summary>${text.whole}</summary>${whole}</details>`;
}

function deleteForm({ view }: RepositoryVisit, { path, id }: Subject, { version }: Version): Html {
  const { history: text } = view.text;
  const fields = html`<input type="hidden" name="comment_id" value="${id}"><input type="hidden" name="history_id" value="${version.id}">
<p>${text.deleteWarning}</p><button class="danger">${text.delete}</button>`;
  return html`<details class="version-delete"><summary>${text.delete}</summary>${postForm(view, fields, { action: historyPath(path, 'soft-delete') })}</details>`;
}
