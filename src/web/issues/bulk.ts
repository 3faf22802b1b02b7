import { findUsersById } from '../../access/find-user.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { assigneesOf, findAssignable } from '../../issues/assignees/assignees.ts';
import { editIssue, type IssueChanges } from '../../issues/edit.ts';
import { changingIssue, findIssue, type Issue } from '../../issues/find.ts';
import { addLabels, removeLabels, usableLabels } from '../../issues/issue-labels/issue-labels.ts';
import { findMilestone } from '../../issues/milestones/find.ts';
import { setProject } from '../../projects/cards.ts';
import type { Project } from '../../projects/find.ts';
import { postForm } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { seeOther } from '../page.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import type { View } from '../view.ts';
import type { Choices } from './choices.ts';
import { chosenProject, nameOf } from './project-part.ts';

/** Maximum number of issues that one form changes: a page of them. */
const MAX_ISSUES = 100;

/** The id of the form, by which the boxes of the rows name it. */
export const BULK = 'bulk';

/**
 * The form that changes the selected issues or pull requests, in the head of their list. The style sheet shows it in place of
 * the rest of the head while any is selected.
 */
export function bulkForm(view: View, { labels, milestones, assignees, projects }: Choices): Html {
  const { issues: text, projects: boards } = view.text;
  const field = (name: string, label: string, options: readonly (readonly [value: string, label: string])[]) =>
    html`<select name="${name}" aria-label="${label}"><option value="">${label}</option>${options.map(
      ([value, shown]) => html`<option value="${value}">${shown}</option>`,
    )}</select>`;
  const named = labels.map((label) => [String(label.id), label.name] as const);
  const people = assignees.map(({ login }) => [login, login] as const);
  const fields = html`<strong>${text.changeSelected}</strong>
${field('state', text.states, [
  ['closed', text.close],
  ['open', text.reopen],
])}
${field('add_label', text.addLabel, named)}
${field('remove_label', text.removeLabel, named)}
${field('milestone', text.milestone, [['0', text.noMilestone], ...milestones.map(({ id, title }) => [String(id), title] as const)])}
${projects.length > 0 && field('project', boards.project, [['0', boards.noProject], ...projects.map((project) => [String(project.id), nameOf(project)] as const)])}
${field('assignee', text.assignee, [['0', text.nobody], ...people.map(([value, name]) => [`@${value}`, name] as const)])}
<button>${text.apply}</button>`;
  return html`<input type="checkbox" class="check-all" data-check-all="${BULK}" aria-label="${text.selectAll}" hidden>${postForm(view, fields, { id: BULK, className: 'bulk' })}`;
}

/** Changes the issues or pull requests that the form names, all of them or none. */
export async function changeSelected(visit: RepositoryVisit, context: Context, isPull: boolean): Promise<HttpResponse> {
  const { fields, repository, view } = visit;
  const numbers = [...new Set(fields.all('issue').slice(0, MAX_ISSUES).map(Number))].filter((number) => Number.isSafeInteger(number));
  const found = await Promise.all(numbers.map((number) => findIssue(context.db, repository, number)));
  const issues = found.filter((issue) => issue !== undefined).filter((issue) => issue.is_pull === isPull);
  const change = await readChange(context, issues[0], visit);
  if (issues.length > 0) {
    await inTransaction(context, async (context) => {
      for (const issue of issues) await changeOne(context, issue, change);
    });
  }
  return seeOther(context, backTo(view, issues.length));
}

/** Redirects to the list as it was, with the number of changed issues. */
function backTo({ here, root }: View, count: number): string {
  const [pathname = '', search = ''] = here.slice(root.length).split('?', 2);
  const parameters = new URLSearchParams(search);
  parameters.set('changed', String(count));
  return `${pathname}?${parameters}`;
}

interface BulkChange extends IssueChanges {
  readonly add: Awaited<ReturnType<typeof usableLabels>>;
  readonly remove: Awaited<ReturnType<typeof usableLabels>>;
  /** The additional assignee; null removes all assignees. */
  readonly assignee: User | null | undefined;
  /** The board that they are put on; null for none. */
  readonly project: Project | null | undefined;
}

async function readChange(context: Context, issue: Issue | undefined, visit: RepositoryVisit): Promise<BulkChange> {
  const { fields } = visit;
  const none: BulkChange = { add: [], remove: [], assignee: undefined, project: undefined };
  if (!issue) return none;
  const { repository } = issue;
  const labels = (name: string) => usableLabels(context, issue, [Number(fields.get(name)) || 0]);
  const state = fields.get('state');
  const milestone = fields.get('milestone') ?? '';
  const assignee = fields.get('assignee') ?? '';
  const known = /^[1-9]\d{0,14}$/.test(milestone) ? await findMilestone(context.db, repository.id, Number(milestone)) : undefined;
  const [user] = assignee.startsWith('@') ? await findAssignable(context, repository, [assignee.slice(1)]) : [];
  return {
    add: await labels('add_label'),
    remove: await labels('remove_label'),
    assignee: assignee === '0' ? null : user,
    project: fields.get('project') ? await chosenProject(visit, context) : undefined,
    ...((state === 'open' || state === 'closed') && { state }),
    ...(milestone === '0' && { milestoneId: null }),
    ...(known && { milestoneId: known.id }),
  };
}

async function changeOne(context: Context, issue: Issue, { add, remove, assignee, project, ...changes }: BulkChange): Promise<void> {
  if (add.length + remove.length > 0) {
    await changingIssue(context, issue, async (context, issue) => {
      await addLabels(context, issue, add);
      await removeLabels(context, issue, remove);
    });
  }
  if (project !== undefined) await setProject(context, issue, project);
  const assignees = assignee === undefined ? undefined : await nextAssignees(context, issue, assignee);
  if (assignees || changes.state !== undefined || changes.milestoneId !== undefined) {
    await editIssue(context, issue, { ...changes, ...(assignees && { assignees }) });
  }
}

async function nextAssignees(context: Context, issue: Issue, assignee: User | null): Promise<User[]> {
  if (!assignee) return [];
  const ids = await assigneesOf(context, issue);
  const users = await findUsersById(context.db, ids);
  return [...users.values().filter(({ id }) => id !== assignee.id), assignee];
}
