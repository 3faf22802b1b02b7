import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import { findAssignable } from '../../issues/assignees/assignees.ts';
import { endOfDay } from '../../issues/deadline.ts';
import { addDependency, removeDependency } from '../../issues/dependencies/dependencies.ts';
import { dependencyEnd } from '../../issues/dependencies/find.ts';
import { editIssue } from '../../issues/edit.ts';
import { canWriteIssue } from '../../issues/find.ts';
import { usableLabels } from '../../issues/issue-labels/issue-labels.ts';
import { findMilestone } from '../../issues/milestones/find.ts';
import { cancelStopwatch, startStopwatch, stopStopwatch } from '../../issues/stopwatches/stopwatches.ts';
import { addTime } from '../../issues/times/times.ts';
import { mayTrackTime } from '../../issues/times/tracking.ts';
import type { Action, ActionInput } from './action.ts';

/** The changes of what stands in the side bar. */
export const SIDE_ACTIONS: Readonly<Record<string, Action>> = {
  labels: { run: writing(setLabels) },
  assignees: { run: writing(setAssignees) },
  milestone: { run: writing(setMilestone) },
  deadline: { run: writing(setDeadline) },
  'add-dependency': { run: async (input, context) => changeDependency(input, context, addDependency) },
  'remove-dependency': { run: async (input, context) => changeDependency(input, context, removeDependency) },
  'start-timer': { run: tracking(({ issue }, context) => startStopwatch(context, issue)) },
  'stop-timer': { run: tracking(({ issue }, context) => stopStopwatch(context, issue)) },
  'cancel-timer': { run: tracking(({ issue }, context) => cancelStopwatch(context, issue)) },
  'add-time': { run: tracking(logTime) },
};

type Change = (input: ActionInput, context: Context) => Promise<unknown>;

/** A change for who may write. */
function writing(change: Change): Action['run'] {
  return async (input, context) => {
    if (!canWriteIssue(input.visit.access, input.issue)) throw forbidden('user should have a permission to write to a repo');
    await change(input, context);
    return undefined;
  };
}

/** A change for who may track time. */
function tracking(change: Change): Action['run'] {
  return async (input, context) => {
    if (!(await mayTrackTime(context, input.issue, input.visit.access))) throw forbidden('time may not be tracked here');
    await change(input, context);
    return undefined;
  };
}

async function setLabels({ issue, fields }: ActionInput, context: Context): Promise<void> {
  const ids = fields.all('label').map(Number).filter(Number.isSafeInteger);
  await editIssue(context, issue, { labels: await usableLabels(context, issue, ids) });
}

async function setAssignees({ issue, fields }: ActionInput, context: Context): Promise<void> {
  await editIssue(context, issue, { assignees: await findAssignable(context, issue.repository, fields.all('assignee')) });
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

/** `#12`, `12`, or `owner/name#12`. */
const ISSUE_NAME = /^(?:([^/\s#]{1,100})\/([^/\s#]{1,100}))?#?(\d{1,15})$/;

async function changeDependency({ visit, issue, fields }: ActionInput, context: Context, change: typeof addDependency): Promise<undefined> {
  const { repository, access } = visit;
  const named = ISSUE_NAME.exec((fields.get('issue') ?? '').trim());
  if (!named) throw unprocessable(`[${visit.view.text.timeline.addDependency}]: ${visit.view.text.timeline.issueNumber}`);
  const [, owner = repository.owner.name, repo = repository.name, index] = named;
  const other = await dependencyEnd(context, { repository, access }, { owner, repo, index: Number(index) });
  await change(context, { issue, access }, other);
}

async function logTime({ visit, issue, fields }: ActionInput, context: Context): Promise<void> {
  const part = (name: string) => ((fields.get(name) ?? '') ? Number(fields.get(name)) : 0);
  const seconds = Math.round(part('hours') * 3600 + part('minutes') * 60);
  if (!Number.isSafeInteger(seconds) || seconds === 0) throw unprocessable(visit.view.text.timeline.invalidTime);
  await addTime(context, issue, signedInActor(context), seconds);
}
