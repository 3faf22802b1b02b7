import type { Repository } from '../access/find-repository.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import type { CommentRow } from '../database/tables/issues.ts';
import type { ProjectCardRow } from '../database/tables/projects.ts';
import type { Issue } from '../issues/find.ts';
import { projectLevel, showsProjects } from './access.ts';
import { cardOf } from './cards.ts';
import { findProjects, type Project, type ProjectOwner } from './find.ts';
import { listProjects } from './projects.ts';

/** Maximum number of boards offered for each location. */
const PAGE = { page: 1, limit: 100, offset: 0 };

/** Boards for issues of a repository that the caller may see: those of the repository, then its owner's; the open ones first. */
export async function offeredProjects(context: Context, repository: Repository, access: RepositoryAccess): Promise<Project[]> {
  const own = (await projectLevel(context, { repository }, access)) > 0;
  const owners: ProjectOwner[] = own ? [{ repository }] : [];
  if (access.canRead('projects') && showsProjects(repository, 'owner')) {
    const owner = { account: repository.owner };
    if ((await projectLevel(context, owner)) > 0) owners.push(owner);
  }
  const lists: Project[] = [];
  for (const owner of owners) lists.push(...(await listProjects(context, owner, {}, PAGE)).projects);
  return lists.toSorted((a, b) => Number(a.is_closed) - Number(b.is_closed));
}

/** The boards that rows of timelines are about, that the caller may see, by their ids. */
export async function projectsOfRows(context: Context, rows: readonly CommentRow[]): Promise<Map<number, Project>> {
  const found = await findProjects(
    context,
    rows.flatMap(({ old_project_id: before, project_id: after }) => [before, after].filter((id) => id !== null)),
  );
  for (const [id, { owner }] of found) if ((await projectLevel(context, owner)) === 0) found.delete(id);
  return found;
}

/** The position of an issue on a board. */
export interface IssueProject {
  readonly project: Project;
  readonly card: ProjectCardRow;
  /** Whether the caller may move its card. */
  readonly mayMove: boolean;
}

/** The board that an issue is on, if the caller may see it. */
export async function projectOfIssue(context: Context, issue: Issue): Promise<IssueProject | undefined> {
  const card = await cardOf(context, issue.id);
  const project = card && (await findProjects(context, [card.project_id])).get(card.project_id);
  if (!project) return undefined;
  const level = await projectLevel(context, project.owner);
  return level === 0 ? undefined : { project, card, mayMove: level >= 2 && !issue.repository.is_archived };
}
