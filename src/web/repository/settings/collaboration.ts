import { findUser } from '../../../access/find-user.ts';
import type { Context } from '../../../context.ts';
import type { User } from '../../../database/tables/accounts.ts';
import { unprocessable } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import {
  collaboratorLevels,
  LEVEL_NAMES,
  listCollaborators,
  removeCollaborator,
  setCollaborator,
} from '../../../repositories/collaborators/collaborators.ts';
import { giveToTeam, mayChangeTeams, takeFromTeam, teamsOfRepository } from '../../../repositories/teams/teams.ts';
import { actionButton, field, postForm, select } from '../../components/form.ts';
import { listOrEmpty, requestedPage } from '../../components/list-page.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { path } from '../../view.ts';
import { failed, formPath, type Problem, repositorySettingsPage } from './frame.ts';

/** The collaborators and teams of a repository. */
export const collaborationPages: readonly AnyRoute[] = repositorySettingsPage({
  page: 'collaboration',
  show: async (visit, context, problem) => html`${await collaborators(visit, context, problem)}
${visit.repository.owner.type === 'organization' && (await teams(visit, context, problem))}`,
  forms: {
    add: {
      send: async (visit, context) =>
        setCollaborator(context, visit.repository, await requireUser(visit, context), visit.fields.get('permission') ?? ''),
    },
    remove: { send: async (visit, context) => removeCollaborator(context, visit.repository, await requireUser(visit, context)) },
    'teams/add': { send: ({ repository, access, fields }, context) => giveToTeam(context, repository, access, teamName(fields)) },
    'teams/remove': { send: ({ repository, access, fields }, context) => takeFromTeam(context, repository, access, teamName(fields)) },
  },
});

function teamName(fields: RepositoryVisit['fields']): string {
  return fields.get('team')?.trim() ?? '';
}

async function requireUser({ fields, view }: RepositoryVisit, { db }: Context): Promise<User> {
  const name = fields.get('user')?.trim() ?? '';
  const user = await findUser(db, name);
  if (!user) throw unprocessable(view.text.manage.noUser(name.slice(0, 100)));
  return user;
}

async function collaborators(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, repository, fields } = visit;
  const text = view.text.manage;
  const page = requestedPage(visit, context.settings);
  const { users, total } = await listCollaborators(context, repository, page);
  const levels = await collaboratorLevels(context, repository, users);
  const options = (['read', 'write', 'admin'] as const).map((level) => [level, text.levels[level]] as const);
  const change = ({ id, name }: User) => {
    const level = LEVEL_NAMES[levels.get(id) ?? 0];
    // Who left the organization is listed without rights.
    const shown = level === 'none' ? [[level, text.levels.none] as const, ...options] : options;
    return postForm(
      view,
      html`<input type="hidden" name="user" value="${name}"><select name="permission" aria-label="${text.permissionOf(name)}">${shown.map(
        ([value, label]) => html`<option value="${value}"${level === value && html` selected`}>${label}</option>`,
      )}</select> <button>${view.text.common.save}</button>`,
      { action: formPath(visit, 'collaboration', 'add'), className: 'inline-fields' },
    );
  };
  const rows = html`<ul class="rows box">${users.map(
    (user) => html`<li><div><a href="${path(view, encodeURIComponent(user.name))}"><strong>${user.name}</strong></a> ${user.full_name}</div>
<span class="push buttons">${change(user)}${actionButton(view, { action: formPath(visit, 'collaboration', 'remove'), label: text.removeShort, title: text.removeNamed(user.name), fields: { user: user.name }, className: 'danger' })}</span></li>`,
  )}</ul>`;
  const isAgain = problem?.form === 'add';
  const add = postForm(
    view,
    html`${field({ name: 'user', label: text.userName, value: isAgain ? fields.get('user') : '', isRequired: true, autocomplete: 'off' })}
${select({ name: 'permission', label: text.permission, value: (isAgain && fields.get('permission')) || 'write', options })}
<button class="primary">${text.addCollaborator}</button>`,
    { action: formPath(visit, 'collaboration', 'add') },
  );
  return html`<h3>${text.collaborators}</h3>${failed(view, problem, 'remove')}${listOrEmpty(visit, page, { total, rows, empty: text.noCollaborators })}
<h4>${text.addCollaborator}</h4>${failed(view, problem, 'add')}${add}`;
}

async function teams(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, repository, access, fields } = visit;
  const text = view.text.manage;
  const mayChange = mayChangeTeams(repository, access);
  const found = await teamsOfRepository(context, repository);
  const action = (form: string) => formPath(visit, 'collaboration', form);
  const removal = (name: string) =>
    actionButton(view, {
      action: action('teams/remove'),
      label: text.removeShort,
      title: text.removeNamed(name),
      fields: { team: name },
      className: 'danger',
    });
  const rows = html`<ul class="rows box">${found.map(
    (team) => html`<li><div><strong>${team.name}</strong> <span class="muted">${team.description}</span></div>
${mayChange && team.lower_name !== 'owners' && html`<span class="push">${removal(team.name)}</span>`}</li>`,
  )}</ul>`;
  const value = problem?.form === 'teams/add' ? fields.get('team') : '';
  const add = postForm(
    view,
    html`${field({ name: 'team', label: text.teamName, value, isRequired: true, autocomplete: 'off' })}
<button class="primary">${text.addTeam}</button>`,
    { action: action('teams/add') },
  );
  return html`<h3>${text.teams}</h3>${failed(view, problem, 'teams/remove')}${found.length > 0 ? rows : html`<p class="empty">${text.noTeams}</p>`}
${mayChange && html`<h4>${text.addTeam}</h4>${failed(view, problem, 'teams/add')}${add}`}`;
}
