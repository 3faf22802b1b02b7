import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { IssueFilter } from '../../issues/issue-filter.ts';
import { presentIssues } from '../../issues/present.ts';
import { searchIssues } from '../../issues/search/search.ts';
import { number } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { issueRows } from '../issues/rows.ts';
import { pullFacts } from '../pulls/row-facts.ts';
import { path, type View } from '../view.ts';

/** Rows of each kind; the lists of all of them are a link away. */
const PAGE = { page: 1, limit: 5, offset: 0 };

/** The pending work of the user: requested reviews and assigned issues. */
export async function waiting(view: View, context: Context, user: User): Promise<Html> {
  const { people: text } = view.text;
  const part = async (title: string, href: string, filter: IssueFilter) => {
    const { issues, total } = await searchIssues(context, { ...filter, isClosed: false }, {}, PAGE);
    return (
      total > 0 &&
      html`<section class="box" aria-label="${title}"><header><h2 class="bar-title">${title}</h2> <span class="count">${number(view, total)}</span>
${total > issues.length && html`<a class="push" href="${path(view, href)}">${text.showAll}</a>`}</header>${issueRows(view, await presentIssues(context, issues), { withRepository: true, more: await pullFacts(view, context, issues) })}</section>`
    );
  };
  return html`${await part(text.reviewsWaiting, 'pulls?type=review_requested', { isPull: true, reviewRequestedId: user.id })}
${await part(text.issuesWaiting, 'issues?type=assigned', { isPull: false, assigneeId: user.id })}
${await part(text.pullsWaiting, 'pulls?type=assigned', { isPull: true, assigneeId: user.id })}`;
}
