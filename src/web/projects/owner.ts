import { type LoadedRepository, loadRepository, loadVisibleUser } from '../../access/load.ts';
import { notArchived } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import type { AccessLevel } from '../../database/tables/repositories.ts';
import { forbidden, notFound } from '../../http/errors.ts';
import type { AnyRoute, Requirement, RequirementInput } from '../../http/route.ts';
import { projectLevel } from '../../projects/access.ts';
import { findProjectOf, type Project, type ProjectOwner } from '../../projects/find.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { pageLoading, type ResourcePage, type Visit } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { path, type View } from '../view.ts';

/** The owner of boards, and the user's permissions there. */
interface LoadedOwner extends Partial<LoadedRepository> {
  readonly owner: ProjectOwner;
  readonly level: AccessLevel;
}

/** The request of a page about boards. */
export type ProjectsVisit = Visit & LoadedOwner;

const repositoryPlacePage = pageLoading<LoadedOwner>(async (params, context, url) => {
  const loaded = await loadRepository(params, context, url);
  const { repository, access } = loaded;
  const owner = { repository };
  return { ...loaded, owner, level: seen(await projectLevel(context, owner, access)) };
});

const accountPlacePage = pageLoading<LoadedOwner>(async (params, context, url) => {
  const { user } = await loadVisibleUser(params, context, url);
  const owner = { account: user };
  return { owner, level: seen(await projectLevel(context, owner)) };
});

/** There are no boards if the caller may not see them. */
function seen(level: AccessLevel): AccessLevel {
  if (level === 0) throw notFound();
  return level;
}

/** A page about boards of repositories and of accounts. @param page its path follows `projects` */
export function projectsPages(page: ResourcePage<ProjectsVisit>): AnyRoute[] {
  return [
    ...repositoryPlacePage({ ...page, path: `/:owner/:repo/projects${page.path}` }),
    ...accountPlacePage({ ...page, path: `/:username/-/projects${page.path}` }),
  ];
}

/** The reader may change boards here. */
export const writesProjects: Requirement = {
  name: 'projects-write',
  check: (input: RequirementInput, context) => {
    const { level = 0, repository } = input as RequirementInput & Partial<LoadedOwner>;
    if (level < 2) throw forbidden('user should have a permission to write projects');
    if (repository) return notArchived.check(input, context);
  },
};

/** Whether the reader may change boards here. */
export function mayWrite({ level, repository }: ProjectsVisit): boolean {
  return level >= 2 && !repository?.is_archived;
}

/** The board that a path names. @throws HttpError 404 */
export async function projectOf({ owner, params }: ProjectsVisit, context: Context): Promise<Project> {
  const id = Number(params.id);
  const found = Number.isSafeInteger(id) ? await findProjectOf(context, owner, id) : undefined;
  if (!found) throw notFound();
  return found;
}

/** The path of an owner's boards. @param rest the part after `projects`, such as `1/edit` */
export function projectsPath(view: View, owner: ProjectOwner, rest: string | number = ''): string {
  const own =
    'repository' in owner
      ? repositoryPath(view, owner.repository, 'projects')
      : path(view, `${encodeURIComponent(owner.account.name)}/-/projects`);
  return rest === '' ? own : `${own}/${rest}`;
}

/** The query of a request: the filter of a board, its column and its page. */
export function queryOf({ request }: ProjectsVisit): string {
  return new URL(request.url).search;
}

/** A page about boards: under the tabs of its repository, or the name of its account. */
export async function projectsDocument(visit: ProjectsVisit, context: Context, document: Document): Promise<Document> {
  const { view, owner, repository, access } = visit;
  if (repository && access) return repositoryDocument({ ...visit, repository, access }, context, { ...document, tab: 'projects' });
  const name = 'account' in owner ? owner.account.name : '';
  return {
    layout: 'page',
    ...document,
    title: `${document.title} - ${name}`,
    banner: html`<div class="banner"><div class="head"><h1><a href="${path(view, encodeURIComponent(name))}">${name}</a> / <a href="${projectsPath(view, owner)}">${view.text.projects.projects}</a></h1></div></div>`,
  };
}
