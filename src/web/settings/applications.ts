import { presentToken } from '../../accounts/tokens/present.ts';
import { CreateAccessTokenOption } from '../../accounts/tokens/schema.ts';
import { createToken, deleteToken, listTokens } from '../../accounts/tokens/tokens.ts';
import type { Context } from '../../context.ts';
import { bindValue } from '../../http/body.ts';
import { HttpError } from '../../http/errors.ts';
import type { AnyRoute, ScopeCategory } from '../../http/route.ts';
import { confirmPassword } from '../accounts/confirm-password.ts';
import { copyField } from '../code/clone-box.ts';
import { actionButton, checkBox, field, postForm } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { fault, notice, type Reply, type SignedInVisit, seeOther, userPage } from '../page.ts';
import { path } from '../view.ts';
import { settingsDocument } from './frame.ts';

const ROOT = 'user/settings/applications';
const CATEGORIES: readonly ScopeCategory[] = [
  ...(['repository', 'issue', 'package', 'organization', 'user', 'notification', 'misc', 'activitypub', 'admin'] as const),
];

/** The access tokens of an account. */
export const applicationPages: readonly AnyRoute[] = [
  ...userPage({ path: `/${ROOT}`, get: (visit, context) => overview(visit, context, {}), post: create }),
  ...userPage({
    path: `/${ROOT}/delete`,
    post: async ({ user, fields }, context) => {
      await deleteToken(context, user, fields.get('id') ?? '');
      return seeOther(context, ROOT);
    },
  }),
];

async function create(visit: SignedInVisit, context: Context): Promise<Reply> {
  const { fields, user } = visit;
  try {
    // A token outlives the session, so an open browser is not enough.
    await confirmPassword(visit, context);
    const granted = CATEGORIES.flatMap((category) => {
      const level = fields.get(category);
      return level === 'read' || level === 'write' ? [`${level}:${category}`] : [];
    });
    const scopes = [...(fields.get('public_only') === 'on' ? ['public-only'] : []), ...granted];
    const { name } = bindValue(CreateAccessTokenOption, { name: fields.get('name')?.trim() ?? '', scopes });
    const { value } = await createToken(context, user, { name, scopes });
    return overview(visit, context, { value });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return overview(visit, context, { error });
  }
}

async function overview(visit: SignedInVisit, context: Context, done: { value?: string; error?: HttpError }): Promise<Document> {
  const { view, user } = visit;
  const text = view.text.settings;
  const page = requestedPage(visit, context.settings);
  const { tokens, total } = await listTokens(context, user, page);
  const rows = html`<ul class="rows box">${tokens.map(presentToken).map(
    ({ id, name, scopes, token_last_eight: last, created_at: created }) => html`<li><div><strong>${name}</strong> <code>…${last}</code><br>
<span class="muted">${(scopes ?? []).join(', ')} · ${text.added} ${timeAgo(view, created)}</span></div>
<span class="push">${actionButton(view, { action: path(view, `${ROOT}/delete`), label: view.text.common.delete, fields: { id: id ?? 0 }, className: 'danger' })}</span></li>`,
  )}</ul>`;
  const body = html`${done.value !== undefined && html`${notice(text.tokenMade)}${copyField(view, text.token, done.value)}`}
${done.error && fault(done.error.message)}
<h2>${text.tokens}</h2>${listOrEmpty(visit, page, { total, rows, empty: text.noTokens })}
<h2>${text.newToken}</h2>${form(visit, done.error !== undefined)}`;
  return settingsDocument(view, context, { current: 'applications', body, status: done.error ? 422 : 200 });
}

function form({ view, fields, user }: SignedInVisit, isAgain: boolean): Html {
  const text = view.text.settings;
  const level = (category: ScopeCategory) => (isAgain ? (fields.get(category) ?? '') : '');
  const choices = [['', text.levels.none] as const, ['read', text.levels.read] as const, ['write', text.levels.write] as const];
  const rows = CATEGORIES.filter((category) => category !== 'admin' || user.is_admin).map(
    (category) =>
      html`<tr><th scope="row"><label for="s-${category}">${category}</label></th><td><select id="s-${category}" name="${category}">${choices.map(
        ([value, label]) => html`<option value="${value}"${value === level(category) && html` selected`}>${label}</option>`,
      )}</select></td></tr>`,
  );
  return postForm(
    view,
    html`${field({ name: 'name', label: text.tokenName, value: isAgain ? fields.get('name') : '', isRequired: true, maxLength: 255 })}
<fieldset><legend>${text.scopes}</legend><table class="scopes"><tbody>${rows}</tbody></table>
${checkBox({ name: 'public_only', label: text.publicOnly, isChecked: isAgain && fields.get('public_only') === 'on' })}</fieldset>
${user.password_hash !== '' && field({ name: 'password', label: text.yourPassword, type: 'password', isRequired: true, autocomplete: 'current-password' })}
<button class="primary">${text.newToken}</button>`,
    { action: path(view, ROOT) },
  );
}
