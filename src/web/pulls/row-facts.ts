import type { Context } from '../../context.ts';
import type { Issue } from '../../issues/find.ts';
import { type Decision, listedStates } from '../../pulls/list-states.ts';
import type { IconName } from '../assets/icon-names.ts';
import { stateIcon } from '../code/commit/summary.ts';
import { type Html, html } from '../html.ts';
import { icon, type View } from '../view.ts';

const LOOKS: Readonly<Record<Decision, readonly [IconName, string]>> = {
  approve: ['check', 'success-text'],
  reject: ['file-diff', 'danger-text'],
  request: ['eye', ''],
};

/** Additional facts in the rows of open pull requests: their checks, reviews and conflicts. */
export async function pullFacts(view: View, context: Context, issues: readonly Issue[]): Promise<(issueId: number) => Html | false> {
  const states = await listedStates(context, issues);
  const { pulls: text, reviewing } = view.text;
  return (id) => {
    const state = states.get(id);
    if (!state) return false;
    const { decision, checks, hasConflict } = state;
    const [name, tone] = LOOKS[decision ?? 'request'];
    return html`${decision && html`<span class="${tone}">${icon(view, name)} ${reviewing.states[decision]}</span>`}
${checks.length > 0 && html`<span>${stateIcon(view, checks)} ${text.checks}</span>`}
${hasConflict && html`<span class="danger-text">${icon(view, 'alert')} ${text.conflict}</span>`}`;
  };
}
