import { presentUser } from '../../../accounts/users/present.ts';
import { listDeletedBranches } from '../../../code/branches/deleted.ts';
import type { Context } from '../../../context.ts';
import type { DeletedBranch } from '../../../database/tables/code.ts';
import { findPeople } from '../../../issues/people.ts';
import { userLink } from '../../components/avatar.ts';
import { actionButton } from '../../components/form.ts';
import { timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import { repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon } from '../../view.ts';

/** The deleted branches, each with a restore button; empty if there are none. @param query a part of their names */
export async function deletedPart(visit: RepositoryVisit, context: Context, query: string): Promise<Html | undefined> {
  const { view, repository } = visit;
  const all = await listDeletedBranches(context, repository);
  const shown = all.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
  if (shown.length === 0) return undefined;
  const ids = shown.flatMap(({ deleted_by: id }) => (id === null ? [] : [id]));
  const people = await findPeople(context.db, ids, [context.actor]);
  const rows = shown.map((branch) => {
    const { deleted_by: id } = branch;
    return deletedRow(visit, branch, id !== null && userLink(view, presentUser(context, people(id))));
  });
  return html`<h3>${view.text.refs.deletedBranches(shown.length)}</h3><ul class="rows box deleted-branches">${rows}</ul>`;
}

function deletedRow({ view, repository }: RepositoryVisit, branch: DeletedBranch, by: Html | false): Html {
  const { refs: text } = view.text;
  const { id, name, commit_id: commit, deleted_at: time } = branch;
  const restore = actionButton(view, {
    action: repositoryPath(view, repository, 'branches/restore'),
    label: html`${icon(view, 'history')} ${text.restore}`,
    title: text.restoreNamed(name),
    fields: { branch_id: id, name },
  });
  return html`<li><div class="commit-line"><div class="commit-title">${icon(view, 'git-branch')} ${name}</div>
<div class="muted"><a class="mono" href="${repositoryPath(view, repository, `commit/${commit}`)}">${commit.slice(0, 10)}</a> · ${by ? html`${text.deletedBy} ${by}` : text.deleted} ${timeAgo(view, time)}</div></div>
<span class="push">${restore}</span></li>`;
}
