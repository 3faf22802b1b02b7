import { presentToken } from '../../accounts/tokens/present.ts';
import { CreateAccessTokenOption } from '../../accounts/tokens/schema.ts';
import { listTokens } from '../../accounts/tokens/tokens.ts';
import type { Context } from '../../context.ts';
import { bindValue } from '../../http/bodies/body.ts';
import type { ScopeCategory } from '../../http/route.ts';
import { passwordField } from '../accounts/confirm-password.ts';
import { copyField } from '../code/clone-box.ts';
import { actionButton, checkBox, field, postForm } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { failed, type Problem } from '../manage/section.ts';
import { notice } from '../page.ts';
import { path, type View } from '../view.ts';
import type { OwnVisit } from './area.ts';

const ROOT = 'user/settings/applications';
const CATEGORIES: readonly ScopeCategory[] = [
  ...(['repository', 'issue', 'package', 'organization', 'user', 'notification', 'misc', 'activitypub', 'admin'] as const),
];

/**
 * Reads the form of a new token.
 * @throws HttpError 422 for an invalid name
 */
export function typedToken({ fields }: OwnVisit): { name: string; scopes: string[] } {
  const granted = CATEGORIES.flatMap((category) => {
    const level = fields.get(category);
    return level === 'read' || level === 'write' ? [`${level}:${category}`] : [];
  });
  const scopes = [...(fields.get('public_only') === 'on' ? ['public-only'] : []), ...granted];
  return { name: bindValue(CreateAccessTokenOption, { name: fields.get('name')?.trim() ?? '', scopes }).name, scopes };
}

/** A new token, to be copied. */
export function madeToken(view: View, value: string): Html {
  const text = view.text.settings;
  return html`${notice(text.tokenMade)}${copyField(view, text.token, value)}`;
}

/** The access tokens of an account, and the form that creates one. */
export async function tokenSection(visit: OwnVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, user } = visit;
  const text = view.text.settings;
  const page = requestedPage(visit, context.settings);
  const { tokens, total } = await listTokens(context, user, page);
  const rows = html`<ul class="rows box">${tokens.map(presentToken).map(
    ({ id, name, scopes, token_last_eight: last, created_at: created }) => html`<li><div><strong>${name}</strong> <code>…${last}</code><br>
<span class="muted">${(scopes ?? []).join(', ')} · ${text.added} ${timeAgo(view, created)}</span></div>
<span class="push">${actionButton(view, { action: path(view, `${ROOT}/delete`), label: view.text.common.delete, fields: { id: id ?? 0 }, className: 'danger' })}</span></li>`,
  )}</ul>`;
  const isAgain = problem?.form === '';
  return html`<h2>${text.tokens}</h2>${failed(view, problem, 'delete')}${listOrEmpty(visit, page, { total, rows, empty: text.noTokens })}
<details${isAgain && html` open`}><summary>${text.newToken}</summary>${failed(view, problem, '')}${form(visit, isAgain)}</details>`;
}

function form({ view, fields, user }: OwnVisit, isAgain: boolean): Html {
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
${passwordField({ user, view })}
<button class="primary">${text.newToken}</button>`,
    { action: path(view, ROOT) },
  );
}
