import type { presentIssue } from '../../issues/present.ts';
import type { IconName } from '../assets/icon-names.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { icon, type View } from '../view.ts';

/** An issue or pull request as the API shows it. */
export type ShownIssue = Awaited<ReturnType<typeof presentIssue>>;
/** A label as the API shows it. */
export type ShownLabel = ShownIssue['labels'][number];
/** A milestone as the API shows it. */
export type ShownMilestone = NonNullable<ShownIssue['milestone']>;

/** The icon and color of an issue's or pull request's state. */
interface StateLook {
  readonly icon: IconName;
  /** The class of its colour. */
  readonly tone: 'open' | 'closed' | 'merged' | 'draft';
  readonly label: string;
  /** The kind of thing and its state. */
  readonly title: string;
}

type Stated = Pick<ShownIssue, 'state' | 'pull_request'>;

function lookOf({ text: { issues } }: View, { state, pull_request: pull }: Stated): StateLook {
  const isOpen = state === 'open';
  if (!pull && isOpen) return { icon: 'issue-opened', tone: 'open', label: issues.state.open, title: issues.issueOpen };
  if (!pull) return { icon: 'issue-closed', tone: 'merged', label: issues.state.closed, title: issues.issueClosed };
  if (pull.merged) return { icon: 'git-merge', tone: 'merged', label: issues.state.merged, title: issues.pullMerged };
  if (!isOpen) return { icon: 'git-pull-request-closed', tone: 'closed', label: issues.state.closed, title: issues.pullClosed };
  if (pull.draft) return { icon: 'git-pull-request-draft', tone: 'draft', label: issues.state.draft, title: issues.pullDraft };
  return { icon: 'git-pull-request', tone: 'open', label: issues.state.open, title: issues.pullOpen };
}

/** The state of an issue or pull request as an icon, as lists show it. */
export function stateIcon(view: View, issue: Stated): Html {
  const { icon: name, tone, title } = lookOf(view, issue);
  return html`<span class="state-icon ${tone}">${icon(view, name, title)}</span>`;
}

/** The state of an issue or pull request in words, for the top of its page. */
export function stateBadge(view: View, issue: Stated): Html {
  const { icon: name, tone, label } = lookOf(view, issue);
  return html`<span class="state-badge ${tone}">${icon(view, name)} ${label}</span>`;
}
