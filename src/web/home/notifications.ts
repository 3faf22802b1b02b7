import { signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { NotificationStatus } from '../../database/tables/issue-activity.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { Shape } from '../../http/schema.ts';
import { findThread, listThreads, markThread, markThreads } from '../../notifications/notifications.ts';
import { presentThreads } from '../../notifications/present.ts';
import type { NotificationThread } from '../../notifications/schema.ts';
import type { IconName } from '../assets/icon-names.ts';
import { actionButton } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import { titleText } from '../components/title.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther, type Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { icon, localUrl, type View } from '../view.ts';
import { notificationTabs, STATUSES } from './notification-tabs.ts';
import { subscriptionPages } from './subscriptions.ts';
import { watchingPages } from './watching.ts';

/** The notifications of the user. */
export const notificationPages: readonly AnyRoute[] = [
  ...plainPage({ path: '/notifications', needs: [signedIn], get: list, post: mark }),
  ...subscriptionPages,
  ...watchingPages,
];

async function list(visit: Visit, context: Context): Promise<Document> {
  const { view } = visit;
  const { text } = view;
  const status = statusOf(visit.fields.get('q')) ?? 'unread';
  const page = requestedPage(visit, context.settings);
  const shown: NotificationStatus[] = status === 'unread' ? ['unread', 'pinned'] : [status];
  const { threads, total } = await listThreads(context, { userId: signedInActor(context).id, statuses: shown }, page);
  const rows = html`<ul class="rows lines box">${(await presentThreads(context, threads)).map((thread) => row(view, thread))}</ul>`;
  const markAll = actionButton(view, { action: view.here, label: text.people.markAllRead, fields: { all: 1, status: 'read' } });
  return {
    title: text.people.notifications,
    layout: 'page',
    body: html`<div class="row"><h1>${text.people.notifications}</h1>${status === 'unread' && total > 0 && html`<span class="push">${markAll}</span>`}</div>
${notificationTabs(view, status)}
<div class="tab-body">${listOrEmpty(visit, page, { total, rows, empty: text.people.noNotifications })}</div>`,
  };
}

function row(view: View, thread: Shape<typeof NotificationThread>): Html {
  const { text } = view;
  const { id, subject, repository, unread, pinned, updated_at: updated } = thread;
  const button = (status: NotificationStatus, name: IconName, title: string) =>
    actionButton(view, { action: view.here, label: icon(view, name), title, fields: { id, status } });
  const href = subject && localUrl(view, subject.latest_comment_html_url || subject.html_url);
  return html`<li class="notification">${icon(view, iconOf(subject?.type, subject?.state))}
<div>${repository && html`<span class="muted">${repository.full_name}</span> `}
${href ? html`<a href="${href}">${unread ? html`<strong>${titleText(subject.title)}</strong>` : titleText(subject.title)}</a>` : html`<span class="muted">${text.people.hidden}</span>`}</div>
<span class="push row">${timeAgo(view, updated)}
${unread ? button('read', 'check', text.people.markRead) : button('unread', 'unread', text.people.markUnread)}
${!pinned && button('pinned', 'pin', text.people.pin)}</span></li>\n`;
}

function iconOf(type: string | undefined, state: string | undefined): IconName {
  if (type === 'Pull') return state === 'merged' ? 'git-merge' : state === 'closed' ? 'git-pull-request-closed' : 'git-pull-request';
  if (type === 'Issue') return state === 'closed' ? 'issue-closed' : 'issue-opened';
  return type === 'Commit' ? 'git-commit' : 'repo';
}

async function mark({ fields, view }: Visit, context: Context): Promise<Reply> {
  const actor = signedInActor(context);
  const status = statusOf(fields.get('status')) ?? 'read';
  if (fields.get('all')) await markThreads(context, { userId: actor.id, statuses: ['unread'] }, status);
  else await markThread(context, await findThread(context, fields.get('id') ?? '', actor, 'change'), status);
  return seeOther(context, view.here.slice(view.root.length));
}

function statusOf(given: string | undefined): NotificationStatus | undefined {
  return STATUSES.find((status) => status === given);
}
