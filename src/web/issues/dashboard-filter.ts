import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { FormFields } from '../../http/bodies/fields.ts';
import type { IssueFilter } from '../../issues/issue-filter.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import { type Choices, labelsOfOrganization } from './choices.ts';
import { cardFilter, choiceFields, type ListChoice, readChoice, userId } from './list-choice.ts';
import { assigneeMenu, chosen, labelMenu, personMenu } from './list-filters.ts';

/** How the user is involved in the listed issues and pull requests; the values of the parameter `type`. */
export const SCOPES = ['created_by', 'assigned', 'mentioned', 'your_repositories', 'review_requested', 'reviewed_by'] as const;
export type Scope = (typeof SCOPES)[number];

/** The filter and order of issues of all repositories, as in the URL. */
export interface DashboardChoice extends ListChoice {
  readonly scope: Scope;
}

/** Parses it from the query. Who is chosen by the scope already is not chosen again. */
export function readDashboardChoice(fields: FormFields, scope: Scope): DashboardChoice {
  const choice = readChoice(fields, null);
  return {
    ...choice,
    scope,
    state: choice.state === 'closed' ? 'closed' : 'open',
    poster: scope === 'created_by' ? '' : choice.poster,
    assignee: scope === 'assigned' ? '' : choice.assignee,
    mentioned: '',
    milestone: undefined,
    project: undefined,
  };
}

/** The choice as fields of a form. @param first the default scope */
export function dashboardFields({ scope, ...choice }: DashboardChoice, first: Scope): (readonly [string, string])[] {
  return [...(scope === first ? [] : [['type', scope] as const]), ...choiceFields(choice)];
}

/** The choice as a filter for the user, without the state. */
export async function dashboardFilter(context: Context, choice: DashboardChoice, id: number): Promise<IssueFilter> {
  return { ...(await cardFilter(context, choice)), authorId: await userId(context, choice.poster), ...filterOf(choice.scope, id) };
}

function filterOf(scope: Scope, id: number): IssueFilter {
  if (scope === 'assigned') return { assigneeId: id };
  if (scope === 'mentioned') return { mentionedId: id };
  if (scope === 'review_requested') return { reviewRequestedId: id };
  if (scope === 'reviewed_by') return { reviewedById: id };
  return scope === 'created_by' ? { authorId: id } : {};
}

/** The menus of labels and people above the list, and the active filters. @param to the URL of the list with another choice */
export async function dashboardMenus(
  view: View,
  context: Context,
  choice: DashboardChoice,
  { organization, to }: { organization: User | undefined; to: (change: Partial<DashboardChoice>) => string },
): Promise<{ menus: Html; chosen: Html | false }> {
  const { issues } = view.text;
  const choices: Choices = {
    projects: [],
    labels: organization ? await labelsOfOrganization(context, organization) : [],
    milestones: [],
    assignees: [],
    // Those of all repositories are chosen by their names.
    hasMore: { labels: false, assignees: true },
  };
  const menus = html`<div class="row board-filters" role="group" aria-label="${issues.filters}">${choices.labels.length > 0 && labelMenu(view, choice, choices, to)}
${choice.scope !== 'created_by' && personMenu(view, choice, 'poster', issues.author, to)}
${choice.scope !== 'assigned' && assigneeMenu(view, choice, choices, to)}</div>`;
  const nothing = { labels: [], withoutLabels: [], isUnlabelled: false, poster: '', assignee: '' };
  return { menus, chosen: chosen(view, to(nothing), choice, choices, to) };
}
