import type { Context } from '../../../context.ts';
import type { CommentRow } from '../../../database/tables/issues.ts';
import type { Issue } from '../../../issues/find.ts';
import { issueOf } from '../../../issues/find.ts';
import { presentVersions, type ShownVersion } from '../../../issues/history/present.ts';
import { commentWithVersions, versionsOf } from '../../../issues/history/versions.ts';
import { findPeople } from '../../../issues/people.ts';
import { titleText } from '../../components/title.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { repositoryDocument } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import type { View } from '../../view.ts';
import { issuePath } from '../paths.ts';
import { historyPath, type TextHistory } from './menu.ts';

/** A text whose history is shown. */
export interface Subject extends TextHistory {
  /** Whose text it is. */
  readonly author: string;
}

/** The issue or pull request that the path names. @throws HttpError 404 */
export function issueOfVisit({ repository, access, params }: RepositoryVisit, context: Context): Promise<Issue> {
  return issueOf({ repository, access, params: { index: params.index ?? '' } }, context);
}

/** The number in a field; 0 if there is none. */
export function idField({ fields }: RepositoryVisit, name: string): number {
  const value = fields.get(name) ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : 0;
}

/** A text with its versions. @param known the comment, if already read; null for the issue's own text */
export async function subjectOf(
  visit: RepositoryVisit,
  context: Context,
  issue: Issue,
  known: CommentRow | null | number,
): Promise<Subject> {
  const comment = typeof known !== 'number' ? known : known === 0 ? null : await commentWithVersions(context, issue, known);
  const id = comment?.id ?? 0;
  const { author_id: authorId, original_author: originalAuthor } = comment ?? issue;
  const people = await findPeople(context.db, [authorId], [context.actor]);
  const versions = await presentVersions(context, await versionsOf(context, issue, id === 0 ? [] : [id]));
  return {
    path: issuePath(visit.view, issue),
    id,
    versions: versions.get(id) ?? [],
    originalAuthor,
    author: originalAuthor || people(authorId).name,
  };
}

/** The name of a text. */
export function subjectTitle({ text: { history } }: View, { id, author }: Pick<Subject, 'id' | 'author'>): string {
  return id === 0 ? history.ofDescription : history.ofComment(author);
}

/** The anchor of a text on the page of its issue. */
export function anchorOf(issue: Pick<Issue, 'id'>, id: number): string {
  return id === 0 ? `#issue-${issue.id}` : `#issuecomment-${id}`;
}

/** The versions of a text in their order, for the side of its pages. @param current the one that is shown */
export function olderAndNewer(versions: readonly ShownVersion[], current: number): { older?: ShownVersion; newer?: ShownVersion } {
  const at = versions.findIndex(({ id }) => id === current);
  const shown = (list: readonly ShownVersion[]) => list.find(({ is_deleted: isDeleted }) => !isDeleted);
  const [older, newer] = [shown(versions.slice(at + 1)), shown(versions.slice(0, Math.max(0, at)).toReversed())];
  return { ...(older && { older }), ...(newer && { newer }) };
}

/** A page of histories, below the title of the conversation, which links back. */
export function historyDocument(
  visit: RepositoryVisit,
  context: Context,
  issue: Issue,
  { title, body }: { title: string; body: Html },
): Promise<Document> {
  const { view } = visit;
  const path = issuePath(view, issue);
  return repositoryDocument(visit, context, {
    tab: issue.is_pull ? 'pulls' : 'issues',
    title: `${title} - ${issue.title} #${issue.number}`,
    body: html`<div class="issue-head"><h2 class="issue-heading"><a class="plain" href="${path}">${titleText(issue.title)} <span class="muted">#${issue.number}</span></a></h2>
<p class="row"><a href="${historyPath(path, 'overview')}">${view.text.history.editedTexts}</a></p></div>
<h3>${title}</h3>${body}`,
  });
}
