import type { Context } from '../../../context.ts';
import type { CommitStatusRow } from '../../../database/tables/code.ts';
import { findPlanned } from '../../../pulls/auto-merge/auto-merge.ts';
import type { Pull } from '../../../pulls/find.ts';
import { stateIcon } from '../../code/commit/summary.ts';
import { actionButton } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import type { Conversation } from '../../issues/conversation.ts';
import { icon, localUrl } from '../../view.ts';
import { closedPart } from './closed.ts';
import type { MergeFacts } from './facts.ts';
import { mergePart } from './form.ts';
import { behindPart, blockerList, stateOf } from './state.ts';

/** The merge requirements of a pull request, and the forms that merge, update and schedule. It updates itself while it waits (`live.js`). */
export async function mergeBox(conversation: Conversation, context: Context, pull: Pull, facts: MergeFacts): Promise<Html> {
  const { view } = conversation.visit;
  const { pulls: text, merging } = view.text;
  const isOpen = !pull.issue.is_closed;
  const { statuses } = facts;
  const planned = isOpen ? await findPlanned(context, pull) : undefined;
  const isLive = isOpen && (pull.status === 'checking' || planned !== undefined || statuses.some(({ state }) => state === 'pending'));
  const body = isOpen
    ? html`${checks(conversation, statuses)}${await openPart(conversation, context, pull, { ...facts, isPlanned: planned !== undefined })}`
    : await closedPart(conversation, context, pull);
  return html`<section class="box merge-box" id="merge-box" data-live-part aria-label="${text.mergeBox}"><div class="content">${body}
${isLive && html`<p class="hint with-script" hidden role="status">${icon(view, 'sync')} ${merging.live}</p>`}</div></section>`;
}

async function openPart(
  conversation: Conversation,
  context: Context,
  pull: Pull,
  { isDraft, isPlanned, blockers }: MergeFacts & { readonly isPlanned: boolean },
): Promise<Html> {
  const { visit, path, canEdit } = conversation;
  const { view } = visit;
  const { pulls: text, merging } = view.text;
  const button = (action: string, label: string) => actionButton(view, { action: path, label, fields: { do: action } });
  const draft =
    isDraft && html`<p>${icon(view, 'git-pull-request-draft')} ${merging.draft} ${canEdit && button('ready', text.markReady)}</p>`;
  const planned =
    isPlanned && html`<p>${icon(view, 'clock')} ${text.planned} ${view.user && button('cancel-merge', text.cancelPlanned)}</p>`;
  return html`${draft}${await stateOf(conversation, context, pull)}${blockerList(conversation, blockers)}
${await behindPart(conversation, context, pull)}${planned}
${!isPlanned && (await mergePart(conversation, context, pull, isDraft))}
${!isDraft && canEdit && html`<p>${button('draft', text.markDraft)}</p>`}`;
}

function checks({ visit: { view } }: Conversation, statuses: readonly CommitStatusRow[]): Html | false {
  if (statuses.length === 0) return false;
  return html`<h2>${view.text.pulls.checks}</h2><ul class="rows checks">${statuses.map(
    ({ state, context: name, description, target_url: url }) => html`<li>${stateIcon(view, [state])}
${/^(?:https?:|\/)/.test(url) ? html`<a rel="nofollow" href="${localUrl(view, url)}">${name}</a>` : name} <span class="muted">${description}</span></li>`,
  )}</ul>`;
}
