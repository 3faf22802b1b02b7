import { branchRule } from '../../../code/protections/rules.ts';
import type { Context } from '../../../context.ts';
import type { MergeStyle } from '../../../database/tables/pulls.ts';
import { HttpError } from '../../../http/errors.ts';
import type { Pull } from '../../../pulls/find.ts';
import { defaultMessage } from '../../../pulls/merge/message.ts';
import { mayMergePull, mayOverrule, requireMergeable } from '../../../pulls/merge/ready.ts';
import { MERGE_STYLES } from '../../../pulls/merge/schema.ts';
import { isAllowedStyle } from '../../../pulls/merge/styles.ts';
import { checkBox, field, postForm, select, textArea } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import type { Conversation } from '../../issues/conversation.ts';
import { icon, type View } from '../../view.ts';

/** The forms that merge, as far as the reader may. */
export async function mergePart(conversation: Conversation, context: Context, pull: Pull, isDraft: boolean): Promise<Html | false> {
  const { visit } = conversation;
  const { view } = visit;
  const { pulls: text, merging } = view.text;
  const { actor } = context;
  if (!actor || visit.repository.is_archived) return false;
  if (!(await mayMergePull(context, pull, actor))) return html`<p class="muted">${text.mayNotMerge}</p>`;
  const manual = manualForm(conversation, pull);
  if (isDraft || (pull.status !== 'mergeable' && pull.status !== 'empty')) return manual;
  const rule = await branchRule(context, pull.issue.repository, pull.base_branch);
  const refusal = await refusalOf(context, pull, 'now');
  const mayForce = refusal !== undefined && rule !== undefined && mayOverrule(rule, visit.access);
  // Only reasons that no check or review can change; the others are in the list of requirements.
  const lasting = refusal === undefined ? undefined : await refusalOf(context, pull, 'automatic');
  return html`${lasting !== undefined && html`<p class="warning">${icon(view, 'alert')} ${merging.otherwise} ${lasting}</p>`}
${await mergeForm(conversation, context, pull, { mayMerge: refusal === undefined, mayPlan: lasting === undefined, mayForce })}${manual}`;
}

/** Why it cannot be merged; undefined when it can. */
async function refusalOf(context: Context, pull: Pull, kind: 'now' | 'automatic'): Promise<string | undefined> {
  try {
    await requireMergeable(context, pull, { kind, force: false });
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
  { mayMerge, mayPlan, mayForce }: { mayMerge: boolean; mayPlan: boolean; mayForce: boolean },
): Promise<Html | false> {
  const { view, repository } = visit;
  const { pulls: text } = view.text;
  const allowed = MERGE_STYLES.filter((style) => style !== 'manually-merged').filter((style) => isAllowedStyle(pull, style));
  const [first] = allowed;
  if (!first) return false;
  const requested = repository.units.pulls?.defaultMergeStyle;
  const style = allowed.find((one) => one === requested) ?? first;
  const hasBranch = pull.flow === 'branch' && pull.head_repository_id !== null;
  const options = allowed.map((one) => [one, text.styles[one]] as const);
  const messages = await Promise.all(allowed.map((one) => messageFields(view, context, pull, one)));
  const canMergeNow = mayMerge || mayForce;
  return postForm(
    view,
    html`<input type="hidden" name="do" value="merge"><input type="hidden" name="head" value="${pull.head_id}">
${select({ name: 'style', label: text.style, value: style, options })}
${messages}
${hasBranch && checkBox({ name: 'delete_branch', label: text.deleteBranch, isChecked: repository.units.pulls?.defaultDeleteBranchAfterMerge ?? false })}
${mayForce && checkBox({ name: 'force', label: text.force, isChecked: false })}
<div class="buttons">${canMergeNow && html`<button class="${mayMerge && 'primary'}" data-key="m">${icon(view, 'git-merge')} ${text.merge}</button>`}
${!mayMerge && mayPlan && html`<button name="when_ready" value="on">${text.mergeWhenReady}</button>`}</div>`,
    { action: path, className: 'merge-form' },
  );
}

/** The message of a style; the sheet of styles shows those of the chosen one. */
async function messageFields(view: View, context: Context, pull: Pull, style: MergeStyle): Promise<Html | false> {
  const { pulls: text } = view.text;
  const message = style === 'fast-forward-only' ? undefined : await defaultMessage(context, pull, style);
  if (!message) return false;
  return html`<details class="merge-message of-${style}"><summary>${text.message}: ${text.styles[style as keyof typeof text.styles]}</summary>
${field({ name: `merge_title_${style}`, label: text.messageTitle, value: '', placeholder: message.title, maxLength: 1000 })}
${textArea({ name: `merge_body_${style}`, label: text.messageBody, value: message.body, rows: 4 })}</details>`;
}

/** For a pull request that was merged with git. */
function manualForm({ visit: { view }, path }: Conversation, pull: Pull): Html | false {
  if (!isAllowedStyle(pull, 'manually-merged')) return false;
  const { manual } = view.text.merging;
  const fields = html`<input type="hidden" name="do" value="merge"><input type="hidden" name="style" value="manually-merged">
${field({ name: 'merge_commit_id', label: manual.commit, hint: manual.hint, value: '', isRequired: true, maxLength: 64 })}
<button>${icon(view, 'git-merge')} ${manual.name}</button>`;
  return html`<details class="manual-merge"><summary>${manual.name}</summary>${postForm(view, fields, { action: path })}</details>`;
}
