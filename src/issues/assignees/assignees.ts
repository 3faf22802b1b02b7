import type { Repository } from '../../access/find-repository.ts';
import { findUser } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { isBlockedByAny } from '../../accounts/blocks/blocked.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { UnitName } from '../../database/tables/repositories.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import { issueEvent } from '../event.ts';
import type { Issue } from '../find.ts';
import { addEvent } from '../timeline/events.ts';

const MAX_ASSIGNEES = 100;
const WRITABLE: readonly UnitName[] = ['code', 'issues', 'pulls', 'releases', 'wiki', 'projects', 'packages', 'actions'];

/**
 * The users of these names, each once, if they can be assigned in the repository.
 * @throws HttpError 422 for unknown names and users without access, 403 when one of them has blocked the caller
 */
export async function findAssignable(context: Context, repository: Repository, names: readonly string[]): Promise<User[]> {
  const uniqueNames = [...new Set(names)];
  if (uniqueNames.length > MAX_ASSIGNEES) throw unprocessable(`more than ${MAX_ASSIGNEES} assignees`);
  const users = new Map<number, User>();
  for (const name of uniqueNames) {
    const user = await findUser(context.db, name);
    if (!user) throw unprocessable(`Assignee does not exist: [name: user does not exist [uid: 0, name: ${name}]]`);
    users.set(user.id, user);
  }
  for (const user of users.values()) {
    if (!(await canBeAssigned(context, repository, user))) {
      throw unprocessable(`user doesn't have access to repo [user_id: ${user.id}, repo_name: ${repository.name}]`);
    }
  }
  if (await isBlockedByAny(context.db, [...users.keys()], signedInActor(context))) throw forbidden('user is blocked');
  return [...users.values()];
}

interface AssigneeFields {
  assignee?: string | undefined;
  assignees?: readonly string[] | undefined;
}

/** The names in the body of a new issue, in order: a list that begins with an empty name means nobody. */
export function firstAssignees({ assignee, assignees = [] }: AssigneeFields): string[] {
  const first = assignee && !assignees.includes(assignee) ? [assignee] : [];
  return [...first, ...(assignees[0] ? assignees : [])];
}

/** The names in the body of an edit; an empty name means nobody. */
export function nextAssignees({ assignee, assignees = [] }: AssigneeFields): string[] {
  return [...assignees, ...(assignee ? [assignee] : [])];
}

/** Whether a user can be assigned: users who may write anything in the repository, or read its pull requests. */
export async function canBeAssigned(context: Context, repository: Repository, user: User): Promise<boolean> {
  if (user.type === 'organization') return false;
  const access = await repositoryAccess(context, repository, user);
  return access.canRead('pulls') || WRITABLE.some((unit) => access.canWrite(unit));
}

/** Sets the assignees of an issue. The caller holds the lock of the issues. */
export async function setAssignees(context: Context, issue: Issue, users: readonly User[]): Promise<void> {
  const before = await assigneesOf(context, issue);
  for (const id of before) if (!users.some((user) => user.id === id)) await unassign(context, issue, id);
  for (const { id } of users) if (!before.includes(id)) await assign(context, issue, id);
}

async function assign(context: Context, issue: Issue, userId: number): Promise<void> {
  await context.db.insertInto('issue_assignees').values({ issue_id: issue.id, user_id: userId }).execute();
  const { id } = await addEvent(context, issue, 'assignees', { assignee_id: userId });
  const who = { assigneeId: userId, assigneeIds: await assigneesOf(context, issue) };
  await context.events.emit(context, 'issue.assigned', { ...issueEvent(context, issue), ...who, commentId: id });
}

/** Removes an assignee. The caller holds the lock of the issues. */
export async function unassign(context: Context, issue: Issue, userId: number): Promise<void> {
  await context.db.deleteFrom('issue_assignees').where('issue_id', '=', issue.id).where('user_id', '=', userId).execute();
  const { id } = await addEvent(context, issue, 'assignees', { assignee_id: userId, is_removal: true });
  const who = { assigneeId: userId, assigneeIds: await assigneesOf(context, issue) };
  await context.events.emit(context, 'issue.unassigned', { ...issueEvent(context, issue), ...who, commentId: id });
}

/** The ids of the assignees of an issue, in the order of assignment. */
export async function assigneesOf({ db }: Context, { id }: Issue): Promise<number[]> {
  const rows = await db.selectFrom('issue_assignees').select('user_id').where('issue_id', '=', id).orderBy('id').execute();
  return rows.map((row) => row.user_id);
}
