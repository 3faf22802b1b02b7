import type { Context } from '../../context.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import { findAssignable } from '../../issues/assignees/assignees.ts';
import { endOfDay } from '../../issues/deadline.ts';
import { editIssue } from '../../issues/edit.ts';
import { canWriteIssue } from '../../issues/find.ts';
import { findMilestone } from '../../issues/milestones/find.ts';
import type { Action, ActionInput } from './action.ts';
import { DEPENDENCY_ACTIONS } from './dependency-part.ts';
import { chosenNames, labelsOfForm } from './named-others.ts';
import { PROJECT_ACTIONS } from './project-part.ts';
import { setReference } from './reference-part.ts';
import { TIME_ACTIONS } from './time-part.ts';

/** The changes of the side bar's values. */
export const SIDE_ACTIONS: Readonly<Record<string, Action>> = {
  labels: { run: writing(setLabels) },
  assignees: { run: writing(setAssignees) },
  milestone: { run: writing(setMilestone) },
  ...PROJECT_ACTIONS,
  deadline: { run: writing(setDeadline) },
  ref: { run: setReference },
  ...DEPENDENCY_ACTIONS,
  ...TIME_ACTIONS,
};

type Change = (input: ActionInput, context: Context) => Promise<unknown>;

/** A change by users with write access. */
function writing(change: Change): Action['run'] {
  return async (input, context) => {
    if (!canWriteIssue(input.visit.access, input.issue)) throw forbidden('user should have a permission to write to a repo');
    await change(input, context);
    return undefined;
  };
}

async function setLabels({ visit, issue, fields }: ActionInput, context: Context): Promise<void> {
  await editIssue(context, issue, { labels: await labelsOfForm(context, visit.view, issue.repository, fields) });
}

async function setAssignees({ issue, fields }: ActionInput, context: Context): Promise<void> {
  await editIssue(context, issue, { assignees: await findAssignable(context, issue.repository, chosenNames(fields, 'assignee')) });
}

async function setMilestone({ issue, fields }: ActionInput, context: Context): Promise<void> {
  const id = Number(fields.get('milestone')) || 0;
  if (id > 0 && !(await findMilestone(context.db, issue.repository_id, id))) throw unprocessable('[Milestone]: does not exist');
  await editIssue(context, issue, { milestoneId: id > 0 ? id : null });
}

async function setDeadline({ issue, fields }: ActionInput, context: Context): Promise<void> {
  const date = fields.get('date') ?? '';
  const deadline = date === '' ? null : /^\d{4}-\d\d-\d\d$/.test(date) ? endOfDay(`${date}T00:00:00Z`, 'utc') : Number.NaN;
  if (Number.isNaN(deadline)) throw unprocessable('[Date]: YYYY-MM-DD');
  await editIssue(context, issue, { deadline });
}
