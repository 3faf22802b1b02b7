import type { Repository } from '../access/find-repository.ts';
import { isBlocked } from '../accounts/blocks/blocked.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import { GHOST_ID } from '../accounts/users/ghost.ts';
import { now } from '../clock.ts';
import { type Context, inTransaction } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { User } from '../database/tables/accounts.ts';
import { forbidden, notFound } from '../http/errors.ts';
import { setAssignees } from './assignees/assignees.ts';
import { issueEvent } from './event.ts';
import { findIssueRow, type Issue, lockIssues } from './find.ts';
import { firstLabels, usableLabels } from './issue-labels/issue-labels.ts';
import { setMilestone } from './milestones/assign.ts';
import { findMilestone } from './milestones/find.ts';
import { findMentioned, rememberMentions } from './references/mentions.ts';
import { findTargets, refer } from './references/references.ts';
import { namesInMarkdown, namesInText } from './references/texts.ts';
import { indexIssue } from './search/index.ts';
import { closeIssue } from './state.ts';
import { limitTitle } from './title.ts';

/** A new issue. */
export interface NewIssue {
  title: string;
  body: string;
  ref: string;
  isPull?: boolean;
  assignees: readonly User[];
  /** Seconds. */
  deadline: number | null;
  /** Of a milestone of the repository; others are ignored. */
  milestoneId: number | null;
  /** Of labels that issues of the repository can have; others are ignored. */
  labelIds: readonly number[];
  isClosed: boolean;
}

const takingNumber = (count: 'issues_count' | 'pulls_count') =>
  prepared((db, repositoryId: number) =>
    db
      .updateTable('repositories')
      .set((row) => ({ last_issue_number: row('last_issue_number', '+', 1), [count]: row(count, '+', 1) }))
      .where('id', '=', repositoryId)
      .returning('last_issue_number'),
  );
const takeNumber = { issues_count: takingNumber('issues_count'), pulls_count: takingNumber('pulls_count') };

const insertRow = prepared(
  (
    db,
    repository_id: number,
    number: number,
    is_pull: boolean,
    author_id: number,
    title: string,
    body: string,
    ref: string,
    deadline_at: number | null,
    at: number,
  ) =>
    db
      .insertInto('issues')
      .values({ repository_id, number, is_pull, author_id, title, body, ref, deadline_at, created_at: at, updated_at: at })
      .returningAll(),
);

/**
 * Opens an issue in the caller's name, with its labels, assignees and so on. Its number is assigned in the same transaction,
 * so that numbers are neither reused nor skipped.
 * @param together other writes of the transaction, such as the row of the pull request
 * @throws HttpError 403 for users whom the owner has blocked
 */
export async function createIssue(
  context: Context,
  repository: Repository,
  fields: NewIssue,
  together?: (context: Context, issue: Issue) => Promise<void>,
): Promise<Issue> {
  const actor = signedInActor(context);
  if (await isBlocked(context.db, repository.owner_id, actor)) throw forbidden('user is blocked');
  const title = limitTitle(fields.title);
  const isPull = fields.isPull ?? false;
  const inTitle = await namesInText(context, title);
  const inBody = await namesInMarkdown(context, fields.body);
  const source = { repository, isPull, isComment: false };
  const targets = await findTargets(context, source, [...inTitle.references, ...inBody.references]);
  const mentioned = await findMentioned(context, { repository, is_pull: isPull }, inBody.mentions);
  return inTransaction(context, async (context) => {
    await lockIssues(context, [repository.id, ...targets.map(({ issue }) => issue.repository_id)]);
    const issue = await insert(context, repository, { ...fields, title, isPull });
    await together?.(context, issue);
    await indexIssue(context, issue);
    await rememberMentions(context, issue.id, mentioned);
    await context.events.emit(context, 'issue.opened', { ...issueEvent(context, issue), mentions: mentioned.map(({ id }) => id) });
    const milestone = fields.milestoneId === null ? undefined : await findMilestone(context.db, repository.id, fields.milestoneId);
    if (milestone) await setMilestone(context, issue, milestone.id);
    const labels = await usableLabels(context, issue, fields.labelIds);
    if (labels.length > 0) await firstLabels(context, issue, labels);
    await refer(context, issue, null, targets, { isNew: true });
    if (fields.assignees.length > 0) await setAssignees(context, issue, fields.assignees);
    if (fields.isClosed) await closeIssue(context, { ...issue, milestone_id: milestone?.id ?? null });
    const isBare = !together && !milestone && labels.length === 0 && fields.assignees.length === 0 && !fields.isClosed;
    const { isNew: _, ...asInserted } = issue;
    if (isBare) return { ...asInserted, isBare };
    const row = await findIssueRow(context.db, issue.id);
    if (!row) throw notFound();
    return { ...row, repository };
  });
}

async function insert({ db, actor }: Context, repository: Repository, fields: NewIssue & { isPull: boolean }): Promise<Issue> {
  const { isPull, title, body, ref, deadline } = fields;
  const [counted] = await takeNumber[isPull ? 'pulls_count' : 'issues_count'](db, repository.id);
  if (!counted) throw notFound();
  const [row] = await insertRow(
    db,
    repository.id,
    counted.last_issue_number,
    isPull,
    actor?.id ?? GHOST_ID,
    title,
    body,
    ref,
    deadline,
    now(),
  );
  if (!row) throw new Error('an issue was not inserted');
  return { ...row, repository, isNew: true };
}
