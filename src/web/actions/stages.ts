import type { ActionJob } from '../../database/tables/actions.ts';

/** Jobs in the order in which they can run: each stage only needs jobs of earlier ones. Jobs with cyclic needs are in the last stage. */
export function stagesOf(jobs: readonly ActionJob[]): ActionJob[][] {
  const stages: ActionJob[][] = [];
  const known = new Set(jobs.map((job) => job.job_key));
  const done = new Set<string>();
  for (let left = [...jobs]; left.length > 0; ) {
    const ready = left.filter((job) => job.needs.every((need) => done.has(need) || !known.has(need)));
    const stage = ready.length > 0 ? ready : left;
    stages.push(stage);
    for (const job of stage) done.add(job.job_key);
    left = left.filter((job) => !stage.includes(job));
  }
  return stages;
}
