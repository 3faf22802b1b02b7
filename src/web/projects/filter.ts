import { presentUsers } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { type FormFields, NO_FIELDS } from '../../http/bodies/fields.ts';
import { listMilestonesEverywhere } from '../../issues/milestones/everywhere.ts';
import { presentMilestone } from '../../issues/milestones/present.ts';
import { assigneesOnBoard } from '../../projects/board.ts';
import type { Project } from '../../projects/find.ts';
import { type Html, html } from '../html.ts';
import { type Choices, choicesOf, labelsOfOrganization } from '../issues/choices.ts';
import { choiceFields, type ListChoice, readChoice } from '../issues/list-choice.ts';
import { assigneeMenu, chosen, type LinkTo, labelMenu, milestoneMenu } from '../issues/list-filters.ts';
import type { ProjectsVisit } from './owner.ts';

/** Maximum number of options in a menu of each kind. */
const MAX_CHOICES = 100;
const PAGE = { page: 1, limit: MAX_CHOICES, offset: 0 };

/** The filter of a board, a part of that of issue lists; cards of every state are shown, in their own order. */
export function boardChoice(fields: FormFields): ListChoice {
  const others = { project: undefined, poster: '', mentioned: '', review: undefined };
  return { ...readChoice(fields, null), ...others, state: 'open', sort: 'newest' };
}

const NOTHING = boardChoice(NO_FIELDS);

/** The URL of a board with a filter. @param column the one that is shown; undefined for all */
export function boardUrl(own: string, choice: ListChoice, column?: number): string {
  const fields = [...(column === undefined ? [] : [['column', String(column)] as const]), ...choiceFields(choice)];
  return fields.length === 0 ? own : `${own}?${new URLSearchParams(fields.map(([name, value]) => [name, value]))}`;
}

/** The search and the menus above a board, and the active filters. */
export interface BoardFilter {
  readonly menus: Html;
  readonly chosen: Html | false;
}

/** A board that is shown. */
export interface FilteredBoard {
  readonly project: Project;
  /** Its path. */
  readonly own: string;
  readonly choice: ListChoice;
  /** The column that is shown; undefined for all. */
  readonly column: number | undefined;
}

/** Makes the filter of a board. */
export async function boardFilter(
  visit: ProjectsVisit,
  context: Context,
  { project, own, choice, column }: FilteredBoard,
): Promise<BoardFilter> {
  const { view } = visit;
  const { projects: text, issues } = view.text;
  const choices = await boardChoices(visit, context, project);
  const to: LinkTo = (change) => boardUrl(own, { ...choice, ...change }, column);
  const kept = choiceFields(choice).filter(([name]) => name !== 'q');
  const hidden = [...(column === undefined ? [] : [['column', String(column)] as const]), ...kept];
  return {
    menus: html`<form class="list-search" role="search" action="${own}" aria-label="${text.filter}">${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="search" name="q" value="${choice.q}" maxlength="1000" aria-label="${text.filter}" placeholder="${text.filter}"></form>
<div class="row board-filters" role="group" aria-label="${issues.filters}">${choices.labels.length > 0 && labelMenu(view, choice, choices, to)}${milestoneMenu(view, choice, choices, to)}${assigneeMenu(view, choice, choices, to)}</div>`,
    chosen: chosen(view, boardUrl(own, NOTHING, column), choice, choices, to),
  };
}

async function boardChoices({ repository, access, owner }: ProjectsVisit, context: Context, project: Project): Promise<Choices> {
  if (repository && access) return { ...(await choicesOf(context, { repository, access })), projects: [] };
  const account = 'account' in owner ? owner.account : undefined;
  return {
    projects: [],
    labels: account?.type === 'organization' ? await labelsOfOrganization(context, account) : [],
    milestones: account && context.actor ? await milestonesOf(context, account) : [],
    assignees: presentUsers(context, await assigneesOnBoard(context, project, MAX_CHOICES)),
  };
}

/** Those of all repositories of the owner, with the names of these. */
async function milestonesOf(context: Context, account: User) {
  const { milestones } = await listMilestonesEverywhere(context, { organization: account }, PAGE, 'name');
  return milestones.map(({ milestone, repository }) => {
    const shown = presentMilestone(milestone);
    return { ...shown, title: `${repository.name}: ${shown.title}` };
  });
}
