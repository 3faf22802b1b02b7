import { presentUsers } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import { type End, hasDependencies, listBlocked, listDependencies } from '../../issues/dependencies/dependencies.ts';
import { presentDependencies } from '../../issues/dependencies/present.ts';
import type { Issue } from '../../issues/find.ts';
import { presentIssues } from '../../issues/present.ts';
import { runningStopwatch } from '../../issues/stopwatches/stopwatches.ts';
import { isSubscribed, listParticipants } from '../../issues/subscriptions/subscriptions.ts';
import { timePerUser } from '../../issues/times/times.ts';
import { mayTrackTime, tracksTime } from '../../issues/times/tracking.ts';
import type { ShownUser } from '../components/avatar.ts';
import { type Choices, choicesOf } from './choices.ts';
import type { Conversation } from './conversation.ts';
import type { ShownIssue } from './shown.ts';

/** What the side bar of an issue shows that the rest of its page does not. */
export interface SideData {
  /** What can be chosen; undefined for who may not change it. */
  readonly choices: Choices | undefined;
  readonly participants: { readonly users: readonly ShownUser[]; readonly total: number };
  /** Undefined for who is not signed in. */
  readonly isSubscribed: boolean | undefined;
  /** Undefined where issues do not depend on each other. */
  readonly dependencies: { readonly blockedBy: readonly ShownIssue[]; readonly blocks: readonly ShownIssue[] } | undefined;
  /** Undefined where no time is tracked. Times are in seconds. */
  readonly time:
    | { readonly total: number; readonly users: readonly TimeOf[]; readonly mayTrack: boolean; readonly isRunning: boolean }
    | undefined;
}

/** What somebody spent. */
interface TimeOf {
  readonly name: string;
  readonly seconds: number;
}

const PAGE = { page: 1, limit: 50, offset: 0 };
const MAX_PARTICIPANTS = 30;

/** Reads what the side bar shows. */
export async function readSideData({ visit, issue, canWrite }: Conversation, context: Context): Promise<SideData> {
  const { actor } = context;
  const participants = await listParticipants(context, issue, MAX_PARTICIPANTS);
  return {
    choices: canWrite ? await choicesOf(context, visit.repository) : undefined,
    participants: { users: presentUsers(context, participants.users), total: participants.total },
    isSubscribed: actor ? await isSubscribed(context, issue, actor) : undefined,
    dependencies: hasDependencies(context, visit.repository) ? await dependenciesOf(context, issue) : undefined,
    time: tracksTime(context, visit.repository) ? await timeOf(context, issue, visit.access) : undefined,
  };
}

async function dependenciesOf(context: Context, issue: Issue) {
  const { dependencies } = await listDependencies(context, issue, PAGE);
  return {
    blockedBy: await presentDependencies(context, dependencies satisfies readonly End[]),
    blocks: await presentIssues(context, await listBlocked(context, issue, PAGE)),
  };
}

/** Who may not write sees their own time alone, as in the API. */
async function timeOf(context: Context, issue: Issue, access: Conversation['visit']['access']) {
  const { actor } = context;
  const all = await timePerUser(context, issue);
  const users = access.canWrite('issues') ? all : all.filter(({ name }) => name === actor?.name);
  const running = actor && (await runningStopwatch(context, actor));
  return {
    total: users.reduce((sum, { seconds }) => sum + seconds, 0),
    users,
    mayTrack: actor !== null && !issue.repository.is_archived && (await mayTrackTime(context, issue, access)),
    isRunning: running?.issue.id === issue.id,
  };
}
