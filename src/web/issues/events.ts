import type { IconName } from '../assets/icon-names.ts';
import { userLink } from '../components/avatar.ts';
import { timeAgo } from '../components/numbers.ts';
import { titleText } from '../components/title.ts';
import { type Html, html } from '../html.ts';
import { icon, localUrl, type View } from '../view.ts';
import type { ShownEvent } from './conversation.ts';
import { labelChip } from './label.ts';
import { type ShownIssue, stateIcon } from './shown.ts';

/** Several rows that are shown as one, such as labels that were given together. The first one has the anchor. */
export type EventGroup = readonly [ShownEvent, ...ShownEvent[]];

/** One line of a timeline about an event other than a comment. @param line its text, if the rows alone do not determine it */
export function eventLine(view: View, group: EventGroup, line: Html | string = sentence(view, group)): Html {
  const [event] = group;
  const { icon: name, tone = '' } = lookOf(event);
  return html`<div class="event" id="issuecomment-${event.id}"><span class="event-icon ${tone}">${icon(view, name)}</span>
<div>${userLink(view, event.user)} ${line} <a class="muted" href="#issuecomment-${event.id}">${timeAgo(view, event.created_at)}</a>${details(view, event)}</div></div>`;
}

const LOOKS: Readonly<Record<string, { icon: IconName; tone?: string }>> = {
  close: { icon: 'issue-closed', tone: 'done' },
  reopen: { icon: 'issue-opened', tone: 'open' },
  merge_pull: { icon: 'git-merge', tone: 'done' },
  label: { icon: 'tag' },
  milestone: { icon: 'milestone' },
  assignees: { icon: 'person' },
  change_title: { icon: 'pencil' },
  delete_branch: { icon: 'git-branch' },
  change_issue_ref: { icon: 'git-branch' },
  change_target_branch: { icon: 'git-branch' },
  commit_ref: { icon: 'git-commit' },
  pull_push: { icon: 'git-commit' },
  lock: { icon: 'lock' },
  unlock: { icon: 'unlock' },
  pin: { icon: 'pin' },
  unpin: { icon: 'pin' },
  review: { icon: 'eye' },
  review_request: { icon: 'eye' },
  dismiss_review: { icon: 'x' },
  add_dependency: { icon: 'link' },
  remove_dependency: { icon: 'link' },
  project: { icon: 'project' },
  project_board: { icon: 'project' },
};

function lookOf({ type }: ShownEvent): { icon: IconName; tone?: string } {
  return LOOKS[type] ?? { icon: /_ref$/.test(type) ? 'cross-reference' : /time|tracking|deadline/.test(type) ? 'clock' : 'dot-fill' };
}

function sentence(view: View, group: EventGroup): Html | string {
  const [event] = group;
  const { events: text } = view.text.timeline;
  switch (event.type) {
    case 'close':
      return text.closed;
    case 'reopen':
      return text.reopened;
    case 'merge_pull':
      return text.merged;
    case 'label':
      return labels(view, group);
    case 'milestone':
      return milestone(view, event);
    case 'assignees':
      return assignee(view, event);
    case 'change_title':
      return text.titleChanged(event.old_title, event.new_title);
    case 'issue_ref':
    case 'comment_ref':
    case 'pull_ref':
      return reference(view, event);
    case 'commit_ref':
      return text.commit(commit(view, event));
    case 'add_dependency':
      return text.dependencyAdded(issueLink(view, event.dependent_issue));
    case 'remove_dependency':
      return text.dependencyRemoved(issueLink(view, event.dependent_issue));
    case 'review_request':
      return reviewRequest(view, event);
    case 'pull_push':
      return pushed(view, event);
    default:
      return plain(view, event);
  }
}

/** Texts that depend on the row alone. */
function plain({ text: { timeline } }: View, { type, body, old_ref: from, new_ref: to }: ShownEvent): Html | string {
  const { events: text } = timeline;
  const [first = '', second = ''] = body.split('|');
  const reasons: Readonly<Record<string, string>> = timeline.lockReasons;
  const known: Readonly<Record<string, () => Html | string>> = {
    delete_branch: () => text.branchDeleted(from),
    change_issue_ref: () => (to === '' ? text.branchRemoved(from) : text.branchSet(to)),
    change_target_branch: () => text.targetChanged(from, to),
    start_tracking: () => text.timerStarted,
    stop_tracking: () => text.timerStopped(body),
    cancel_tracking: () => text.timerCancelled,
    add_time_manual: () => text.timeAdded(body),
    delete_time_manual: () => text.timeDeleted(body),
    change_time_estimate: () => (body === '' ? text.estimateRemoved : text.estimate(body)),
    added_deadline: () => text.deadlineAdded(first),
    modified_deadline: () => text.deadlineChanged(second, first),
    removed_deadline: () => text.deadlineRemoved(first),
    lock: () => (body === '' ? text.locked : text.lockedBecause(reasons[body] ?? body)),
    unlock: () => text.unlocked,
    pin: () => text.pinned,
    unpin: () => text.unpinned,
    review: () => text.reviewed,
    dismiss_review: () => text.reviewDismissed,
    pull_scheduled_merge: () => text.mergeScheduled,
    pull_cancel_scheduled_merge: () => text.mergeUnscheduled,
  };
  return known[type]?.() ?? text.other;
}

function labels(view: View, group: EventGroup): Html {
  const { events: text } = view.text.timeline;
  const shown = (isAdded: boolean) => {
    const some = group.filter(({ body }) => (body === '1') === isAdded);
    return html`${some.map(({ label }, index) => html`${index > 0 && ' '}${label ? labelChip(view, label) : text.deleted}`)}`;
  };
  return text.labels(shown(true), shown(false));
}

function milestone(view: View, { old_milestone: before, milestone: after }: ShownEvent): Html {
  const { events: text } = view.text.timeline;
  if (before && after) return text.milestoneChanged(before.title, after.title);
  if (before) return text.milestoneRemoved(before.title);
  return text.milestone(after?.title ?? text.deleted);
}

function assignee(view: View, { user, assignee: assigned, removed_assignee: isRemoved }: ShownEvent): Html | string {
  const { events: text } = view.text.timeline;
  if (user && assigned && user.id === assigned.id) return isRemoved ? text.unassignedSelf : text.assignedSelf;
  const link = userLink(view, assigned);
  return isRemoved ? text.unassigned(link) : text.assigned(link);
}

function reviewRequest(view: View, { assignee: user, assignee_team: team, removed_assignee: isRemoved }: ShownEvent): Html {
  const { events: text } = view.text.timeline;
  const name = team ? html`<strong>${team.name}</strong>` : userLink(view, user);
  return isRemoved ? text.reviewRequestRemoved(name) : text.reviewRequested(name);
}

function reference(view: View, { ref_issue: issue, ref_action: action }: ShownEvent): Html {
  const { events: text } = view.text.timeline;
  const link = issueLink(view, issue);
  if (action === 'closes') return text.referredClosing(link);
  return action === 'reopens' ? text.referredReopening(link) : text.referred(link);
}

/** An issue by its title; hidden and deleted issues have none. */
export function issueLink(view: View, issue: ShownIssue | null): Html {
  if (!issue || issue.number === 0) return html`<span class="muted">${view.text.timeline.hiddenIssue}</span>`;
  return html`${stateIcon(view, issue)} <a href="${localUrl(view, issue.html_url)}">${titleText(issue.title)} <span class="muted">#${issue.number}</span></a>`;
}

/** The body is a link to the commit with its message, which is written again here: rows may come from other programs. */
function commit(view: View, { body, ref_commit_sha: id }: ShownEvent): Html {
  const href = /^<a href="(\/[^"<>]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  const message = body
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  const label = html`${message} <code>${id.slice(0, 10)}</code>`;
  return href?.startsWith(view.root) && !href.startsWith('//') ? html`<a href="${href}">${label}</a>` : label;
}

function pushed(view: View, { body }: ShownEvent): Html | string {
  const { events: text } = view.text.timeline;
  const { is_force_push: isForced, count } = readPush(body);
  return isForced ? text.forcePushed : text.pushed(count);
}

function readPush(body: string): { is_force_push: boolean; count: number } {
  try {
    const { is_force_push: isForced, commit_ids: ids } = JSON.parse(body) as { is_force_push?: boolean; commit_ids?: unknown };
    return { is_force_push: isForced === true, count: Array.isArray(ids) ? ids.length : 0 };
  } catch {
    return { is_force_push: false, count: 0 };
  }
}

function details(view: View, { type, ref_issue: issue }: ShownEvent): Html | false {
  const isForeign = /_ref$/.test(type) && issue?.repository && !view.here.startsWith(`${view.root}${issue.repository.full_name}/`);
  return isForeign ? html` <span class="muted">(${issue.repository?.full_name})</span>` : false;
}
