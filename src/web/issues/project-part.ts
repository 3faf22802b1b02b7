import type { Context } from '../../context.ts';
import { forbidden, notFound } from '../../http/errors.ts';
import { canWriteIssue } from '../../issues/find.ts';
import { moveCard, setProject } from '../../projects/cards.ts';
import { listColumns } from '../../projects/columns.ts';
import type { Project } from '../../projects/find.ts';
import { type IssueProject, offeredProjects, projectOfIssue } from '../../projects/of-issues.ts';
import { actionButton, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { projectsPath } from '../projects/owner.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { icon } from '../view.ts';
import type { Action } from './action.ts';
import type { Conversation } from './conversation.ts';
import { sideForm, sidePart } from './side-part.ts';

/** The boards in the side bar. */
export interface ProjectData {
  /** Boards that the issue can be added to; undefined for users who may not. */
  readonly offered: readonly Project[] | undefined;
  /** The one that it is on. */
  readonly current: IssueProject | undefined;
  readonly columns: readonly { readonly id: number; readonly title: string }[];
}

/** Reads the boards for the side bar; undefined if there are none. */
export async function readProjects(
  { issue }: Conversation,
  context: Context,
  offered: readonly Project[] | undefined,
): Promise<ProjectData | undefined> {
  const current = await projectOfIssue(context, issue);
  if (!current && (offered ?? []).length === 0) return undefined;
  return { offered, current, columns: current ? await listColumns(context, current.project) : [] };
}

/** The board that an issue is on, and its column there. */
export function projectPart(conversation: Conversation, data: ProjectData | undefined): Html | false {
  if (!data) return false;
  const { view } = conversation.visit;
  const { projects: text } = view.text;
  const { current, offered, columns } = data;
  const shown = current
    ? html`<a href="${projectsPath(view, current.project.owner, current.project.id)}">${icon(view, 'project')} ${current.project.title}</a>
${columnChoice(conversation, current, columns)}`
    : html`<span class="muted">${text.noProject}</span>`;
  const value = current?.project.id ?? 0;
  const all = offered && [...(current && !offered.some(({ id }) => id === value) ? [current.project] : []), ...offered];
  const options = all && [['0', text.noProject] as const, ...all.map((project) => [String(project.id), nameOf(project)] as const)];
  const form =
    options && sideForm(conversation, 'project', select({ name: 'project', label: text.project, value: String(value), options }));
  return sidePart(conversation, text.project, shown, form ?? false);
}

/** Boards of an account begin with its name. */
export function nameOf({ title, owner }: Project): string {
  return 'account' in owner ? `${owner.account.name}: ${title}` : title;
}

function columnChoice(conversation: Conversation, { card, mayMove }: IssueProject, columns: ProjectData['columns']): Html {
  const { view } = conversation.visit;
  const current = columns.find(({ id }) => id === card.column_id);
  if (!mayMove) return html`<p class="muted">${current?.title}</p>`;
  return html`<details class="side-fold"><summary>${current?.title}</summary><ul class="plain-list">${columns.map(
    ({ id, title }) =>
      html`<li>${actionButton(view, { action: conversation.path, label: title, fields: { do: 'project-column', column: id }, className: 'link' })}</li>`,
  )}</ul></details>`;
}

/** The changes of the board of an issue. */
export const PROJECT_ACTIONS: Readonly<Record<string, Action>> = {
  project: {
    run: async (input, context) => {
      if (!canWriteIssue(input.visit.access, input.issue)) throw forbidden('user should have a permission to write to a repo');
      await setProject(context, input.issue, await chosenProject(input.visit, context));
      return undefined;
    },
  },
  'project-column': {
    run: async ({ issue, fields }, context) => {
      const current = await projectOfIssue(context, issue);
      if (!current) throw notFound();
      if (!current.mayMove) throw forbidden('user should have a permission to write projects');
      await moveCard(context, current.project, issue, { columnId: Number(fields.get('column')) });
      return undefined;
    },
  },
};

/** The board in a form; null for none. @throws HttpError 404 for one that is not offered */
export async function chosenProject({ fields, repository, access }: RepositoryVisit, context: Context): Promise<Project | null> {
  const id = Number(fields.get('project')) || 0;
  if (id === 0) return null;
  const found = (await offeredProjects(context, repository, access)).find((project) => project.id === id);
  if (!found) throw notFound();
  return found;
}
