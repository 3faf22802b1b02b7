import { findUserById } from '../../access/find-user.ts';
import { CreateUserOption, EditUserOption } from '../../accounts/administration/schema.ts';
import { readUserQuery } from '../../accounts/administration/search.ts';
import {
  createUserAsAdministrator,
  deleteUserAsAdministrator,
  editUser,
  renameUserAsAdministrator,
} from '../../accounts/administration/users.ts';
import { addUserBadges, removeUserBadges } from '../../accounts/badges/badges.ts';
import { removeSecondFactors } from '../../accounts/passkeys/passkeys.ts';
import { presentUser } from '../../accounts/users/present.ts';
import { searchUsers } from '../../accounts/users/search.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { NO_FIELDS } from '../../http/bodies/fields.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { avatar } from '../components/avatar.ts';
import { fault } from '../components/fault.ts';
import { checkBox, field, postForm, select } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import { personSearchForm, personSearchOf, readPersonChoice } from '../components/person-search.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { notice, type Reply, seeOther, type Visit } from '../page.ts';
import { accountPage, plainPage } from '../resource-pages.ts';
import { path, type View } from '../view.ts';
import { ADMIN_NEEDS, ADMIN_PATHS, adminDocument } from './frame.ts';
import { userPath, userSections } from './user-sections.ts';
import { chosenStates, readStates, stateMenu } from './user-states.ts';

const ROOT = ADMIN_PATHS.users;
const VISIBILITIES = ['public', 'limited', 'private'] as const;
/** Gitea identifies accounts by their ids here. */
async function leadToUser(context: Context, id: string): Promise<Reply | undefined> {
  const user = context.actor?.is_admin && /^\d{1,15}$/.test(id) ? await findUserById(context.db, Number(id)) : undefined;
  return user && seeOther(context, `${ROOT}/${encodeURIComponent(user.name)}`);
}

type UserVisit = Visit & { readonly user: User };

/** The accounts of people: the list, and the page of each. */
export const userPages: readonly AnyRoute[] = [
  ...plainPage({ path: `/${ROOT}`, needs: ADMIN_NEEDS, get: (visit, context) => userList(visit, context), post: create }),
  ...accountPage({
    path: `/${ROOT}/:username`,
    needs: ADMIN_NEEDS,
    get: async (visit, context) => userPage(visit, context),
    post: edit,
    otherwise: async ({ params }, context) => leadToUser(context, params.username ?? ''),
  }),
  ...plainPage({
    path: `/${ROOT}/:id(^[0-9]+$)/edit`,
    needs: ADMIN_NEEDS,
    get: async ({ params }, context) => {
      const reply = await leadToUser(context, params.id ?? '');
      if (!reply) throw notFound();
      return reply;
    },
  }),
  ...form('rename', async ({ user, fields }, context) => {
    const name = fields.get('new_username')?.trim() ?? '';
    await renameUserAsAdministrator(context, user, name);
    return name;
  }),
  ...form('2fa', async ({ user }, context) => {
    await removeSecondFactors(context, user);
    return user.name;
  }),
  ...form('badges', async ({ user, fields }, context) => {
    const slugs = [fields.get('slug') ?? ''];
    if (fields.get('do') === 'add') await addUserBadges(context, user, slugs);
    else await inTransaction(context, (context) => removeUserBadges(context, user, slugs));
    return user.name;
  }),
  ...accountPage({
    path: `/${ROOT}/:username/delete`,
    needs: ADMIN_NEEDS,
    post: async (visit, context) => {
      const { user, fields, view } = visit;
      if (fields.get('confirm') !== user.name) return userPage(visit, context, view.text.admin.confirmWrong);
      return attempt(
        async () => {
          await deleteUserAsAdministrator(context, user, { purge: fields.get('purge') === 'on' });
          return seeOther(context, ROOT);
        },
        (reason) => userPage(visit, context, reason),
      );
    },
  }),
];

/** A form of an account's page. @param act returns the name of the account afterwards */
function form(name: string, act: (visit: UserVisit, context: Context) => Promise<string>): AnyRoute[] {
  return accountPage({
    path: `/${ROOT}/:username/${name}`,
    needs: ADMIN_NEEDS,
    post: (visit, context) =>
      attempt(
        async () => seeOther(context, `${ROOT}/${encodeURIComponent(await act(visit, context))}?saved=1`),
        (reason) => userPage(visit, context, reason),
      ),
  });
}

/** Errors of rules are shown in the form. */
async function attempt(act: () => Promise<Reply>, refused: (reason: string) => Promise<Reply>): Promise<Reply> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof HttpError) || ![400, 409, 422].includes(error.status)) throw error;
    return refused(error.message);
  }
}

function create(visit: Visit, context: Context): Promise<Reply> {
  const { fields } = visit;
  return attempt(
    async () => {
      const option = bindValue(CreateUserOption, {
        username: fields.get('username')?.trim() ?? '',
        email: fields.get('email')?.trim() ?? '',
        full_name: fields.get('full_name') ?? '',
        password: fields.get('password') ?? '',
        must_change_password: fields.get('must_change_password') === 'on',
      });
      const { name } = await createUserAsAdministrator(context, option);
      return seeOther(context, `${ROOT}/${encodeURIComponent(name)}`);
    },
    (reason) => userList(visit, context, reason),
  );
}

async function userList(visit: Visit, context: Context, problem?: string): Promise<Document> {
  const { view, fields } = visit;
  const { admin: text } = view.text;
  const page = requestedPage(visit, context.settings);
  const isForm = visit.request.method === 'POST';
  const chosen = isForm ? NO_FIELDS : fields;
  const choice = readPersonChoice(chosen);
  const states = readStates(chosen);
  const { users, total } = await searchUsers(context, { ...readUserQuery(states), ...personSearchOf(choice) }, page);
  const rows = html`<ul class="rows box">${users.map((user) => row(view, context, user))}</ul>`;
  const again = (name: string) => (problem === undefined ? '' : fields.get(name));
  const form = html`${field({ name: 'username', label: text.userName, value: again('username'), isRequired: true, maxLength: 40, autocomplete: 'off' })}
${field({ name: 'email', label: text.email, type: 'email', value: again('email'), isRequired: true, maxLength: 254, autocomplete: 'off' })}
${field({ name: 'full_name', label: text.fullName, value: again('full_name'), maxLength: 100, autocomplete: 'off' })}
${field({ name: 'password', label: text.password, type: 'password', isRequired: true, autocomplete: 'new-password' })}
${checkBox({ name: 'must_change_password', label: text.mustChange, isChecked: problem === undefined || fields.get('must_change_password') === 'on' })}
<button class="primary">${text.createUser}</button>`;
  const body = html`${problem !== undefined && fault(view, problem)}
<details class="fold"${problem !== undefined && html` open`}><summary class="button primary">${text.createUser}</summary>
<div class="content">${postForm(view, form, { action: path(view, ROOT) })}</div></details>
${personSearchForm(view, path(view, ROOT), choice, stateMenu(view, states))}${chosenStates(view, states)}${listOrEmpty(visit, page, { total, rows, empty: text.noneFound })}`;
  return adminDocument(view, context, { current: 'users', body, ...(problem !== undefined && { status: 422 }) });
}

function row(view: View, context: Context, user: User): Html {
  const { admin: text } = view.text;
  const shown = presentUser(context, user);
  const badge = (isShown: boolean, label: string, className = '') => isShown && html`<span class="badge ${className}">${label}</span> `;
  return html`<li>${avatar(view, shown, 24)} <a href="${path(view, `${ROOT}/${encodeURIComponent(user.name)}`)}"><strong>${user.name}</strong></a>
${user.full_name} <span class="muted">${user.email}</span>
${badge(user.is_admin, text.administrator, 'done')}${badge(!user.is_active, text.inactive, 'warning')}${badge(user.prohibit_login, text.prohibited, 'danger')}${badge(user.is_restricted, text.restricted)}
<span class="push muted">${timeAgo(view, user.created_at)}</span></li>\n`;
}

function edit(visit: UserVisit, context: Context): Promise<Reply> {
  const { fields, user } = visit;
  const isOn = (name: string) => fields.get(name) === 'on';
  const email = fields.get('email')?.trim() ?? '';
  return attempt(
    async () => {
      const option = bindValue(EditUserOption, {
        // The API requires one; the current one stays.
        login_name: user.login_name || user.name,
        full_name: fields.get('full_name') ?? '',
        ...(email !== user.email && { email }),
        ...(fields.get('password') && { password: fields.get('password') }),
        visibility: fields.get('visibility') ?? user.visibility,
        max_repo_creation: readLimit(fields.get('max_repo_creation')),
        must_change_password: isOn('must_change_password'),
        active: isOn('active'),
        admin: isOn('admin'),
        prohibit_login: isOn('prohibit_login'),
        restricted: isOn('restricted'),
        allow_create_organization: isOn('allow_create_organization'),
        allow_git_hook: isOn('allow_git_hook'),
        allow_import_local: isOn('allow_import_local'),
      });
      await editUser(context, user, { ...option, login_name: user.login_name });
      return seeOther(context, `${ROOT}/${encodeURIComponent(user.name)}?saved=1`);
    },
    (reason) => userPage(visit, context, reason),
  );
}

function readLimit(text: string | undefined): number {
  return /^-?\d{1,9}$/.test(text ?? '') ? Number(text) : -1;
}

async function userPage(visit: UserVisit, context: Context, problem?: string): Promise<Document> {
  const { view, user, fields } = visit;
  if (user.type !== 'individual') throw notFound();
  const { admin: text } = view.text;
  const remove = html`<p>${text.deleteHint}</p>
${field({ name: 'confirm', label: text.confirmName(user.name), isRequired: true, autocomplete: 'off' })}
${checkBox({ name: 'purge', label: text.purge, hint: text.purgeHint, isChecked: false })}
<button class="danger">${text.deleteUser}</button>`;
  const body = html`${problem !== undefined && fault(view, problem)}${fields.get('saved') === '1' && problem === undefined && notice(text.saved)}
<p><a href="${path(view, encodeURIComponent(user.name))}">${text.profile}</a> <span class="muted">${text.created} ${timeAgo(view, user.created_at)}${user.last_login_at > 0 && html` · ${text.lastSignIn} ${timeAgo(view, user.last_login_at)}`}</span></p>
${postForm(view, editFields(visit, problem !== undefined && fields.has('visibility')), { action: userPath(view, user) })}
${await userSections(view, context, user)}
<section class="danger-zone" aria-labelledby="delete"><h2 id="delete">${text.deleteUser}</h2>${postForm(view, remove, { action: userPath(view, user, 'delete') })}</section>`;
  return adminDocument(view, context, { current: 'users', title: user.name, body, ...(problem !== undefined && { status: 422 }) });
}

function editFields({ view, user, fields }: UserVisit, isAgain: boolean): Html {
  const { admin: text, people } = view.text;
  const value = (name: string, stored: string) => (isAgain ? fields.get(name) : stored);
  const box = (name: string, label: string, stored: boolean, hint?: string) =>
    checkBox({ name, label, isChecked: isAgain ? fields.get(name) === 'on' : stored, ...(hint !== undefined && { hint }) });
  return html`${field({ name: 'full_name', label: text.fullName, value: value('full_name', user.full_name), maxLength: 100, autocomplete: 'off' })}
${field({ name: 'email', label: text.email, type: 'email', value: value('email', user.email), isRequired: true, maxLength: 254, autocomplete: 'off' })}
${field({ name: 'password', label: text.newPassword, type: 'password', hint: text.newPasswordHint, autocomplete: 'new-password' })}
${box('must_change_password', text.mustChange, user.must_change_password)}
${select({ name: 'visibility', label: people.visibility, value: value('visibility', user.visibility) ?? '', options: VISIBILITIES.map((one) => [one, people.visibilities[one]]) })}
${field({ name: 'max_repo_creation', label: text.maxRepositories, type: 'number', value: value('max_repo_creation', String(user.max_repo_creation)), hint: text.maxRepositoriesHint })}
${box('active', text.active, user.is_active)}
${box('prohibit_login', text.prohibit, user.prohibit_login)}
${box('admin', text.administrator, user.is_admin)}
${box('restricted', text.restricted, user.is_restricted, text.restrictedHint)}
${box('allow_create_organization', text.mayCreateOrganizations, user.allow_create_organization)}
${box('allow_git_hook', text.gitHooks, user.allow_git_hook)}
${box('allow_import_local', text.importLocal, user.allow_import_local)}
<button class="primary">${view.text.common.save}</button>`;
}
