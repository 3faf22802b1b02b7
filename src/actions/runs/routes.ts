import { canRead, canWrite, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { badRequest } from '../../http/errors.ts';
import { pageOf } from '../../http/paging.ts';
import { pathId } from '../../http/path-id.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { findRun } from '../jobs/find.ts';
import { approveRun, cancelRun } from './approve.ts';
import { deleteRun } from './delete.ts';
import { jobOf, runOf } from './find.ts';
import { listTasks } from './list.ts';
import { entries, jobQuery, jobsResponse, runQuery, runsResponse } from './list-responses.ts';
import { ownerRunRoutes } from './owner-routes.ts';
import { presentRuns, presentTasks } from './present.ts';
import { presentJobs } from './present-jobs.ts';
import { type RerunChoice, rerun } from './rerun.ts';
import {
  ActionTaskResponse,
  ActionWorkflowJob,
  ActionWorkflowJobsResponse,
  ActionWorkflowRun,
  ActionWorkflowRunsResponse,
} from './schema.ts';

const PATH = '/repos/:owner/:repo/actions';
const NEEDS = [canRead('actions')];
const reading = { scope: 'repository', needs: NEEDS } as const;
const signedReading = { scope: 'repository', needs: [signedIn, ...NEEDS] } as const;
const writing = { scope: 'repository', needs: [...NEEDS, signedIn, canWrite('actions')] } as const;

const run = { type: 'integer', description: 'id of the run' } as const;
const job_id = { type: 'integer', description: 'id of the job' } as const;

async function again(context: Context, input: Parameters<typeof runOf>[0], choice: RerunChoice) {
  const found = await runOf(input, context);
  const jobs = await rerun(context, found, choice);
  return { run: (await findRun(context.db, found.id)) ?? found, jobs };
}

/** Runs, jobs and tasks of a repository. */
const ofRepository: readonly AnyRoute[] = [
  repositoryRoute({
    ...signedReading,
    method: 'GET',
    path: `${PATH}/runs`,
    id: 'getWorkflowRuns',
    summary: 'Lists the runs of a repository, the newest first',
    query: runQuery,
    responses: { 200: ActionWorkflowRunsResponse },
    also: [400],
    handle: ({ repository, query, request }, context) => runsResponse(context, { repositoryId: repository.id }, query, request),
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/runs/:run`,
    id: 'GetWorkflowRun',
    summary: 'Gets a run',
    parameters: { run },
    responses: { 200: ActionWorkflowRun },
    handle: async (input, context) => (await presentRuns(context, [await runOf(input, context)]))[0],
  }),
  repositoryRoute({
    ...writing,
    method: 'DELETE',
    path: `${PATH}/runs/:run`,
    id: 'deleteActionRun',
    summary: 'Deletes a run that is over',
    parameters: { run },
    responses: { 204: null },
    also: [400],
    handle: async (input, context) => {
      await deleteRun(context, await runOf(input, context));
      return empty(204);
    },
  }),
  repositoryRoute({
    ...writing,
    method: 'POST',
    path: `${PATH}/runs/:run/rerun`,
    id: 'rerunWorkflowRun',
    summary: 'Runs all jobs of a run again',
    parameters: { run },
    responses: { 201: ActionWorkflowRun },
    also: [400, 422],
    handle: async (input, context) => (await presentRuns(context, [(await again(context, input, 'all')).run]))[0],
  }),
  repositoryRoute({
    ...writing,
    method: 'POST',
    path: `${PATH}/runs/:run/rerun-failed-jobs`,
    id: 'rerunFailedWorkflowRun',
    summary: 'Runs the failed jobs of a run again, and those that need them',
    parameters: { run },
    responses: { 201: null },
    also: [400, 422],
    handle: async (input, context) => {
      await again(context, input, 'failed');
      return empty(201);
    },
  }),
  repositoryRoute({
    ...writing,
    method: 'POST',
    path: `${PATH}/runs/:run/jobs/:job_id/rerun`,
    id: 'rerunWorkflowJob',
    summary: 'Runs a job again, and those that need it',
    parameters: { run, job_id },
    responses: { 201: ActionWorkflowJob },
    also: [400, 422],
    handle: async (input, context) => {
      const jobId = pathId(input.params.job_id);
      const { jobs } = await again(context, input, { jobId });
      return (
        await presentJobs(
          context,
          jobs.filter(({ id }) => id === jobId),
        )
      )[0];
    },
  }),
  repositoryRoute({
    ...writing,
    method: 'POST',
    path: `${PATH}/runs/:run/approve`,
    id: 'approveWorkflowRun',
    summary: 'Lets a run of a pull request from a fork begin',
    parameters: { run },
    responses: { 201: null },
    handle: async (input, context) => {
      await approveRun(context, await runOf(input, context));
      return empty(201);
    },
  }),
  repositoryRoute({
    ...writing,
    method: 'POST',
    path: `${PATH}/runs/:run/cancel`,
    id: 'cancelWorkflowRun',
    summary: 'Cancels the jobs of a run that are not over',
    parameters: { run },
    responses: { 202: null },
    handle: async (input, context) => {
      await cancelRun(context, await runOf(input, context));
      return empty(202);
    },
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/runs/:run/jobs`,
    id: 'listWorkflowRunJobs',
    summary: 'Lists the jobs of a run',
    parameters: { run },
    query: jobQuery,
    responses: { 200: ActionWorkflowJobsResponse },
    also: [400],
    handle: ({ repository, params, query, request }, context) => {
      const runId = pathId(params.run);
      if (runId <= 0) throw badRequest('runID must be a positive integer');
      return jobsResponse(context, { repositoryId: repository.id, runId }, query, request);
    },
  }),
  repositoryRoute({
    ...signedReading,
    method: 'GET',
    path: `${PATH}/jobs`,
    id: 'listWorkflowJobs',
    summary: 'Lists the jobs of a repository',
    query: jobQuery,
    responses: { 200: ActionWorkflowJobsResponse },
    also: [400],
    handle: ({ repository, query, request }, context) => jobsResponse(context, { repositoryId: repository.id }, query, request),
  }),
  repositoryRoute({
    ...signedReading,
    method: 'GET',
    path: `${PATH}/jobs/:job_id`,
    id: 'getWorkflowJob',
    summary: 'Gets a job',
    parameters: { job_id: { description: 'id of the job' } },
    responses: { 200: ActionWorkflowJob },
    handle: async (input, context) => (await presentJobs(context, [await jobOf(input, context)]))[0],
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/tasks`,
    id: 'ListActionTasks',
    summary: 'Lists the attempts of runners at jobs, the newest first',
    query: pageQuery,
    responses: { 200: ActionTaskResponse },
    handle: async ({ repository, query, request }, context) => {
      const page = pageOf(context, query);
      const { tasks, total } = await listTasks(context, repository.id, page);
      return entries({ workflow_runs: await presentTasks(context, repository, tasks), total_count: total }, total, page, request);
    },
  }),
];

/** Runs, jobs and tasks. */
export const runRoutes: readonly AnyRoute[] = [...ofRepository, ...ownerRunRoutes];
