import { repositoryRoute } from '../../access/routes.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array, nullable } from '../../http/schema.ts';
import { readTimeRange, timeRangeQuery } from '../../http/time-range.ts';
import { issueOf } from '../find.ts';
import { indexParameter, issuesOrPulls } from '../requirements.ts';
import { timelineOf } from './list.ts';
import { presentTimeline } from './present.ts';
import { TimelineComment } from './schema.ts';

/** The timeline of an issue or pull request. */
export const timelineRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/issues/:index/timeline',
    id: 'issueGetCommentsAndTimeline',
    summary: 'Lists the comments and everything else that happened to an issue, the oldest first; null for nothing',
    tag: 'issue',
    scope: 'issue',
    parameters: indexParameter,
    needs: [issuesOrPulls],
    query: { since: timeRangeQuery.since, ...pageQuery, before: timeRangeQuery.before },
    responses: { 200: nullable(array(TimelineComment)) },
    handle: async ({ query, ...input }, context) => {
      const span = readTimeRange(query);
      const issue = await issueOf(input, context);
      const rows = await presentTimeline(context, await timelineOf(context, issue, span, pageOf(context, query)), issue);
      const response = listed(rows, rows.length);
      return rows.length > 0 ? response : new HttpResponse(null, { headers: response.headers });
    },
  }),
];
