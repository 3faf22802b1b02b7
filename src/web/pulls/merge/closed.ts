import { presentUser } from '../../../accounts/users/present.ts';
import { escapePath } from '../../../code/escape-path.ts';
import type { Context } from '../../../context.ts';
import { findPeople } from '../../../issues/people.ts';
import type { Pull } from '../../../pulls/find.ts';
import { headBranchAction } from '../../../pulls/merge/head-branch.ts';
import { userLink } from '../../components/avatar.ts';
import { actionButton } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import type { Conversation } from '../../issues/conversation.ts';
import { repositoryPath } from '../../repository/frame.ts';
import { icon } from '../../view.ts';

/** The actions of a closed or merged pull request: on its branch, and on its commits. */
export async function closedPart(conversation: Conversation, context: Context, pull: Pull): Promise<Html> {
  const { visit, path } = conversation;
  const { view } = visit;
  const { pulls: text, merging } = view.text;
  const isMerged = pull.merged_commit_id !== '';
  const branch = await headBranchAction(context, pull);
  const words = isMerged
    ? html`<p>${icon(view, 'git-merge')} ${text.isMerged} ${await mergedAs(conversation, context, pull)}</p>`
    : html`<p>${icon(view, 'git-pull-request-closed')} ${text.isClosed} ${conversation.canEdit && merging.reopenHint}</p>`;
  const label = branch === 'delete' ? merging.deleteBranch : merging.restoreBranch;
  return html`${words}<div class="buttons">${branch && actionButton(view, { action: path, label: html`${icon(view, branch === 'delete' ? 'trash' : 'git-branch')} ${label}`, fields: { do: `${branch}-head` } })}
${isMerged && undoButtons(conversation, pull)}</div>`;
}

async function mergedAs({ visit: { view, repository } }: Conversation, context: Context, pull: Pull): Promise<Html> {
  const { merging } = view.text;
  const { merged_commit_id: commit, merger_id: id } = pull;
  const people = await findPeople(context.db, id === null ? [] : [id], [context.actor]);
  const by = id !== null && html`${merging.mergedBy} ${userLink(view, presentUser(context, people(id)))}`;
  return html`${merging.mergedAs} <a class="mono" href="${repositoryPath(view, repository, `commit/${commit}`)}">${commit.slice(0, 10)}</a> ${by}`;
}

/** For users with write access: reverting it, and cherry-picking it to another branch. */
function undoButtons({ visit, path }: Conversation, pull: Pull): Html | false {
  const { view, repository, access } = visit;
  const { merging } = view.text;
  if (!view.user || !access.canWrite('code') || repository.is_archived) return false;
  const pick = repositoryPath(view, repository, `_cherrypick/${pull.merged_commit_id}/${escapePath(pull.base_branch)}`);
  return html`${actionButton(view, { action: path, label: html`${icon(view, 'history')} ${merging.revert}`, fields: { do: 'revert' } })}
<a class="button" href="${pick}">${icon(view, 'git-commit')} ${merging.cherryPick}</a><p class="hint">${merging.revertHint}</p>`;
}
