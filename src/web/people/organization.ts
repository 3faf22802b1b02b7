import { seesPrivateFeed } from '../../activity/feeds.ts';
import type { Context } from '../../context.ts';
import { requestedPage } from '../components/list-page.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { organizationDocument } from '../organization/frame.ts';
import type { AccountVisit } from '../resource-pages.ts';
import { activityList } from './activity-list.ts';
import { ownRepositories } from './own-repositories.ts';
import { profileReadme } from './readme.ts';

/** The page of an organization: what it owns, or what happened there. */
export async function organizationPageOf(visit: AccountVisit, context: Context): Promise<Document> {
  const { user, fields } = visit;
  const page = requestedPage(visit, context.settings);
  if (fields.get('tab') === 'activity') {
    const withPrivate = await seesPrivateFeed(context, user);
    return organizationDocument(visit, context, user, 'activity', await activityList(visit, context, { owner: user, withPrivate }, page));
  }
  const readme = page.page === 1 && (await profileReadme(visit, context));
  return organizationDocument(visit, context, user, 'repositories', html`${readme}${await ownRepositories(visit, context, page)}`);
}
