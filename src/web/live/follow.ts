import { findRepository } from '../../access/find-repository.ts';
import { accountAccess, type RepositoryAccess } from '../../access/repository-access.ts';
import { findJob, findRun } from '../../actions/jobs/find.ts';
import type { Context } from '../../context.ts';
import { canReadIssue, findIssueRow } from '../../issues/find.ts';
import { findMigration } from '../../migrations/migrations.ts';
import type { Follower } from './hub.ts';

/** Subjects that one page follows. */
const MAX_SUBJECTS = 5;
const SUBJECT = /^([gilmrs])(\d{1,15})(?::([0-9a-f]{40}|[0-9a-f]{64}))?$/;

type Followed = Pick<Follower, 'ownerIds' | 'subjects'>;

/** The requested subjects that the caller may see; others are left out, as if they did not exist. */
export async function followed(context: Context, asked: string): Promise<Followed> {
  const subjects: string[] = [];
  const ownerIds: number[] = [];
  for (const subject of asked.split(',', MAX_SUBJECTS)) {
    const ownerId = await ownerOfVisible(context, subject);
    if (ownerId === undefined) continue;
    subjects.push(subject);
    ownerIds.push(ownerId);
  }
  return { subjects, ownerIds };
}

async function ownerOfVisible(context: Context, subject: string): Promise<number | undefined> {
  const [, kind, digits, sha] = SUBJECT.exec(subject) ?? [];
  const id = Number(digits);
  if (kind === undefined || (kind === 's') !== (sha !== undefined)) return undefined;
  if (kind === 'i') {
    const issue = await findIssueRow(context.db, id);
    return issue && ownerIfVisible(context, issue.repository_id, (access) => canReadIssue(access, issue));
  }
  if (kind === 'l') {
    const job = await findJob(context.db, id);
    return job && ownerIfVisible(context, job.repository_id, (access) => access.canRead('actions'));
  }
  if (kind === 'm') {
    const migration = await findMigration(context.db, id);
    return migration && migration.actor_id === context.actor?.id ? migration.owner_id : undefined;
  }
  if (kind === 'r') {
    const run = await findRun(context.db, id);
    return run && ownerIfVisible(context, run.repository_id, (access) => access.canRead('actions'));
  }
  return ownerIfVisible(context, id, (access) =>
    kind === 'g' ? access.canRead('actions') : access.canRead('pulls') || access.canRead('code'),
  );
}

async function ownerIfVisible(
  context: Context,
  repositoryId: number,
  mayRead: (access: RepositoryAccess) => boolean,
): Promise<number | undefined> {
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return undefined;
  const access = await accountAccess(context, repository, context.actor);
  return access.isVisible && mayRead(access) ? repository.owner.id : undefined;
}
