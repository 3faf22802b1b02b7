import type { DeliveredEvent } from '../../deliveries/events.ts';
import type { Item } from '../chat-item.ts';
import { COLORS } from '../colors.ts';
import type { ChatIssue, ChatPayload } from '../payload.ts';
import { listed, type Part } from '../text.ts';
import { bracketed, repositoryOf } from './shared.ts';

const NOTHING: ChatIssue = {
  id: 0,
  number: 0,
  title: '',
  body: '',
  html_url: '',
  user: { login: '' },
  assignees: null,
  milestone: null,
};

const REVIEWS: Partial<Record<DeliveredEvent, { says: string; color: number }>> = {
  pull_request_review_approved: { says: 'approved', color: COLORS.green },
  pull_request_review_rejected: { says: 'requested changes', color: COLORS.red },
  pull_request_review_comment: { says: 'comment', color: COLORS.grey },
};

/** The verdict of a review, in the words of headlines. */
export function reviewSays(event: DeliveredEvent): string {
  return REVIEWS[event]?.says ?? '';
}

/** The event of an issue, a pull request, or a comment. */
export function discussionItem(event: DeliveredEvent, payload: ChatPayload): Item {
  if (event in REVIEWS) return reviewItem(event, payload);
  if (event === 'issue_comment' || event === 'pull_request_comment') return commentItem(payload);
  return matterItem(payload);
}

/** The issue or pull request of a payload. */
export function matterOf({ issue, pull_request: pull }: ChatPayload): ChatIssue {
  return issue ?? pull ?? NOTHING;
}

/** `#1 Title`. */
export function titleOf(payload: ChatPayload): string {
  const { number, title } = matterOf(payload);
  return `#${number} ${title}`;
}

function matterItem(payload: ChatPayload): Item {
  const { action = '', pull_request: pull } = payload;
  const matter = matterOf(payload);
  const title = titleOf(payload);
  const told = action === 'opened' || action === 'edited';
  return {
    kind: pull ? 'pull' : 'issue',
    headline: [...bracketed(payload), pull ? 'Pull request ' : 'Issue ', ...happened(payload), ': ', { url: matter.html_url, text: title }],
    namesSender: true,
    title,
    text: told ? matter.body : '',
    url: matter.html_url,
    button: pull ? 'view pull request' : 'view issue',
    color: colorOf(payload),
    fact: { name: pull ? 'Pull request #:' : 'Issue #:', value: String(matter.id) },
  };
}

const HAPPENED: Record<string, string> = {
  reopened: 're-opened',
  label_updated: 'labels updated',
  label_cleared: 'labels cleared',
  demilestoned: 'milestone cleared',
  review_requested: 'review requested',
  review_request_removed: 'review request removed',
};

function happened(payload: ChatPayload): Part[] {
  const { action = '', pull_request: pull } = payload;
  const { assignees, milestone } = matterOf(payload);
  if (action === 'closed' && pull?.merged) return ['merged'];
  if (action === 'assigned') return ['assigned to ', ...listed((assignees ?? []).map(({ html_url: url, login: text }) => ({ url, text })))];
  if (action === 'milestoned' && milestone) {
    return ['milestoned to ', { url: `${repositoryOf(payload).html_url}/milestone/${milestone.id}`, text: milestone.title }];
  }
  return [HAPPENED[action] ?? action];
}

function colorOf({ action, pull_request: pull }: ChatPayload): number {
  if (action === 'opened') return pull ? COLORS.green : COLORS.orange;
  if (action === 'closed') return pull?.merged ? COLORS.purple : COLORS.red;
  return action === 'assigned' ? COLORS.green : COLORS.yellow;
}

function commentItem(payload: ChatPayload): Item {
  const { action, is_pull: isPull = false } = payload;
  const comment = typeof payload.comment === 'object' ? payload.comment : undefined;
  const title = titleOf(payload);
  const news = action === 'created' ? 'New comment' : action === 'edited' ? 'Comment edited' : 'Comment deleted';
  const link = { url: (isPull ? comment?.pull_request_url : comment?.issue_url) ?? '', text: title };
  const color = action === 'created' ? (isPull ? COLORS.lightGreen : COLORS.lightOrange) : action === 'edited' ? COLORS.yellow : COLORS.red;
  return {
    kind: 'comment',
    headline: [...bracketed(payload), `${news} on ${isPull ? 'pull request' : 'issue'} `, link],
    namesSender: true,
    title,
    text: comment?.body ?? '',
    url: comment?.html_url ?? '',
    button: 'view issue comment',
    color,
    fact: { name: 'Issue #:', value: String(matterOf(payload).id) },
  };
}

function reviewItem(event: DeliveredEvent, payload: ChatPayload): Item {
  const matter = matterOf(payload);
  const { full_name: name } = repositoryOf(payload);
  return {
    kind: 'review',
    headline: [`[${name}] Pull request review ${reviewSays(event)}: ${titleOf(payload)}`],
    namesSender: false,
    text: payload.review?.content ?? '',
    url: matter.html_url,
    button: 'view pull request',
    color: REVIEWS[event]?.color ?? COLORS.yellow,
    fact: { name: 'Pull request #:', value: String(matter.id) },
  };
}
