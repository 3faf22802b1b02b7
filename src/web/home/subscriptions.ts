import { signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { ISSUE_ORDERS, type IssueOrder } from '../../issues/issue-filter.ts';
import { presentIssues } from '../../issues/present.ts';
import { listSubscribed } from '../../issues/subscriptions/subscribed.ts';
import { actionButton } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { menu } from '../components/menu.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { readChoice } from '../issues/list-choice.ts';
import { issueRows } from '../issues/rows.ts';
import type { Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { icon, localUrl, path } from '../view.ts';
import { notificationTabs } from './notification-tabs.ts';

const TYPES = ['', 'issues', 'pulls'] as const;
const STATES = ['open', 'closed', 'all'] as const;

/** The issues and pull requests that the user is subscribed to, each with an unsubscribe button. */
export const subscriptionPages: readonly AnyRoute[] = plainPage({
  path: '/notifications/subscriptions',
  needs: [signedIn],
  semaphore: 'searches',
  get: subscriptions,
});

async function subscriptions(visit: Visit, context: Context): Promise<Document> {
  const { view, fields } = visit;
  const { people, timeline, issues: text } = view.text;
  // Gitea's words for the two parameters.
  const type = TYPES.find((name) => name === fields.get('issueType')) ?? '';
  const state = STATES.find((name) => name === fields.get('state')) ?? 'open';
  const page = requestedPage(visit, context.settings);
  const { labels, sort } = readChoice(fields, null);
  const filter = { labels, ...(type && { isPull: type === 'pulls' }), ...(state !== 'all' && { isClosed: state === 'closed' }) };
  const { issues, total } = await listSubscribed(context, filter, page, sort);
  const shown = await presentIssues(context, issues);
  const hrefs = new Map(shown.map((issue) => [issue.id, { action: localUrl(view, issue.html_url), title: issue.title }]));
  const unsubscribe = (id: number) => {
    const issue = hrefs.get(id);
    if (!issue) return false;
    const title = `${timeline.unsubscribe}: ${issue.title}`;
    return actionButton(view, {
      action: issue.action,
      label: icon(view, 'eye-closed'),
      title,
      fields: { do: 'unsubscribe', back: view.here },
    });
  };
  const to = (change: { issueType?: string; state?: string; sort?: IssueOrder }) =>
    `${path(view, 'notifications/subscriptions')}?${new URLSearchParams({ issueType: type, state, sort, ...(labels.length > 0 && { labels: labels.join() }), ...change })}`;
  const types = TYPES.map((name) => ({
    href: to({ issueType: name }),
    label: people.subscriptionTypes[name || 'all'],
    isCurrent: name === type,
  }));
  const states = STATES.map((name) => ({ href: to({ state: name }), label: people.subscriptionStates[name], isCurrent: name === state }));
  const orders = menu(
    text.sort,
    ISSUE_ORDERS.map(
      (order) => html`<a href="${to({ sort: order })}"${order === sort && html` aria-current="true"`}>${text.orders[order]}</a>`,
    ),
  );
  const rows = html`<div class="box">${issueRows(view, shown, { withRepository: true, action: unsubscribe })}</div>`;
  return {
    title: people.subscriptions,
    layout: 'page',
    body: html`<h1>${people.subscriptions}</h1>${notificationTabs(view, 'subscriptions')}
<div class="tab-body"><p>${people.subscriptionsHint}</p><div class="row list-bar">${tabs(view, people.subscriptionKind, types)}${tabs(view, people.subscriptionState, states)}<span class="push">${orders}</span></div>
${listOrEmpty(visit, page, { total, rows, empty: people.noSubscriptions })}</div>`,
  };
}
