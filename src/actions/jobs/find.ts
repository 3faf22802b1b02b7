import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { ActionJob, ActionRun } from '../../database/tables/actions.ts';

const runById = prepared((db, id: number) => db.selectFrom('action_runs').selectAll().where('id', '=', id));
const jobsOfRunById = prepared((db, runId: number) => db.selectFrom('action_jobs').selectAll().where('run_id', '=', runId).orderBy('id'));
const jobById = prepared((db, id: number) => db.selectFrom('action_jobs').selectAll().where('id', '=', id));

/** The run with this id. */
export async function findRun(db: Db, id: number): Promise<ActionRun | undefined> {
  return (await runById(db, id))[0];
}

/** The job with this id. */
export async function findJob(db: Db, id: number): Promise<ActionJob | undefined> {
  return (await jobById(db, id))[0];
}

/** The jobs of a run, in their order. */
export async function jobsOfRun(db: Db, runId: number): Promise<ActionJob[]> {
  return await jobsOfRunById(db, runId);
}
