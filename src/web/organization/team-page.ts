import { isTeamMember } from '../../access/find-organization.ts';
import { orgMember, orgOwner, orgVisible, signedIn, teamMember } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { HttpError, unprocessable } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute, Requirement } from '../../http/route.ts';
import { inviteToTeam, withdrawInvitation } from '../../organizations/invitations/invitations.ts';
import { addTeamMember, listTeamMembers, removeTeamMember } from '../../organizations/teams/members.ts';
import { addTeamRepository, removeTeamRepository } from '../../organizations/teams/repositories.ts';
import { findAdministered } from '../../repositories/team-repositories/find.ts';
import { listTeamRepositories } from '../../repositories/team-repositories/list.ts';
import { avatar } from '../components/avatar.ts';
import { fault } from '../components/fault.ts';
import { actionButton, field, postForm } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { namedUser } from '../manage/blocks.ts';
import { seeOther } from '../page.ts';
import { type TeamVisit, teamPage } from '../resource-pages.ts';
import { path } from '../view.ts';
import { organizationDocument } from './frame.ts';
import { invitationSection } from './invitations.ts';
import { decidesTeams, teamPagePath } from './teams.ts';

const NEEDS = [signedIn, orgVisible(), orgMember, teamMember] as const;
type Tab = 'members' | 'repositories';

/** A team: its members and its repositories. */
export const teamContentPages: readonly AnyRoute[] = [
  ...teamPage({ path: '/org/:org/teams/:team', needs: NEEDS, get: (visit, context) => show(visit, context, 'members') }),
  ...teamPage({ path: '/org/:org/teams/:team/repositories', needs: NEEDS, get: (visit, context) => show(visit, context, 'repositories') }),
  ...action('join', [orgOwner], 'members', ({ team }, context) => addTeamMember(context, team, signedInActor(context))),
  ...action('add', [orgOwner], 'members', async (visit, context) => addTeamMember(context, visit.team, await namedUser(visit, context))),
  ...action('remove', [orgOwner], 'members', async (visit, context) =>
    removeTeamMember(context, visit.team, await namedUser(visit, context)),
  ),
  ...action('invite', [orgOwner], 'members', ({ organization, team, fields }, context) =>
    inviteToTeam(context, organization, team, signedInActor(context), fields.get('email')?.trim() ?? ''),
  ),
  ...action('remove_invite', [orgOwner], 'members', ({ team, fields }, context) =>
    withdrawInvitation(context, team, pathId(fields.get('iid') ?? '')),
  ),
  ...action('leave', [], 'members', async ({ team, organization }, context) => {
    const actor = signedInActor(context);
    await removeTeamMember(context, team, actor);
    // A user without another team is no longer a member, and may not see the organization.
    return actor.is_admin
      ? teamPagePath(organization, team)
      : organization.visibility === 'private'
        ? ''
        : encodeURIComponent(organization.name);
  }),
  ...action('repo/add', [], 'repositories', async (visit, context) =>
    addTeamRepository(context, visit.team, await findAdministered(context, visit.organization, repositoryName(visit))),
  ),
  ...action('repo/remove', [], 'repositories', async (visit, context) =>
    removeTeamRepository(context, visit.team, await findAdministered(context, visit.organization, repositoryName(visit))),
  ),
];

/** Only the name, if the owner is typed with it. */
function repositoryName({ fields }: TeamVisit): string {
  return (fields.get('repo_name')?.trim() ?? '').split('/').at(-1) ?? '';
}

function action(
  name: string,
  needs: readonly Requirement[],
  tab: Tab,
  act: (visit: TeamVisit, context: Context) => Promise<unknown>,
): AnyRoute[] {
  return teamPage({
    path: `/org/:org/teams/:team/action/${name}`,
    needs: [...NEEDS, ...needs],
    post: async (visit, context) => {
      try {
        const target = await act(visit, context);
        const { organization, team } = visit;
        return seeOther(context, typeof target === 'string' ? target : teamPagePath(organization, team, tab === 'members' ? '' : tab));
      } catch (error) {
        if (!(error instanceof HttpError) || ![403, 404, 422].includes(error.status)) throw error;
        return show(visit, context, tab, error.status === 404 ? unprocessable(visit.view.text.owners.noRepository) : error);
      }
    },
  });
}

async function show(visit: TeamVisit, context: Context, tab: Tab, problem?: HttpError): Promise<Document> {
  const { view, organization, team } = visit;
  const { owners: text, people, common } = view.text;
  const own = path(view, teamPagePath(organization, team));
  const decides = await decidesTeams(context, visit);
  const isIn = await isTeamMember(context.db, team.id, signedInActor(context).id);
  const body = tab === 'members' ? await members(visit, context, own, decides) : await repositories(visit, context, own);
  const links = [
    { href: own, label: people.members, isCurrent: tab === 'members', count: team.members_count },
    { href: `${own}/repositories`, label: people.repositories, isCurrent: tab === 'repositories', count: team.repos_count },
  ];
  const content = html`<h2>${team.name}</h2>${team.description !== '' && html`<p>${team.description}</p>`}
<div class="buttons">${decides && html`<a class="button" href="${own}/edit">${common.edit}</a>`}
${isIn ? actionButton(view, { action: `${own}/action/leave`, label: text.leaveTeam, className: 'danger' }) : decides && actionButton(view, { action: `${own}/action/join`, label: text.joinTeam })}</div>
${tabs(view, team.name, links)}${problem && fault(view, problem.message)}<div class="tab-body">${body}</div>`;
  return organizationDocument(visit, context, organization, 'teams', content, { title: team.name, ...(problem && { status: 422 }) });
}

async function members(visit: TeamVisit, context: Context, own: string, decides: boolean): Promise<Html> {
  const { view, team, fields } = visit;
  const { owners: text, manage } = view.text;
  const page = requestedPage(visit, context.settings);
  const { users, total } = await listTeamMembers(context, team, page);
  const removal = ({ name }: User) =>
    actionButton(view, {
      action: `${own}/action/remove`,
      label: manage.removeShort,
      title: manage.removeNamed(name),
      fields: { user: name },
      className: 'danger',
    });
  const rows = html`<ul class="rows box">${users.map(
    (
      user,
    ) => html`<li>${avatar(view, presentUser(context, user), 24)} <a href="${path(view, encodeURIComponent(user.name))}"><strong>${user.name}</strong></a> ${user.full_name}
${decides && html`<span class="push">${removal(user)}</span>`}</li>`,
  )}</ul>`;
  const typed = visit.request.method === 'POST' ? fields.get('user') : '';
  const add = html`${field({ name: 'user', label: manage.userName, value: typed, isRequired: true, maxLength: 255, autocomplete: 'off' })}<button class="primary">${text.addMember}</button>`;
  return html`${listOrEmpty(visit, page, { total, rows, empty: view.text.people.noPeople })}
${decides && html`<h3>${text.addMember}</h3>${postForm(view, add, { action: `${own}/action/add` })}${await invitationSection(visit, context, own)}`}`;
}

async function repositories(visit: TeamVisit, context: Context, own: string): Promise<Html> {
  const { view, team, fields } = visit;
  const { owners: text, manage } = view.text;
  const page = requestedPage(visit, context.settings);
  const { repositories: found, access, total } = await listTeamRepositories(context, team, page);
  const removal = (name: string) =>
    actionButton(view, {
      action: `${own}/action/repo/remove`,
      label: manage.removeShort,
      title: manage.removeNamed(name),
      fields: { repo_name: name },
      className: 'danger',
    });
  const rows = html`<ul class="rows box">${found.map(
    (
      repository,
    ) => html`<li><div><a href="${path(view, `${encodeURIComponent(repository.owner.name)}/${encodeURIComponent(repository.name)}`)}"><strong>${repository.name}</strong></a>
<span class="muted">${repository.description}</span></div>
${!team.includes_all_repositories && access.get(repository.id)?.isAdmin && html`<span class="push">${removal(repository.name)}</span>`}</li>`,
  )}</ul>`;
  const typed = visit.request.method === 'POST' ? fields.get('repo_name') : '';
  const add = html`${field({ name: 'repo_name', label: text.repositoryName, value: typed, isRequired: true, maxLength: 255, autocomplete: 'off' })}<button class="primary">${text.addRepository}</button>`;
  return html`${team.includes_all_repositories && html`<p>${text.hasAll}</p>`}${listOrEmpty(visit, page, { total, rows, empty: view.text.people.noRepositories })}
${!team.includes_all_repositories && html`<h3>${text.addRepository}</h3>${postForm(view, add, { action: `${own}/action/repo/add` })}`}`;
}
