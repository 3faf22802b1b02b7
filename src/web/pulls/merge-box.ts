import { branchRule } from '../../code/protections/rules.ts';
import { latestStatuses } from '../../code/statuses/statuses.ts';
import type { Context } from '../../context.ts';
import type { GitMergeStyle } from '../../git/merge-styles.ts';
import { HttpError } from '../../http/errors.ts';
import { isDraftTitle } from '../../issues/present.ts';
import { findPlanned } from '../../pulls/auto-merge/auto-merge.ts';
import type { Pull } from '../../pulls/find.ts';
import { defaultMessage } from '../../pulls/merge/message.ts';
import { mayMergePull, requireMergeable } from '../../pulls/merge/ready.ts';
import { isAllowedStyle } from '../../pulls/merge/styles.ts';
import { stateIcon } from '../code/commit/summary.ts';
import { actionButton, checkBox, field, postForm, select, textArea } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { Conversation } from '../issues/conversation.ts';
import { icon, localUrl } from '../view.ts';

const STYLES: readonly GitMergeStyle[] = ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only'];

/** What stands between a pull request and merging, and the forms that merge, update and plan. */
export async function mergeBox(conversation: Conversation, context: Context, pull: Pull): Promise<Html> {
  const { view } = conversation.visit;
  const { pulls: text } = view.text;
  const isMerged = pull.merged_commit_id !== '';
  const body = isMerged
    ? html`<p>${icon(view, 'git-merge')} ${text.isMerged}</p>`
    : pull.issue.is_closed
      ? html`<p>${icon(view, 'git-pull-request-closed')} ${text.isClosed}</p>`
      : await openPart(conversation, context, pull);
  return html`<section class="box merge-box" aria-label="${text.mergeBox}"><div class="content">${body}</div></section>`;
}

async function openPart(conversation: Conversation, context: Context, pull: Pull): Promise<Html> {
  const { visit, path, canEdit } = conversation;
  const { view } = visit;
  const { pulls: text } = view.text;
  const isDraft = isDraftTitle(context.settings.pulls.workInProgressPrefixes, pull.issue.title);
  const button = (action: string, label: string) => actionButton(view, { action: path, label, fields: { do: action } });
  return html`${await checks(conversation, context, pull)}
${isDraft ? html`<p>${icon(view, 'git-pull-request-draft')} ${text.isDraft} ${canEdit && button('ready', text.markReady)}</p>` : stateOf(conversation, pull)}
${
  pull.commits_behind > 0 &&
  html`<p>${text.behind(pull.commits_behind)} ${view.user && conversation.canComment && html`${button('update', text.update)} ${button('update-rebase', text.updateByRebase)}`}</p>`
}
${await mergePart(conversation, context, pull, isDraft)}
${!isDraft && canEdit && html`<p>${button('draft', text.markDraft)}</p>`}`;
}

function stateOf({ visit: { view } }: Conversation, pull: Pull): Html {
  const { pulls: text } = view.text;
  switch (pull.status) {
    case 'mergeable':
      return html`<p class="success">${icon(view, 'check')} ${text.canMerge}</p>`;
    case 'conflict':
      return html`<p class="danger">${icon(view, 'alert')} ${text.conflicts}</p><ul class="mono">${pull.conflicted_files.map((file) => html`<li>${file}</li>`)}</ul>`;
    case 'checking':
      return html`<p>${icon(view, 'clock')} ${text.checking}</p>`;
    case 'error':
      return html`<p class="danger">${icon(view, 'alert')} ${text.broken}</p>`;
    default:
      return html`<p>${icon(view, 'info')} ${text.nothing}</p>`;
  }
}

async function checks({ visit: { view } }: Conversation, context: Context, pull: Pull): Promise<Html | false> {
  const statuses = await latestStatuses(context, pull.issue.repository, pull.head_id);
  if (statuses.length === 0) return false;
  return html`<h3>${view.text.pulls.checks}</h3><ul class="rows checks">${statuses.map(
    ({ state, context: name, description, target_url: url }) => html`<li>${stateIcon(view, [state])}
${/^(?:https?:|\/)/.test(url) ? html`<a rel="nofollow" href="${localUrl(view, url)}">${name}</a>` : name} <span class="muted">${description}</span></li>`,
  )}</ul>`;
}

async function mergePart(conversation: Conversation, context: Context, pull: Pull, isDraft: boolean): Promise<Html | false> {
  const { visit, path } = conversation;
  const { view } = visit;
  const { pulls: text } = view.text;
  const { actor } = context;
  if (!actor || isDraft || visit.repository.is_archived) return false;
  if (!(await mayMergePull(context, pull, actor))) return html`<p class="muted">${text.mayNotMerge}</p>`;
  const planned = await findPlanned(context, pull);
  if (planned) {
    const cancel = actionButton(view, { action: path, label: text.cancelPlanned, fields: { do: 'cancel-merge' } });
    return html`<p>${icon(view, 'clock')} ${text.planned} ${cancel}</p>`;
  }
  if (pull.status !== 'mergeable' && pull.status !== 'empty') return false;
  const refusal = await refusalOf(context, pull);
  const rule = await branchRule(context, pull.issue.repository, pull.base_branch);
  const mayForce = refusal !== undefined && visit.access.isAdmin && rule?.block_admin_merge_override === false;
  return html`${refusal !== undefined && html`<p class="warning">${icon(view, 'alert')} ${text.blocked} ${refusal}</p>`}${await mergeForm(conversation, context, pull, { refusal, mayForce })}`;
}

/** Why it cannot be merged now; undefined when it can. */
async function refusalOf(context: Context, pull: Pull): Promise<string | undefined> {
  try {
    await requireMergeable(context, pull, { kind: 'now', force: false });
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error.message;
    throw error;
  }
}

async function mergeForm(
  { visit, path }: Conversation,
  context: Context,
  pull: Pull,
  { refusal, mayForce }: { refusal: string | undefined; mayForce: boolean },
): Promise<Html | false> {
  const { view, repository } = visit;
  const { pulls: text } = view.text;
  const allowed = STYLES.filter((style) => isAllowedStyle(pull, style));
  const [first] = allowed;
  if (!first) return false;
  const wished = repository.units.pulls?.defaultMergeStyle;
  const style = allowed.find((one) => one === wished) ?? first;
  const message = await defaultMessage(context, pull, style);
  const hasBranch = pull.flow === 'branch' && pull.head_repository_id !== null;
  const options = allowed.map((one) => [one, text.styles[one]] as const);
  return postForm(
    view,
    html`<input type="hidden" name="do" value="merge"><input type="hidden" name="head" value="${pull.head_id}">
${select({ name: 'style', label: text.style, value: style, options })}
<details><summary>${text.message}</summary>
${field({ name: 'merge_title', label: text.messageTitle, value: '', placeholder: message?.title ?? '', maxLength: 1000 })}
${textArea({ name: 'merge_body', label: text.messageBody, value: message?.body ?? '', rows: 4 })}</details>
${hasBranch && checkBox({ name: 'delete_branch', label: text.deleteBranch, isChecked: repository.units.pulls?.defaultDeleteBranchAfterMerge ?? false })}
${mayForce && checkBox({ name: 'force', label: text.force, isChecked: false })}
<div class="buttons">${(refusal === undefined || mayForce) && html`<button class="primary" data-key="m">${icon(view, 'git-merge')} ${text.merge}</button>`}
${refusal !== undefined && html`<button name="when_ready" value="on">${text.mergeWhenReady}</button>`}</div>`,
    { action: path },
  );
}
