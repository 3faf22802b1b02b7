import type { Webhook } from '../../database/tables/webhooks.ts';
import type { HookEvent } from '../hooks/events.ts';

/** What a delivery is about, as `X-Gitea-Event-Type` tells it: reviews are told apart by what they say. */
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

/** Whether a hook was made for such news. */
export function isWanted({ events }: Pick<Webhook, 'events'>, event: DeliveredEvent): boolean {
  return events.includes(event in REVIEWS ? 'pull_request_review' : event);
}

/** Whether what a hook is told is for people in a chat, not for programs: an empty push is nothing to them. */
export function isForPeople({ type }: Pick<Webhook, 'type'>): boolean {
  return type !== 'gitea' && type !== 'gogs';
}

/** The name of the event as `X-Gitea-Event` tells it, which stands for several kinds. */
export function eventName(event: DeliveredEvent): string {
  const review = REVIEWS[event];
  if (review) return review;
  if (event === 'issue_comment' || event === 'pull_request_comment') return 'issue_comment';
  if (event.startsWith('issue')) return 'issues';
  return event.startsWith('pull_request') ? 'pull_request' : event;
}
