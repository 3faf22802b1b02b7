import { combinedState } from '../../../code/statuses/statuses.ts';
import type { Pull } from '../../../pulls/find.ts';
import type { IconName } from '../../assets/icon-names.ts';
import { stateIcon } from '../../code/commit/summary.ts';
import { type Html, html } from '../../html.ts';
import type { Conversation } from '../../issues/conversation.ts';
import { sidePart } from '../../issues/side-part.ts';
import { icon } from '../../view.ts';
import type { MergeFacts } from './facts.ts';

/** The summary of the merge box for the first screen: whether an open pull request can be merged, and the unmet requirements. */
export function mergeSummary(conversation: Conversation, pull: Pull, { isDraft, statuses, blockers }: MergeFacts): Html | false {
  const { view } = conversation.visit;
  const { pulls: text, merging } = view.text;
  if (pull.issue.is_closed) return false;
  const line = (tone: string, name: IconName, words: string) => html`<li class="${tone}">${icon(view, name)} ${words}</li>`;
  const passed = statuses.filter(({ state }) => combinedState([state]) === 'success').length;
  const isReady = pull.status === 'mergeable' && !isDraft && blockers.length === 0;
  const lines = [
    pull.status === 'conflict' && line('danger', 'alert', merging.hasConflicts),
    pull.status === 'checking' && line('muted', 'clock', merging.beingChecked),
    pull.status === 'error' && line('danger', 'alert', text.broken),
    isDraft && line('muted', 'git-pull-request-draft', merging.isDraft),
    statuses.length > 0 &&
      html`<li>${stateIcon(
        view,
        statuses.map(({ state }) => state),
      )} ${merging.checksPassed(passed, statuses.length)}</li>`,
    blockers.length > 0 && line('danger', 'x', merging.lacks(blockers.length)),
    isReady && line('success', 'check', merging.ready),
  ];
  const list = html`<ul class="plain-list">${lines}</ul><a href="#merge-box">${merging.details}</a>`;
  return html`<div id="merge-summary" data-live-part>${sidePart(conversation, text.mergeBox, list)}</div>`;
}
