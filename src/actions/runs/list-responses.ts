import type { Context } from '../../context.ts';
import { pageHeaders, pageOf } from '../../http/paging.ts';
import { HttpResponse } from '../../http/responses.ts';
import { pageQuery, query, type RequestParts } from '../../http/route.ts';
import { type ListScope, listJobs, listRuns, statusesOf } from './list.ts';
import { presentRuns } from './present.ts';
import { presentJobs } from './present-jobs.ts';

/** The query of lists of jobs. */
export const jobQuery = { status: query.string('only jobs in this state; may be given several times'), ...pageQuery };
/** The query of lists of runs. */
export const runQuery = {
  event: query.string('only runs that this event started'),
  branch: query.string('only runs for this branch'),
  status: query.string('only runs in this state; may be given several times'),
  actor: query.string('only runs that this user triggered'),
  head_sha: query.string('only runs of this commit'),
  ...pageQuery,
};
interface PageQuery {
  page?: number | undefined;
  limit?: number | undefined;
}

/** A page of runs. */
export async function runsResponse(
  context: Context,
  scope: ListScope,
  query: PageQuery & { event?: string | undefined; branch?: string | undefined; actor?: string | undefined; head_sha?: string | undefined },
  request: RequestParts,
): Promise<HttpResponse> {
  const page = pageOf(context, query);
  const { event, branch, actor, head_sha: headSha } = query;
  const { runs, total } = await listRuns(context, scope, { event, branch, actor, headSha, statuses: statusesIn(request) }, page);
  return entries({ workflow_runs: await presentRuns(context, runs), total_count: total }, total, page, request);
}

/** A page of jobs. */
export async function jobsResponse(
  context: Context,
  scope: ListScope & { runId?: number },
  query: PageQuery,
  request: RequestParts,
): Promise<HttpResponse> {
  const page = pageOf(context, query);
  const { jobs, total } = await listJobs(context, scope, statusesIn(request), page);
  return entries({ jobs: await presentJobs(context, jobs), total_count: total }, total, page, request);
}

function statusesIn({ url }: RequestParts) {
  return statusesOf(new URL(url).searchParams.getAll('status'));
}

/** A page of entries with how many there are, in the body and in the headers. */
export function entries(body: object, total: number, page: { page: number; limit: number }, { url }: RequestParts): HttpResponse {
  return new HttpResponse(body, { headers: pageHeaders(total, { link: { url, ...page } }) });
}
