import { deleteAvatar, setAvatar } from '../../accounts/avatars/avatars.ts';
import { renameAccount } from '../../accounts/rename.ts';
import { avatarUrl } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { deleteOrganization, editOrganization } from '../../organizations/organizations.ts';
import { EditOrgOption, RenameOrgOption } from '../../organizations/schema.ts';
import { avatar } from '../components/avatar.ts';
import { checkBox, field, postForm, select, textArea } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { avatarBox, avatarForms } from '../manage/avatar.ts';
import { failed, type Problem } from '../manage/section.ts';
import type { OrganizationVisit } from '../resource-pages.ts';
import { organizationPagePath } from './frame.ts';
import { organizationSection } from './settings-frame.ts';

const VISIBILITIES = ['public', 'limited', 'private'] as const;
const section = organizationSection('general');

/** The profile of an organization, its visibility, and its deletion. */
export const generalPages: readonly AnyRoute[] = section.pages({
  show,
  forms: {
    '': { send: change },
    visibility: { send: changeVisibility },
    rename: { send: rename },
    delete: { send: remove },
    ...avatarForms<OrganizationVisit>({
      set: ({ organization }, context, base64) => setAvatar(context, organization, base64),
      remove: ({ organization }, context) => deleteAvatar(context, organization),
    }),
  },
});

async function change({ organization, fields }: OrganizationVisit, context: Context): Promise<void> {
  const options = bindValue(EditOrgOption, {
    full_name: fields.get('full_name')?.trim() ?? '',
    email: fields.get('email')?.trim() ?? '',
    description: fields.get('description') ?? '',
    website: fields.get('website')?.trim() ?? '',
    location: fields.get('location') ?? '',
  });
  await editOrganization(context, organization, {
    fullName: options.full_name,
    email: options.email,
    description: options.description,
    website: options.website,
    location: options.location,
    repoAdminChangeTeamAccess: fields.get('repo_admin_change_team_access') === 'on',
  });
}

async function changeVisibility({ organization, fields }: OrganizationVisit, context: Context): Promise<void> {
  const visibility = VISIBILITIES.find((name) => name === fields.get('visibility'));
  if (!visibility) throw unprocessable('[Visibility]: In');
  await editOrganization(context, organization, { visibility });
}

async function rename(visit: OrganizationVisit, context: Context): Promise<string> {
  const { organization, fields } = visit;
  requireName(visit);
  const { new_name: name } = bindValue(RenameOrgOption, { new_name: fields.get('new_name')?.trim() ?? '' });
  await renameAccount(context, organization, name);
  return organizationPagePath({ name }, 'settings');
}

async function remove(visit: OrganizationVisit, context: Context): Promise<string> {
  requireName(visit);
  await deleteOrganization(context, visit.organization);
  return '';
}

/** @throws HttpError 422 unless the name of the organization was typed */
function requireName({ organization, fields, view }: OrganizationVisit): void {
  if (fields.get('name') !== organization.name) throw unprocessable(view.text.manage.nameDiffers);
}

async function show(visit: OrganizationVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, organization } = visit;
  const text = view.text.owners;
  const shown = { login: organization.name, avatar_url: avatarUrl(context, organization) };
  const picture = avatarBox(view, { picture: avatar(view, shown, 96), isOwn: organization.avatar !== '', action: section.href(visit) });
  return html`${failed(view, problem, '')}${profileForm(visit, problem)}
<h3>${text.picture}</h3>${failed(view, problem, 'avatar')}${picture}
${dangerZone(visit, problem)}`;
}

function profileForm(visit: OrganizationVisit, problem?: Problem): Html {
  const { view, organization, fields } = visit;
  const { settings: text, owners } = view.text;
  const isAgain = problem?.form === '';
  const value = (name: 'full_name' | 'email' | 'description' | 'website' | 'location') => (isAgain ? fields.get(name) : organization[name]);
  const isOn = isAgain ? fields.get('repo_admin_change_team_access') === 'on' : organization.repo_admin_change_team_access;
  const form = html`${field({ name: 'full_name', label: text.fullName, value: value('full_name'), maxLength: 100, autocomplete: 'off' })}
${field({ name: 'email', label: owners.email, type: 'email', value: value('email'), maxLength: 255, hint: owners.emailHint, autocomplete: 'off' })}
${textArea({ name: 'description', label: view.text.manage.description, value: value('description'), maxLength: 255, rows: 3 })}
${field({ name: 'website', label: text.website, type: 'url', value: value('website'), maxLength: 255, autocomplete: 'off' })}
${field({ name: 'location', label: text.location, value: value('location'), maxLength: 50, autocomplete: 'off' })}
${checkBox({ name: 'repo_admin_change_team_access', label: owners.teamAccess, isChecked: isOn })}
<button class="primary">${view.text.common.save}</button>`;
  return postForm(view, form, { action: section.href(visit) });
}

function dangerZone(visit: OrganizationVisit, problem?: Problem): Html {
  const { view, organization, fields } = visit;
  const { manage, owners: text, people } = view.text;
  const confirmation = (id: string) => html`<div class="field"><label for="${id}">${manage.typeName(organization.name)}</label>
<input id="${id}" name="name" required autocomplete="off"></div>`;
  const options = VISIBILITIES.map((name) => [name, people.visibilities[name]] as const);
  const visibility = html`${select({ name: 'visibility', label: people.visibility, value: organization.visibility, options, hint: text.visibilityHint })}
<button class="danger">${text.changeVisibility}</button>`;
  const again = problem?.form === 'rename' ? fields.get('new_name') : '';
  const renaming = html`${field({ name: 'new_name', label: text.newName, value: again, isRequired: true, maxLength: 40, autocomplete: 'off' })}
${confirmation('rename-name')}<button class="danger">${text.rename}</button>`;
  const removal = html`${confirmation('delete-name')}<button class="danger">${text.deleteOrganization}</button>`;
  const form = (name: string, body: Html) =>
    html`${failed(view, problem, name)}${postForm(view, body, { action: section.href(visit, name) })}`;
  return html`<section class="danger-zone" aria-labelledby="danger"><h3 id="danger">${manage.dangerZone}</h3>
<h4>${people.visibility}</h4>${form('visibility', visibility)}
<h4>${text.rename}</h4><p>${text.renameHint}</p>${form('rename', renaming)}
<h4>${text.deleteOrganization}</h4><p>${text.deleteOrganizationHint}</p>${form('delete', removal)}</section>`;
}
