import {
  addUserBadges,
  deleteBadge,
  findBadge,
  listBadges,
  listHolders,
  removeUserBadges,
  saveBadge,
} from '../../accounts/badges/badges.ts';
import { presentUser } from '../../accounts/users/present.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Badge } from '../../database/tables/accounts.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { avatar } from '../components/avatar.ts';
import { actionButton, field, postForm } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { type Html, html } from '../html.ts';
import { namedUser } from '../manage/blocks.ts';
import { failed, type Problem } from '../manage/section.ts';
import type { Visit } from '../page.ts';
import { path } from '../view.ts';
import { adminSection } from './area.ts';
import { ADMIN_PATHS } from './frame.ts';

const section = adminSection('badges');

/** The badges that administrators give to users: the list, and each with its users. */
export const badgePages: readonly AnyRoute[] = [
  ...section.pages({ show: list, forms: { '': { isOneTransaction: true, send: create } } }),
  ...section.pages({
    sub: 'slug/:name',
    show,
    forms: { '': { isOneTransaction: true, send: edit }, users: { isOneTransaction: true, send: changeHolders }, delete: { send: remove } },
  }),
];

async function list(visit: Visit, context: Context, problem?: Problem): Promise<Html> {
  const { view, fields } = visit;
  const { admin: text } = view.text;
  const again = (name: string) => (problem ? fields.get(name) : '');
  const rows = (await listBadges(context)).map(
    (badge) =>
      html`<li><a href="${path(view, addressOf(badge))}"><strong>${badge.slug}</strong></a> <span class="muted">${badge.description}</span></li>\n`,
  );
  const form = html`${field({ name: 'slug', label: text.badgeSlug, value: again('slug'), hint: text.badgeSlugHint, isRequired: true, maxLength: 100, autocomplete: 'off' })}
${badgeFields(visit, { description: again('description') ?? '', image_url: again('image_url') ?? '' })}<button class="primary">${text.createBadge}</button>`;
  return html`<p>${text.badgesHint}</p>${rows.length === 0 ? html`<p class="empty">${text.noBadges}</p>` : html`<ul class="rows box">${rows}</ul>`}
${section.heading(text.createBadge)}${failed(view, problem, '')}${postForm(view, form)}`;
}

function badgeFields({ view }: Visit, { description, image_url: url }: Pick<Badge, 'description' | 'image_url'>): Html {
  const { admin: text } = view.text;
  return html`${field({ name: 'description', label: text.badgeDescription, value: description, maxLength: 255, autocomplete: 'off' })}
${field({ name: 'image_url', label: text.badgeImage, value: url, type: 'url', maxLength: 2048, autocomplete: 'off' })}`;
}

async function create({ fields, view }: Visit, context: Context): Promise<string> {
  const slug = fields.get('slug')?.trim() ?? '';
  if (await findBadge(context, slug)) throw unprocessable(view.text.admin.badgeExists(slug.slice(0, 100)));
  await saveBadge(context, { slug, ...sentFields(fields) });
  return addressOf({ slug });
}

async function edit(visit: Visit, context: Context): Promise<string> {
  const badge = await badgeOf(visit, context);
  await saveBadge(context, { slug: badge.slug, ...sentFields(visit.fields) });
  return addressOf(badge);
}

function sentFields(fields: Visit['fields']): Pick<Badge, 'description' | 'image_url'> {
  return { description: fields.get('description')?.trim() ?? '', image_url: fields.get('image_url')?.trim() ?? '' };
}

async function changeHolders(visit: Visit, context: Context): Promise<string> {
  const badge = await badgeOf(visit, context);
  const user = await namedUser(visit, context);
  context.act?.found({ params: visit.params, user });
  if (visit.fields.get('do') === 'remove') await removeUserBadges(context, user, [badge.slug]);
  else await addUserBadges(context, user, [badge.slug]);
  return addressOf(badge);
}

async function remove(visit: Visit, context: Context): Promise<string> {
  const badge = await badgeOf(visit, context);
  if (visit.fields.get('confirm') !== badge.slug) throw unprocessable(visit.view.text.packages.notConfirmed);
  await inTransaction(context, (context) => deleteBadge(context, badge.slug));
  return ADMIN_PATHS.badges;
}

async function show(visit: Visit, context: Context, problem?: Problem): Promise<Html> {
  const { view, fields } = visit;
  const { admin: text } = view.text;
  const badge = await badgeOf(visit, context);
  const action = (form: string) => path(view, `${addressOf(badge)}${form}`);
  const page = requestedPage(visit, context.settings);
  const { users, total } = await listHolders(context, badge, page);
  const take = (user: string) =>
    actionButton(view, {
      action: action('/users'),
      label: text.takeBadge,
      title: `${text.takeBadge}: ${user}`,
      fields: { do: 'remove', user },
    });
  const rows = html`<ul class="rows box">${users.map(
    (
      user,
    ) => html`<li>${avatar(view, presentUser(context, user), 24)} <a href="${path(view, `${ADMIN_PATHS.users}/${encodeURIComponent(user.name)}`)}"><strong>${user.name}</strong></a> ${user.full_name}
<span class="push">${take(user.name)}</span></li>\n`,
  )}</ul>`;
  const give = html`${field({ name: 'user', label: text.userName, value: problem?.form === 'users' ? fields.get('user') : '', isRequired: true, maxLength: 40, autocomplete: 'off' })}
<button>${text.giveBadge}</button>`;
  const shown = problem?.form === '' ? { ...badge, ...sentFields(fields) } : badge;
  return html`<p><a href="${path(view, ADMIN_PATHS.badges)}">${text.allBadges}</a></p>
${section.heading(badge.slug)}${failed(view, problem, '')}${postForm(view, html`${badgeFields(visit, shown)}<button class="primary">${view.text.common.save}</button>`, { action: action('') })}
${section.heading(text.badgeHolders)}${failed(view, problem, 'users')}${listOrEmpty(visit, page, { total, rows, empty: text.noBadgeHolders })}
${postForm(view, give, { action: action('/users') })}
<section class="danger-zone" aria-labelledby="delete"><h2 id="delete">${text.deleteBadge}</h2>${failed(view, problem, 'delete')}${postForm(
    view,
    html`<p>${text.deleteBadgeHint}</p>${field({ name: 'confirm', label: text.confirmName(badge.slug), isRequired: true, autocomplete: 'off' })}<button class="danger">${text.deleteBadge}</button>`,
    { action: action('/delete') },
  )}</section>`;
}

function addressOf({ slug }: Pick<Badge, 'slug'>): string {
  return `${ADMIN_PATHS.badges}/slug/${encodeURIComponent(slug)}`;
}

async function badgeOf({ params }: Visit, context: Context): Promise<Badge> {
  const badge = await findBadge(context, params.name ?? '');
  if (!badge) throw notFound();
  return badge;
}
