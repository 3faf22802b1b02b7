import { isOrganizationOwner } from '../../access/find-organization.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { HttpError } from '../../http/errors.ts';
import { listOrganizationsOf } from '../../organizations/list.ts';
import { withoutCredentials } from '../../repositories/urls.ts';
import { fault } from '../components/fault.ts';
import { checkBox, field, postForm, select } from '../components/form.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { path } from '../view.ts';
import type { Item, ServiceForm } from './services.ts';

/** Organizations that can be chosen as the owner. */
const MAX_OWNERS = 200;
const MAX_URL = 2048;
const MAX_SECRET = 4096;

/** The form of a service. It never has the credentials that were typed. */
export async function formPage(visit: Visit, context: Context, form: ServiceForm, problem?: HttpError): Promise<Document> {
  const { view } = visit;
  const { migration: text } = view.text;
  const fields = html`<input type="hidden" name="service" value="${form.type}">
<fieldset><legend>${text.source}</legend>
${field({ name: 'clone_addr', label: text.address, value: withoutCredentials(visit.fields.get('clone_addr') ?? ''), isRequired: true, maxLength: MAX_URL, hint: text.addressHint, isFirst: true })}
${signInFields(visit, form)}</fieldset>
${contentFields(visit, context, form)}
<fieldset><legend>${text.target}</legend>${await targetFields(visit, context)}</fieldset>
<button class="primary">${text.start}</button>`;
  return {
    title: text.from(text.services[form.service]),
    status: problem ? 422 : 200,
    body: html`<p><a href="${path(view, 'repo/migrate')}">${text.otherService}</a></p>
${problem && fault(view, problem.message)}${postForm(view, fields, { action: path(view, 'repo/migrate'), className: 'migration-form' })}`,
  };
}

function signInFields({ view, fields }: Visit, { signIn }: ServiceForm): Html {
  const { migration: text } = view.text;
  const secret = (name: string, label: string, hint: string) =>
    field({ name, label, type: 'password', autocomplete: 'new-password', maxLength: MAX_SECRET, hint });
  if (signIn === 'token') return secret('auth_token', text.token, `${text.tokenHint} ${text.secretHint}`);
  const isAws = signIn === 'aws';
  const userName = field({
    name: 'auth_username',
    label: isAws ? text.gitUserName : text.userName,
    value: fields.get('auth_username'),
    autocomplete: 'off',
    maxLength: MAX_SECRET,
  });
  const password = secret('auth_password', isAws ? text.gitPassword : text.password, text.secretHint);
  if (!isAws) return html`${userName}${password}`;
  return html`${field({ name: 'aws_access_key_id', label: text.awsKeyId, value: fields.get('aws_access_key_id'), autocomplete: 'off', maxLength: 255 })}
${secret('aws_secret_access_key', text.awsSecret, text.secretHint)}${userName}${password}`;
}

function contentFields(visit: Visit, { settings }: Context, { items }: ServiceForm): Html {
  const { view, fields } = visit;
  const { migration: text } = view.text;
  const labels: Readonly<Record<Item, string>> = { ...text, pull_requests: text.pulls };
  const box = (name: string, label: string, isUsual: boolean, hint?: string) =>
    checkBox({ name, label, isChecked: isOn(visit, name, isUsual), ...(hint !== undefined && { hint }) });
  const { lfs, mirrors } = settings;
  return html`<fieldset><legend>${text.items}</legend>${items.map((item) => box(item, labels[item], true))}
${lfs.enabled && html`${box('lfs', text.lfs, false)}${field({ name: 'lfs_endpoint', label: text.lfsEndpoint, value: fields.get('lfs_endpoint'), maxLength: MAX_URL, hint: text.lfsEndpointHint })}`}
${mirrors.enabled && mirrors.newPullMirrors && html`${box('mirror', text.isMirror, false, text.mirrorHint)}${field({ name: 'mirror_interval', label: text.interval, value: fields.get('mirror_interval'), maxLength: 50, hint: text.intervalHint })}`}</fieldset>`;
}

async function targetFields(visit: Visit, context: Context): Promise<Html> {
  const { view, fields } = visit;
  const { people: text } = view.text;
  const { forcePrivate, defaultVisibility } = context.settings.repository;
  const owners = await ownersFor(context);
  const wanted = fields.get('uid') ?? fields.get('org');
  const chosen = owners.find(({ id, name }) => wanted === String(id) || wanted === name) ?? owners[0];
  return html`${select({ name: 'uid', label: text.owner, value: String(chosen?.id), options: owners.map(({ id, name }) => [String(id), name] as const) })}
${field({ name: 'repo_name', label: text.name, value: fields.get('repo_name'), isRequired: true, maxLength: 100, hint: text.nameHint })}
${field({ name: 'description', label: text.description, value: fields.get('description'), maxLength: 2048 })}
${checkBox({ name: 'private', label: text.isPrivate, hint: text.isPrivateHint, isChecked: isOn(visit, 'private', forcePrivate || defaultVisibility === 'private') })}`;
}

/** Whom the caller may migrate to: themselves, and the organizations that they own. */
async function ownersFor(context: Context): Promise<{ id: number; name: string }[]> {
  const actor = signedInActor(context);
  const { organizations } = await listOrganizationsOf(context, actor, { page: 1, limit: MAX_OWNERS, offset: 0 });
  const isOwned = await Promise.all(organizations.map(({ id }) => actor.is_admin || isOrganizationOwner(context.db, id, actor.id)));
  return [actor, ...organizations.filter((_, index) => isOwned[index])];
}

/** Whether a box is ticked: as sent, as in a link (`?wiki=1`), or by default. */
function isOn({ fields, request }: Visit, name: string, isUsual: boolean): boolean {
  const given = fields.get(name);
  if (request.method === 'POST') return given === 'on';
  return given === undefined ? isUsual : given === '1' || given === 'on';
}
