import { sql } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionArtifact } from '../../database/tables/action-runners.ts';
import type { Page } from '../../http/paging.ts';
import { lockRuns } from '../jobs/lock.ts';

/** The artifacts of a repository, or of one of its runs. */
export interface ArtifactScope {
  readonly repositoryId: number;
  readonly runId?: number;
  /** Only those of exactly this name. */
  readonly name?: string | undefined;
}

/** Artifacts of one file, whose encoding is its media type; those of the older protocol have a row for each of their files. */
const IS_WHOLE = sql<boolean>`encoding not in ('', 'gzip')`;

/** A page of the artifacts that are complete, also of those that have expired since, in the order of their ids, and how many there are. */
export async function listArtifacts(
  { db }: Pick<Context, 'db'>,
  { repositoryId, runId, name }: ArtifactScope,
  page: Page,
): Promise<{ artifacts: ActionArtifact[]; total: number }> {
  let wanted = db
    .selectFrom('action_artifacts')
    .where('repository_id', '=', repositoryId)
    .where('status', 'in', ['confirmed', 'expired'])
    .where(IS_WHOLE);
  if (runId !== undefined) wanted = wanted.where('run_id', '=', runId);
  if (name) wanted = wanted.where('name', '=', name);
  const { total } = await wanted.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const artifacts = await wanted.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute();
  return { artifacts, total: Number(total) };
}

/** The artifact with this id, in whatever state. */
export async function findArtifact({ db }: Pick<Context, 'db'>, id: number): Promise<ActionArtifact | undefined> {
  return await db.selectFrom('action_artifacts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The artifact of a run that has this name, in whatever state. */
export async function findNamed({ db }: Pick<Context, 'db'>, runId: number, name: string): Promise<ActionArtifact | undefined> {
  return await db
    .selectFrom('action_artifacts')
    .selectAll()
    .where('run_id', '=', runId)
    .where('name', '=', name)
    .where(IS_WHOLE)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** The artifacts of a run that can be downloaded. There are at most `MAX_ARTIFACTS` of them. */
export async function completeArtifacts({ db }: Pick<Context, 'db'>, runId: number): Promise<ActionArtifact[]> {
  return await db
    .selectFrom('action_artifacts')
    .selectAll()
    .where('run_id', '=', runId)
    .where('status', '=', 'confirmed')
    .where(IS_WHOLE)
    .orderBy('id')
    .execute();
}

/** Deletes an artifact with its bytes. Returns whether it was there. */
export async function deleteArtifact(context: Context, { id, repository_id }: ActionArtifact): Promise<boolean> {
  return await inTransaction(context, async (context) => {
    await lockRuns(context, repository_id);
    const deleted = await context.db.deleteFrom('action_artifacts').where('id', '=', id).returning('storage_key').executeTakeFirst();
    if (deleted?.storage_key) await context.jobs.add(context, 'actions.remove-files', { keys: [deleted.storage_key] });
    return deleted !== undefined;
  });
}

/** Whether the bytes of an artifact can be had. */
export function isAvailable({ status, expires_at }: ActionArtifact): boolean {
  return status === 'confirmed' && (expires_at === null || expires_at > now());
}
