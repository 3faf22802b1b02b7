import { repositoryAccess } from '../../access/repository-access.ts';
import { isBlockedByAny } from '../../accounts/blocks/blocked.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Team } from '../../database/tables/organizations.ts';
import type { ReviewRow } from '../../database/tables/pulls.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import { issueEvent } from '../../issues/event.ts';
import { changingIssue, type Issue } from '../../issues/find.ts';
import { addEvent } from '../../issues/timeline/events.ts';
import { teamHasRepository } from '../../organizations/teams/repositories.ts';
import { mayChooseReviewers } from '../../repositories/collaborators/candidates.ts';
import type { Pull } from '../find.ts';
import { latestReviewBy } from './find.ts';
import { clearOfficial, isOfficial, isOfficialTeam, restoreOfficial } from './official.ts';

/** The users and teams of review requests, or of their removal. */
export interface RequestedReviewers {
  readonly users: readonly User[];
  readonly teams: readonly Team[];
}

/**
 * Requests reviews in the caller's name, all or none; users and teams with a request are skipped.
 * @returns the requests that are new
 * @throws HttpError 422 for a reviewer who cannot be requested or a caller who may not request, 403 for blocked users and for a second
 * request on a closed pull request
 */
export async function requestReviews(context: Context, pull: Pull, requested: RequestedReviewers): Promise<ReviewRow[]> {
  await refuseRequests(context, pull, requested);
  return changingIssue(context, pull.issue, (context, issue) => addRequests(context, { ...pull, issue }, requested));
}

/**
 * {@link requestReviews} for a pull request that is being opened. Part of the transaction.
 * @throws HttpError 422, 403
 */
export async function requestFirstReviews(context: Context, pull: Pull, users: readonly User[], teams: readonly Team[]): Promise<void> {
  if (users.length === 0 && teams.length === 0) return;
  await refuseRequests(context, pull, { users, teams });
  await addRequests(context, pull, { users, teams });
}

/** Requests reviews from all users and teams without a request, without checking rights. The caller holds the lock of the issues. */
export async function addRequests(context: Context, pull: Pull, { users, teams }: RequestedReviewers): Promise<ReviewRow[]> {
  const added: (ReviewRow | undefined)[] = [];
  for (const user of users) added.push(await addRequest(context, pull, user));
  for (const team of teams) added.push(await addTeamRequest(context, pull, team));
  return added.filter((request) => request !== undefined);
}

/**
 * Removes requests; users and teams without a request are skipped.
 * @throws HttpError 422 without the right
 */
export async function takeBackRequests(context: Context, pull: Pull, requested: RequestedReviewers): Promise<void> {
  const actor = signedInActor(context);
  const isAllowed = await mayChoose(context, pull, actor);
  for (const user of requested.users) {
    refuseOrganization(pull, actor, user);
    const isOwn = user.id === actor.id && (await latestReviewBy(context, pull.issue_id, user.id))?.type === 'request';
    if (!isAllowed && !isOwn) throw refusal(pull, actor, "Doer can't remove reviewer");
  }
  if (requested.teams.length > 0 && !isAllowed) throw refusal(pull, actor, "Doer can't remove reviewer");
  await changingIssue(context, pull.issue, (context, issue) => takeBack(context, { ...pull, issue }, requested));
}

/** Removes requests, without checking rights. The caller holds the lock of the issues. */
export async function takeBack(context: Context, pull: Pull, { users, teams }: RequestedReviewers): Promise<void> {
  for (const user of users) await removeRequest(context, pull, user);
  for (const team of teams) await removeTeamRequest(context, pull, team);
}

async function refuseRequests(context: Context, pull: Pull, { users, teams }: RequestedReviewers): Promise<void> {
  const actor = signedInActor(context);
  const { repository, author_id: authorId, original_author_id: originalId } = pull.issue;
  const isAuthor = (user: User) => user.id === authorId && originalId === 0;
  const isAllowed = await mayChoose(context, pull, actor);
  for (const user of users) {
    refuseOrganization(pull, actor, user);
    if (!(await repositoryAccess(context, repository, user)).canRead('pulls')) throw refusal(pull, actor, "Reviewer can't read");
    if (isAuthor(user)) throw refusal(pull, actor, "poster of pr can't be reviewer");
    const latest = isAllowed ? undefined : await latestReviewBy(context, pull.issue_id, user.id);
    // Even without the right to choose, an author can request a reviewer again who has decided already.
    const isAgain = isAuthor(actor) && latest !== undefined && latest.type !== 'request';
    if (!isAllowed && !isAgain) throw refusal(pull, actor, "Doer can't choose reviewer");
  }
  for (const team of teams) {
    if (repository.is_private && !(await teamHasRepository(context, team, repository.id))) {
      throw refusal(pull, actor, "Reviewing team can't read repo");
    }
    if (!isAllowed) throw refusal(pull, actor, "Doer can't choose reviewer");
  }
  const ids = users.map(({ id }) => id);
  if (await isBlockedByAny(context.db, ids, actor)) throw forbidden('user is blocked');
}

/** Whether a user may request reviews from anybody. */
export async function mayChoose(context: Context, { issue }: Pull, actor: User): Promise<boolean> {
  if (issue.repository.is_archived) return false;
  return actor.id === issue.author_id || (await mayChooseReviewers(context, issue.repository, actor));
}

function refuseOrganization(pull: Pull, actor: User, user: User): void {
  if (user.type === 'organization') throw refusal(pull, actor, "Organization can't be added as reviewer");
}

function refusal({ issue }: Pull, actor: User, reason: string) {
  return unprocessable(`${reason} [user_id: ${actor.id}, repo_id: ${issue.repository_id}]`);
}

async function addRequest(context: Context, pull: Pull, user: User): Promise<ReviewRow | undefined> {
  const { issue } = pull;
  const latest = await latestReviewBy(context, issue.id, user.id);
  if (latest?.type === 'request') return undefined;
  if (latest && issue.is_closed) throw forbidden('cannot request a re-review on a closed or merged PR');
  const official = await isOfficial(context, pull, user);
  if (official) await clearOfficial(context, issue.id, user.id);
  const request = await insertRequest(context, issue, { reviewer_id: user.id, is_official: official });
  const { id } = await addEvent(context, issue, 'review_request', { assignee_id: user.id, review_id: request.id });
  await emitRequested(context, issue, { reviewerId: user.id, commentId: id, isRemoval: false });
  return request;
}

async function addTeamRequest(context: Context, pull: Pull, team: Team): Promise<ReviewRow | undefined> {
  const { issue } = pull;
  if (await findTeamRequest(context, issue, team)) return undefined;
  const official = await isOfficialTeam(context, pull, team);
  const request = await insertRequest(context, issue, { reviewer_id: null, reviewer_team_id: team.id, is_official: official });
  const { id } = await addEvent(context, issue, 'review_request', { assignee_team_id: team.id, review_id: request.id });
  await emitRequested(context, issue, { teamId: team.id, commentId: id, isRemoval: false });
  return request;
}

function findTeamRequest({ db }: Context, issue: Issue, team: Team): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('reviews')
    .selectAll()
    .where('issue_id', '=', issue.id)
    .where('reviewer_team_id', '=', team.id)
    .limit(1)
    .executeTakeFirst();
}

type OfWhom = Pick<ReviewRow, 'reviewer_id' | 'is_official'> & { reviewer_team_id?: number };

async function insertRequest({ db }: Context, issue: Issue, ofWhom: OfWhom): Promise<ReviewRow> {
  const at = now();
  return db
    .insertInto('reviews')
    .values({ ...ofWhom, issue_id: issue.id, type: 'request', created_at: at, updated_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function removeRequest(context: Context, pull: Pull, user: User): Promise<void> {
  const { issue } = pull;
  const latest = await latestReviewBy(context, issue.id, user.id);
  if (latest?.type !== 'request') return;
  await context.db.deleteFrom('reviews').where('id', '=', latest.id).execute();
  await restoreOfficial(context, pull, user);
  const { id } = await addEvent(context, issue, 'review_request', { assignee_id: user.id, is_removal: true });
  await emitRequested(context, issue, { reviewerId: user.id, commentId: id, isRemoval: true });
}

async function removeTeamRequest(context: Context, { issue }: Pull, team: Team): Promise<void> {
  const request = await findTeamRequest(context, issue, team);
  if (!request) return;
  await context.db.deleteFrom('reviews').where('id', '=', request.id).execute();
  const { id } = await addEvent(context, issue, 'review_request', { assignee_team_id: team.id, is_removal: true });
  await emitRequested(context, issue, { teamId: team.id, commentId: id, isRemoval: true });
}

async function emitRequested(
  context: Context,
  issue: Issue,
  request: { reviewerId?: number; teamId?: number; commentId: number; isRemoval: boolean },
): Promise<void> {
  await context.events.emit(context, 'review.requested', { ...issueEvent(context, issue), ...request });
}
