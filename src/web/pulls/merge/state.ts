import type { Context } from '../../../context.ts';
import type { Pull } from '../../../pulls/find.ts';
import type { Blocker } from '../../../pulls/merge/blockers.ts';
import { mayChangeHead } from '../../../pulls/update/change-head.ts';
import { actionButton } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import type { Conversation } from '../../issues/conversation.ts';
import { icon } from '../../view.ts';

/** Files in conflict that are named. */
const MAX_NAMED = 50;

/** Whether the two branches go together. */
export async function stateOf({ visit: { view }, path }: Conversation, context: Context, pull: Pull): Promise<Html> {
  const { pulls: text, merging } = view.text;
  switch (pull.status) {
    case 'mergeable':
      return html`<p class="success">${icon(view, 'check')} ${text.canMerge}</p>`;
    case 'conflict': {
      const files = pull.conflicted_files.slice(0, MAX_NAMED).map((file) => html`<li>${file}</li>`);
      const mayResolve = await mayChangeHead(context, pull, { rewrites: false });
      return html`<p class="danger">${icon(view, 'alert')} ${merging.conflicts}</p><ul class="mono">${files}</ul>
${mayResolve && html`<p><a class="button" href="${path}/conflicts">${icon(view, 'pencil')} ${merging.resolve}</a></p>`}`;
    }
    case 'checking':
      return html`<p>${icon(view, 'clock')} ${text.checking}</p>`;
    case 'error':
      return html`<p class="danger">${icon(view, 'alert')} ${text.broken}</p>`;
    default:
      return html`<p>${icon(view, 'info')} ${text.nothing}</p>`;
  }
}

/** Everything that the rule of the base wants and is not there. */
export function blockerList({ visit: { view } }: Conversation, blockers: readonly Blocker[]): Html | false {
  if (blockers.length === 0) return false;
  const found = blockers.map((blocker) => html`<li>${icon(view, 'x')} ${wordsOf(view.text.merging, blocker)}</li>`);
  return html`<div class="blockers"><p class="warning">${icon(view, 'alert')} ${view.text.merging.blocked}</p><ul class="plain-list">${found}</ul></div>`;
}

function wordsOf(text: Conversation['visit']['view']['text']['merging'], blocker: Blocker): Html | string {
  switch (blocker.kind) {
    case 'checks': {
      const { missing, open } = blocker;
      if (missing.length + open.length === 0) return text.checksNone;
      const parts = [missing.length > 0 && text.checksMissing(missing.join(', ')), open.length > 0 && text.checksOpen(open.join(', '))];
      return parts.filter((part) => part !== false).join(' · ');
    }
    case 'approvals':
      return text.approvals(blocker.given, blocker.required);
    case 'protected-files':
      return html`${text.protectedFiles} <code>${blocker.files.join(', ')}</code>`;
    default:
      return text[blocker.kind];
  }
}

/** How far the head is behind, with the button that updates it. */
export async function behindPart({ visit, path }: Conversation, context: Context, pull: Pull): Promise<Html | false> {
  if (pull.commits_behind === 0) return false;
  const { view } = visit;
  const { pulls: text } = view.text;
  const button = (action: string, label: string) => actionButton(view, { action: path, label, fields: { do: action } });
  const mayMerge = pull.status !== 'conflict' && (await mayChangeHead(context, pull, { rewrites: false }));
  const mayRebase = pull.status !== 'conflict' && (await mayChangeHead(context, pull, { rewrites: true }));
  return html`<p>${text.behind(pull.commits_behind)} ${mayMerge && button('update', text.update)} ${mayRebase && button('update-rebase', text.updateByRebase)}</p>`;
}
