import type { NotificationStatus } from '../../database/tables/issue-activity.ts';
import { tabs } from '../components/tabs.ts';
import type { Html } from '../html.ts';
import { path, type View } from '../view.ts';

/** The states that notifications are listed by. */
export const STATUSES: readonly NotificationStatus[] = ['unread', 'read', 'pinned'];

/** The tabs of the lists of notifications and subscriptions. */
export function notificationTabs(view: View, current: NotificationStatus | 'subscriptions' | 'watching'): Html {
  const { people } = view.text;
  const lists = STATUSES.map((name) => ({ href: path(view, `notifications?q=${name}`), label: people[name], isCurrent: name === current }));
  const subscriptions = {
    href: path(view, 'notifications/subscriptions'),
    label: people.subscriptions,
    isCurrent: current === 'subscriptions',
  };
  const watching = { href: path(view, 'notifications/watching'), label: people.watching, isCurrent: current === 'watching' };
  return tabs(view, people.notifications, [...lists, subscriptions, watching]);
}
