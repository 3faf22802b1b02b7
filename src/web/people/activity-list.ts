import { presentUser } from '../../accounts/users/present.ts';
import { upToDate } from '../../activity/caught-up.ts';
import { type FeedFilter, listFeed } from '../../activity/feeds.ts';
import type { FeedItem } from '../../activity/syndication/document.ts';
import { activityItems } from '../../activity/syndication/items.ts';
import type { Context } from '../../context.ts';
import type { ActivityRow } from '../../database/tables/activity.ts';
import type { Page } from '../../http/paging.ts';
import { findPeople } from '../../issues/people.ts';
import { avatar } from '../components/avatar.ts';
import { listOrEmpty } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import { prose } from '../components/prose.ts';
import { titleText } from '../components/title.ts';
import { Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import type { View } from '../view.ts';

/** The id of a commit as feed readers get it. */
const WHOLE_ID = />([0-9a-f]{10})[0-9a-f]{30,54}<\/a>/g;

/** A feed of activities, latest first. */
export async function activityList(visit: Visit, context: Context, filter: FeedFilter, page: Page): Promise<Html> {
  const { view } = visit;
  await upToDate(context);
  const { activities, total } = await listFeed(context, filter, page);
  const items = await activityItems(context, activities);
  const actors = activities.map(({ actor_id: id }) => id);
  const people = await findPeople(context.db, actors, [context.actor]);
  // Feeds create titles and contents, and escape and sanitize them.
  const rows = html`<ul class="rows feed">${items.map((item) => {
    const row = activities.find(({ id }) => item.id.startsWith(`${id}:`));
    return html`<li>${row && avatar(view, presentUser(context, people(row.actor_id)), 24)}
<div><span>${new Html(item.title)}</span> <span class="muted">${timeAgo(view, item.time)}</span>
${row && contentOf(view, row, item)}</div></li>\n`;
  })}</ul>`;
  return listOrEmpty(visit, page, { total, rows, empty: view.text.people.noActivity });
}

/** The subject of an activity: commits line by line, and titles above texts, which feed readers get as one. */
function contentOf(view: View, { type, content: stored }: ActivityRow, { summary, content }: FeedItem): Html | false {
  if (type === 'create_issue' || type === 'create_pull_request') {
    const title = stored.slice(stored.indexOf('|') + 1);
    return html`<p class="feed-title">${titleText(title)}</p>${content !== summary && prose(view, content)}`;
  }
  if (content === '') return false;
  const lines =
    type === 'commit_repo' || type === 'mirror_sync_push' ? content.split('\n\n').map((line) => `<div>${line}</div>`) : [content];
  return prose(view, lines.join('').replace(WHOLE_ID, '>$1</a>'));
}
