import type { Context } from '../../../context.ts';
import type { ActionTask } from '../../../database/tables/actions.ts';
import { findJob, findRun } from '../../jobs/find.ts';
import { secretsOf } from '../../secrets/secrets.ts';
import { mayHaveSecrets } from '../message.ts';
import { maskedTexts } from './masks.ts';

/** How long the masks of a task are cached in milliseconds; a task reports every few seconds. */
const LIFETIME = 60_000;
const MAX_REMEMBERED = 200;

const remembered = new WeakMap<object, Map<number, { until: number; texts: Promise<string[]> }>>();

/** The texts that must not appear in the log of a task: the secrets that its job may have. */
export async function masksOf(context: Context, task: ActionTask): Promise<string[]> {
  const byTask = remembered.get(context.database) ?? new Map<number, { until: number; texts: Promise<string[]> }>();
  remembered.set(context.database, byTask);
  const time = performance.now();
  const known = byTask.get(task.id);
  if (known && known.until > time) return await known.texts;
  const texts = read(context, task);
  byTask.delete(task.id);
  byTask.set(task.id, { until: time + LIFETIME, texts });
  for (const id of byTask.keys()) if (byTask.size > MAX_REMEMBERED) byTask.delete(id);
  texts.catch(() => byTask.delete(task.id));
  return await texts;
}

async function read(context: Context, task: ActionTask): Promise<string[]> {
  const job = await findJob(context.db, task.job_id);
  const run = job && (await findRun(context.db, job.run_id));
  if (!run || !mayHaveSecrets(run)) return [];
  return maskedTexts((await secretsOf(context, { repositoryId: task.repository_id, ownerId: task.owner_id })).values());
}
