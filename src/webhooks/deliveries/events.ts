import type { Webhook } from '../../database/tables/webhooks.ts';
import type { HookEvent } from '../hooks/events.ts';

/** The value of `X-Gitea-Event-Type`: reviews have one for each decision. */
export type DeliveredEvent =
  | Exclude<HookEvent, 'pull_request_review'>
  | 'pull_request_review_approved'
  | 'pull_request_review_rejected'
  | 'pull_request_review_comment';

const REVIEWS: Partial<Record<DeliveredEvent, string>> = {
  pull_request_review_approved: 'pull_request_approved',
  pull_request_review_rejected: 'pull_request_rejected',
  pull_request_review_comment: 'pull_request_comment',
};

/** Whether a hook wants this event. */
export function isWanted({ events }: Pick<Webhook, 'events'>, event: DeliveredEvent): boolean {
  return events.includes(event in REVIEWS ? 'pull_request_review' : event);
}

/** Whether a hook is for people in a chat, not for programs: they do not need empty pushes. */
export function isForPeople({ type }: Pick<Webhook, 'type'>): boolean {
  return type !== 'gitea' && type !== 'gogs';
}

/** The value of `X-Gitea-Event`, which several kinds share. */
export function eventName(event: DeliveredEvent): string {
  const review = REVIEWS[event];
  if (review) return review;
  if (event === 'issue_comment' || event === 'pull_request_comment') return 'issue_comment';
  if (event.startsWith('issue')) return 'issues';
  return event.startsWith('pull_request') ? 'pull_request' : event;
}
