import { isOrganizationOwner } from '../../access/find-organization.ts';
import { orgMember, orgVisible, signedIn, teamMember } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { HttpError } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listTeams } from '../../organizations/teams/list.ts';
import { presentTeam } from '../../organizations/teams/present.ts';
import { teamOptionsFrom } from '../../organizations/teams/routes.ts';
import { CreateTeamOption, EditTeamOption } from '../../organizations/teams/schema.ts';
import { createTeam, deleteTeam, editTeam } from '../../organizations/teams/teams.ts';
import { fault } from '../components/fault.ts';
import { postForm } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { type OrganizationVisit, organizationPage, type TeamVisit, teamPage } from '../resource-pages.ts';
import { path } from '../view.ts';
import { organizationDocument, organizationPagePath } from './frame.ts';
import { OWNER_NEEDS } from './settings-frame.ts';
import { FRESH_TEAM, readTeam, type ShownTeam, teamFields } from './team-form.ts';

const MEMBER_NEEDS = [signedIn, orgVisible(), orgMember] as const;

/** The teams of an organization: the list, and making, changing and deleting one. */
export const teamPages: readonly AnyRoute[] = [
  ...organizationPage({ path: '/org/:org/teams', needs: MEMBER_NEEDS, get: list }),
  ...organizationPage({
    path: '/org/:org/teams/new',
    needs: OWNER_NEEDS,
    get: async (visit, context) => form(visit, context, { shown: FRESH_TEAM }),
    post: create,
  }),
  ...teamPage({
    path: '/org/:org/teams/:team/edit',
    needs: [...OWNER_NEEDS, teamMember],
    get: async (visit, context) => editForm(visit, context),
    post: change,
  }),
  ...teamPage({ path: '/org/:org/teams/:team/delete', needs: [...OWNER_NEEDS, teamMember], post: remove }),
];

/** Whether the caller decides about the teams of an organization. */
export async function decidesTeams({ actor, db }: Context, { organization }: OrganizationVisit): Promise<boolean> {
  return actor !== null && (actor.is_admin || (await isOrganizationOwner(db, organization.id, actor.id)));
}

/** The path of a page of a team, from the root of the instance. */
export function teamPagePath(
  organization: OrganizationVisit['organization'],
  { lower_name: name }: { lower_name: string },
  rest = '',
): string {
  return organizationPagePath(organization, `teams/${encodeURIComponent(name)}${rest && `/${rest}`}`);
}

async function list(visit: OrganizationVisit, context: Context): Promise<Document> {
  const { view, organization } = visit;
  const { people, owners: text } = view.text;
  const page = requestedPage(visit, context.settings);
  const { teams, total } = await listTeams(context, { organizationId: organization.id }, page);
  const rows = html`<ul class="rows box">${teams.map(
    (
      team,
    ) => html`<li><div><a href="${path(view, teamPagePath(organization, team))}"><strong>${team.name}</strong></a> <span class="muted">${team.description}</span></div>
<span class="push muted nowrap">${people.teamMembers(team.members_count)} · ${text.repositoryCount(team.repos_count)}</span></li>`,
  )}</ul>`;
  const add = html`<p><a class="button primary" href="${path(view, organizationPagePath(organization, 'teams/new'))}">${text.newTeam}</a></p>`;
  const content = html`${(await decidesTeams(context, visit)) && add}${listOrEmpty(visit, page, { total, rows, empty: people.noTeams })}`;
  return organizationDocument(visit, context, organization, 'teams', content, { title: people.teams });
}

async function create(visit: OrganizationVisit, context: Context): Promise<Reply> {
  const { organization, fields } = visit;
  const shown = readTeam(fields);
  try {
    const body = bindValue(CreateTeamOption, { ...shown, permission: undefinedUnless(shown) });
    const team = await createTeam(context, organization, { ...teamOptionsFrom(body), name: body.name });
    return seeOther(context, teamPagePath(organization, team));
  } catch (error) {
    return form(visit, context, { shown, problem: refusal(error) });
  }
}

/** The schema only has the level of the whole team; units determine the rest. */
function undefinedUnless({ permission }: ShownTeam) {
  return permission === 'admin' ? 'admin' : undefined;
}

async function change(visit: TeamVisit, context: Context): Promise<Reply> {
  const { organization, fields, team } = visit;
  const shown = readTeam(fields);
  try {
    const body = bindValue(EditTeamOption, { ...shown, permission: undefinedUnless(shown) });
    // A team of administrators becomes another by a permission that is said.
    const options = { ...teamOptionsFrom(body), permission: shown.permission };
    return seeOther(context, teamPagePath(organization, await editTeam(context, team, options)));
  } catch (error) {
    return editForm(visit, context, refusal(error), shown);
  }
}

async function remove(visit: TeamVisit, context: Context): Promise<Reply> {
  const { organization, fields, team, view } = visit;
  if (fields.get('name') !== team.name) return editForm(visit, context, view.text.manage.nameDiffers);
  try {
    await deleteTeam(context, team);
    return seeOther(context, organizationPagePath(organization, 'teams'));
  } catch (error) {
    return editForm(visit, context, refusal(error));
  }
}

/** The message of an error that the user can correct; others are thrown on. */
function refusal(error: unknown): string {
  if (!(error instanceof HttpError) || error.status !== 422) throw error;
  return error.message;
}

async function editForm(visit: TeamVisit, context: Context, problem?: string, typed?: ShownTeam): Promise<Document> {
  const { view, organization, team } = visit;
  const isOwners = team.access_level === 4;
  const own = path(view, teamPagePath(organization, team));
  const { owners: text, manage } = view.text;
  const removal = html`<section class="danger-zone" aria-labelledby="delete"><h3 id="delete">${text.deleteTeam}</h3><p>${text.deleteTeamHint}</p>
${postForm(view, html`${html`<div class="field"><label for="delete-name">${manage.typeName(team.name)}</label><input id="delete-name" name="name" required autocomplete="off"></div>`}<button class="danger">${text.deleteTeam}</button>`, { action: `${own}/delete` })}</section>`;
  const shown = typed ?? (await presentTeam(context, team, { organization: false }));
  return form(visit, context, { shown, problem, isOwners, action: `${own}/edit`, heading: team.name, after: !isOwners && removal });
}

interface TeamForm {
  readonly shown: ShownTeam;
  readonly problem?: string | undefined;
  readonly isOwners?: boolean;
  readonly action?: string;
  readonly heading?: string;
  readonly after?: Html | false;
}

function form(visit: OrganizationVisit, context: Context, { shown, problem, isOwners = false, action, heading, after = false }: TeamForm) {
  const { view, organization } = visit;
  const { owners: text } = view.text;
  const title = heading ?? text.newTeam;
  const target = action ?? path(view, organizationPagePath(organization, 'teams/new'));
  const save = html`${teamFields(view, shown, { isOwners })}<button class="primary">${heading === undefined ? text.newTeam : view.text.common.save}</button>`;
  const content = html`<h2>${title}</h2>${problem !== undefined && fault(view, problem)}${postForm(view, save, { action: target })}${after}`;
  return organizationDocument(visit, context, organization, 'teams', content, { title, ...(problem !== undefined && { status: 422 }) });
}
