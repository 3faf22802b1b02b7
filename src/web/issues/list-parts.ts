import type { Context } from '../../context.ts';
import { countMatching } from '../../issues/list.ts';
import { tabs } from '../components/tabs.ts';
import { type Html, html } from '../html.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import type { View } from '../view.ts';
import { choiceFields, choiceQuery, filterOf, type ListChoice } from './list-choice.ts';
import type { RowOptions } from './rows.ts';
import { savedMenu } from './saved-queries.ts';

/** A list of issues or of pull requests. */
export interface ChosenList {
  /** The path of the list. */
  readonly base: string;
  readonly choice: ListChoice;
  readonly isPull: boolean;
}

/** The field that searches a list; the rest of the choice stays. */
export function searchForm({ base, choice }: ChosenList, label: string): Html {
  const others = choiceFields(choice).filter(([name]) => name !== 'q');
  return html`<form class="list-search" role="search" action="${base}" aria-label="${label}">${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="search" name="q" value="${choice.q}" maxlength="1000" aria-label="${label}" placeholder="${label}"></form>`;
}

/** The tabs of the states with how many there are of each. @param total those of the chosen state */
export async function stateTabs(
  visit: RepositoryVisit,
  context: Context,
  { base, choice, isPull }: ChosenList,
  total: number,
): Promise<Html> {
  const { view, repository } = visit;
  const { issues: text } = view.text;
  const countOf = async (state: 'open' | 'closed') =>
    choice.state === state ? total : countMatching(context, repository, await filterOf(context, visit, { ...choice, state }, isPull));
  const [open, closed] = [await countOf('open'), await countOf('closed')];
  const tab = (state: ListChoice['state'], label: string) => ({
    href: base + choiceQuery({ ...choice, state }),
    label,
    isCurrent: choice.state === state,
  });
  return tabs(view, text.states, [tab('open', text.open(open)), tab('closed', text.closed(closed)), tab('all', text.all)]);
}

/** The filters that the reader keeps of a list. */
export function savedOf({ view, repository }: RepositoryVisit, context: Context, { choice, isPull }: ChosenList): Promise<Html | false> {
  return savedMenu(view, context, { repository, isPull, query: choiceQuery(choice) });
}

/** Where the labels and milestones of rows lead: to the same list, narrowed to them. */
export function rowLinks({ base, choice }: ChosenList): Pick<RowOptions, 'labelHref' | 'milestoneHref'> {
  return {
    labelHref: (id) => base + choiceQuery({ ...choice, labels: [...new Set([...choice.labels, id])] }),
    milestoneHref: (id) => base + choiceQuery({ ...choice, milestone: id }),
  };
}

/** The text in place of a list without results. */
export function noneMatch({ text: { issues } }: View, base: string): Html {
  return html`<div class="empty plain-empty"><p>${issues.noneMatch}</p><a href="${base}">${issues.clearFilters}</a></div>`;
}
