import { secondFactorsOf } from '../../access/second-factor.ts';
import { listBadges, listUserBadges } from '../../accounts/badges/badges.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { field, postForm, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { path, type View } from '../view.ts';
import { ADMIN_PATHS } from './frame.ts';

/** The path of a page, or a form, about an account. */
export function userPath(view: View, { name }: Pick<User, 'name'>, form = ''): string {
  const own = path(view, `${ADMIN_PATHS.users}/${encodeURIComponent(name)}`);
  return form === '' ? own : `${own}/${form}`;
}

/** The actions on an account besides editing it: renaming, second factors, badges. */
export async function userSections(view: View, context: Context, user: User): Promise<Html> {
  const { admin: text } = view.text;
  const rename = html`${field({ name: 'new_username', label: text.userName, value: user.name, hint: text.renameHint, isRequired: true, maxLength: 40, autocomplete: 'off' })}
<button>${text.rename}</button>`;
  return html`<h2>${text.rename}</h2>${postForm(view, rename, { action: userPath(view, user, 'rename') })}
<h2>${text.secondFactors}</h2>${await factors(view, context, user)}
<h2>${text.badges}</h2>${await badges(view, context, user)}`;
}

async function factors(view: View, context: Context, user: User): Promise<Html> {
  const { admin: text, security } = view.text;
  const { hasCodes, hasPasskeys } = await secondFactorsOf(context.db, user.id);
  if (!hasCodes && !hasPasskeys) return html`<p class="muted">${view.text.common.none}</p>`;
  return html`<p>${[hasCodes && security.codes, hasPasskeys && security.passkeys].filter(Boolean).join(', ')}</p>
${postForm(view, html`<p>${text.removeFactorsHint}</p><button class="danger">${text.removeFactors}</button>`, { action: userPath(view, user, '2fa') })}`;
}

async function badges(view: View, context: Context, user: User): Promise<Html> {
  const { admin: text, common } = view.text;
  const own = await listUserBadges(context, user);
  const others = (await listBadges(context)).filter(({ id }) => !own.some((badge) => badge.id === id));
  const change = (act: string, fields: Html) =>
    postForm(view, html`<input type="hidden" name="do" value="${act}">${fields}`, { action: userPath(view, user, 'badges') });
  const rows = own.map(
    ({ slug, description }) => html`<li><strong>${slug}</strong> <span class="muted">${description}</span>
<span class="push">${change('remove', html`<input type="hidden" name="slug" value="${slug}"><button>${text.takeBadge}</button>`)}</span></li>\n`,
  );
  const choice = others.map(({ slug, description }) => [slug, description === '' ? slug : `${slug}: ${description}`] as const);
  return html`${own.length === 0 ? html`<p class="muted">${common.none}</p>` : html`<ul class="rows box">${rows}</ul>`}
${others.length > 0 && change('add', html`${select({ name: 'slug', label: text.badge, value: '', options: choice })}<button>${text.giveBadge}</button>`)}`;
}
