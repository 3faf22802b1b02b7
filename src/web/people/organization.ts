import { isOrganizationOwner } from '../../access/find-organization.ts';
import { seesPrivateFeed } from '../../activity/feeds.ts';
import type { Context } from '../../context.ts';
import { mayCreateIn } from '../../repositories/create-in-organization.ts';
import { requestedPage } from '../components/list-page.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { organizationDocument } from '../organization/frame.ts';
import type { AccountVisit } from '../resource-pages.ts';
import { icon, path } from '../view.ts';
import { activityList } from './activity-list.ts';
import { foundRepositories } from './found-repositories.ts';
import { profileReadme } from './readme.ts';

/** The page of an organization: its repositories, or its activity. */
export async function organizationPageOf(visit: AccountVisit, context: Context): Promise<Document> {
  const { user, fields } = visit;
  const page = requestedPage(visit, context.settings);
  if (fields.get('tab') === 'activity') {
    const withPrivate = await seesPrivateFeed(context, user);
    return organizationDocument(visit, context, user, 'activity', await activityList(visit, context, { owner: user, withPrivate }, page));
  }
  const readme = page.page === 1 && (await profileReadme(visit, context));
  return organizationDocument(
    visit,
    context,
    user,
    'repositories',
    html`${readme}${await makingLinks(visit, context)}${await foundRepositories(visit, context, 'repositories', page)}`,
  );
}

/** The form for a new repository, for users who may create one in the organization. */
async function makingLinks({ view, user }: AccountVisit, context: Context): Promise<Html | false> {
  const { actor, db, settings } = context;
  if (!actor || !(await mayCreateIn(context, user, actor))) return false;
  const mayMigrate = settings.migrations.enabled && (actor.is_admin || (await isOrganizationOwner(db, user.id, actor.id)));
  return html`<div class="buttons making">${mayMigrate && html`<a class="button" href="${path(view, `repo/migrate?org=${user.id}`)}">${view.text.migration.migrate}</a>`}
<a class="button primary" href="${path(view, `repo/create?owner=${encodeURIComponent(user.name)}`)}">${icon(view, 'plus')} ${view.text.common.newRepository}</a></div>`;
}
