import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { LabelRow } from '../database/tables/issues.ts';
import type { IssueAmid } from '../events/events.ts';
import { conflict } from '../http/errors.ts';
import { assigneesOf, setAssignees } from './assignees/assignees.ts';
import { refuseBlocked } from './blocked.ts';
import { dayOf } from './deadline.ts';
import { refuseWhileBlocked } from './dependencies/dependencies.ts';
import { issueEvent } from './event.ts';
import { changingIssue, type Issue } from './find.ts';
import { recordVersion } from './history/record.ts';
import { currentLabels, replaceLabels } from './issue-labels/issue-labels.ts';
import { setMilestone } from './milestones/assign.ts';
import { findTargets, refer, type Target } from './references/references.ts';
import { namesInMarkdown, namesInText } from './references/texts.ts';
import { indexIssue } from './search/index.ts';
import { closeIssue, refuseOnceMerged, reopenIssue } from './state.ts';
import { addEvent } from './timeline/events.ts';
import { cutTitle } from './title.ts';

/** The changes of an issue; undefined leaves a field unchanged. */
export interface IssueChanges {
  title?: string | undefined;
  body?: string | undefined;
  /** The version of the body that the change is based on. */
  contentVersion?: number | undefined;
  ref?: string | undefined;
  /** Seconds; null for none. */
  deadline?: number | null | undefined;
  assignees?: readonly User[] | undefined;
  /** Of a milestone of the repository; null for none. */
  milestoneId?: number | null | undefined;
  /** Replaces the labels. */
  labels?: readonly LabelRow[] | undefined;
  /** Neither webhooks nor workflows get the change of the labels, as clients know it from edits of pull requests. */
  hasSilentLabels?: boolean;
  state?: 'open' | 'closed' | undefined;
}

/**
 * Changes an issue, all or nothing.
 * @throws HttpError 409 when somebody else changed the text meanwhile, 403 for blocked users, 412 for closing an issue with open dependencies
 */
export async function editIssue(context: Context, issue: Issue, changes: IssueChanges): Promise<Issue> {
  const title = changes.title === undefined ? undefined : cutTitle(changes.title);
  const changesTitle = title !== undefined && title !== issue.title;
  if (changesTitle || changes.body !== undefined) await refuseBlocked(context, issue);
  const text = { title: changesTitle ? title : issue.title, body: changes.body ?? issue.body };
  const changesText = changesTitle || changes.body !== undefined;
  const targets = changesText ? await targetsOf(context, issue, text) : [];
  return changingIssue(
    context,
    issue,
    async (context, issue) => {
      refuseStale(issue, changes.contentVersion);
      // It may have been merged since the caller loaded it.
      if (changes.state !== undefined) refuseOnceMerged(issue);
      const first = await amidChanges(context, issue, { ...changes, text: changesText || undefined });
      if (changesText) await changeText(context, first, { ...(changesTitle && { title }), body: changes.body }, targets);
      await changeAttributes(context, first, changes);
      const row = await context.db.selectFrom('issues').selectAll().where('id', '=', issue.id).executeTakeFirstOrThrow();
      return { ...row, repository: issue.repository };
    },
    targets.map(({ issue }) => issue.repository_id),
  );
}

/** If several things change, the issue with the former values of those that change later. */
async function amidChanges(context: Context, issue: Issue, changes: IssueChanges & { text: true | undefined }): Promise<Issue> {
  const { text, ref, deadline, assignees, milestoneId, labels, state } = changes;
  if ([text, ref, deadline, assignees, milestoneId, labels, state].filter((change) => change !== undefined).length < 2) return issue;
  const { deadline_at, milestone_id, is_closed, closed_at } = issue;
  const assigneeIds = assignees && { assigneeIds: await assigneesOf(context, issue) };
  const labelIds = labels && { labelIds: (await currentLabels(context, issue)).map(({ id }) => id) };
  return { ...issue, amid: { ref: issue.ref, deadline_at, milestone_id, is_closed, closed_at, ...assigneeIds, ...labelIds } };
}

/** Changes everything but the text, one thing after the other; the state last, as in the timelines that clients know. */
async function changeAttributes(context: Context, issue: Issue, changes: IssueChanges): Promise<void> {
  const { ref, deadline, assignees, milestoneId, labels, state } = changes;
  let now = issue;
  const after = (changed: Partial<Pick<Issue, 'ref' | 'deadline_at' | 'milestone_id'>>, amid: Partial<IssueAmid> = changed) => {
    now = { ...now, ...changed, ...(now.amid && { amid: { ...now.amid, ...amid } }) };
  };
  // Clients know an event of each request, even if it is the same ref.
  if (ref !== undefined) {
    await changeRef(context, now, ref);
    after({ ref });
  }
  if (deadline !== undefined) {
    await changeDeadline(context, now, deadline);
    after({ deadline_at: deadline });
  }
  if (assignees) {
    await setAssignees(context, now, assignees);
    after({}, { assigneeIds: assignees.map(({ id }) => id) });
  }
  if (milestoneId !== undefined) {
    await setMilestone(context, now, milestoneId);
    after(
      { milestone_id: milestoneId },
      { milestone_id: milestoneId, ...(milestoneId !== issue.milestone_id && { hasNewMilestone: true }) },
    );
  }
  if (labels) {
    await replaceLabels(context, now, labels, changes.hasSilentLabels ? { isSilent: true } : {});
    after({}, { labelIds: labels.map(({ id }) => id) });
  }
  if (state === 'closed') {
    await refuseWhileBlocked(context, now);
    await closeIssue(context, now);
  }
  if (state === 'open') await reopenIssue(context, now);
}

/** @throws HttpError 409 when the text has changed since the given version; undefined means any version */
export function refuseStale({ content_version: now }: Issue, version: number | undefined): void {
  if (version !== undefined && version !== now) throw conflict('the issue is already changed');
}

async function targetsOf(context: Context, issue: Issue, { title, body }: { title: string; body: string }): Promise<Target[]> {
  const inTitle = await namesInText(context, title);
  const inBody = await namesInMarkdown(context, body);
  const source = { repository: issue.repository, isPull: issue.is_pull, issueId: issue.id, isComment: false };
  return findTargets(context, source, [...inTitle.references, ...inBody.references]);
}

/** Users who are newly mentioned by an edit are neither notified nor found by the filter, as clients expect. */
async function changeText(
  context: Context,
  issue: Issue,
  { title, body }: { title?: string | undefined; body?: string | undefined },
  targets: readonly Target[],
): Promise<void> {
  const text = { title: title ?? issue.title, body: body ?? issue.body };
  const version = issue.content_version + (body === undefined ? 0 : 1);
  await context.db
    .updateTable('issues')
    .set({ ...text, content_version: version, updated_at: now() })
    .where('id', '=', issue.id)
    .execute();
  const before = { issueId: issue.id, commentId: null, authorId: issue.author_id, body: issue.body, createdAt: issue.created_at };
  await recordVersion(context, before, text.body);
  await indexIssue(context, { ...issue, ...text });
  if (title !== undefined) await addEvent(context, issue, 'change_title', { old_title: issue.title, new_title: title });
  await refer(context, { ...issue, ...text }, null, targets);
  await context.events.emit(context, 'issue.edited', {
    ...issueEvent(context, issue),
    ...(title !== undefined && { oldTitle: issue.title }),
    ...(body !== undefined && { oldBody: issue.body }),
  });
}

async function changeRef(context: Context, issue: Issue, ref: string): Promise<void> {
  const short = (name: string) => name.replace(/^refs\/heads\//, '');
  await context.db.updateTable('issues').set({ ref }).where('id', '=', issue.id).execute();
  await addEvent(context, issue, 'change_issue_ref', { old_ref: short(issue.ref), new_ref: short(ref) });
  await context.events.emit(context, 'issue.ref-changed', { ...issueEvent(context, issue), oldRef: issue.ref });
}

async function changeDeadline(context: Context, issue: Issue, deadline: number | null): Promise<void> {
  const before = issue.deadline_at;
  if (before === deadline) return;
  await context.db.updateTable('issues').set({ deadline_at: deadline }).where('id', '=', issue.id).execute();
  if (deadline === null) await addEvent(context, issue, 'removed_deadline', { body: before === null ? '' : dayOf(before) });
  else if (before === null) await addEvent(context, issue, 'added_deadline', { body: dayOf(deadline) });
  else await addEvent(context, issue, 'modified_deadline', { body: `${dayOf(deadline)}|${dayOf(before)}` });
  await context.events.emit(context, 'issue.deadline-changed', { ...issueEvent(context, issue), oldDeadline: before, deadline });
}
