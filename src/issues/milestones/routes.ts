import type { Repository } from '../../access/find-repository.ts';
import { anyRead, canWrite, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import type { MilestoneRow } from '../../database/tables/issues.ts';
import { notFound } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { deadlineSeconds, endOfDay } from '../deadline.ts';
import { readState } from '../list-query.ts';
import { findMilestone, findMilestoneTitled } from './find.ts';
import { createMilestone, deleteMilestone, editMilestone, listMilestones } from './milestones.ts';
import { presentMilestone } from './present.ts';
import { CreateMilestoneOption, EditMilestoneOption, Milestone } from './schema.ts';

const common = { tag: 'issue', scope: 'issue' } as const;
const mayWrite = canWrite('issues', 'pulls');

/** Milestones of a repository; a path has the id of one or, if there is none with this id, its title. */
export const milestoneRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...common,
    method: 'GET',
    path: '/repos/:owner/:repo/milestones',
    id: 'issueGetMilestonesList',
    summary: 'Lists the milestones of a repository, those without a date, then those due first',
    query: {
      state: query.string('whether open, closed or all; open when left out'),
      name: query.string('what the title has in it, without regard to case'),
      ...pageQuery,
    },
    needs: [anyRead],
    responses: { 200: array(Milestone) },
    handle: async ({ repository, query }, context) => {
      const filter = { isClosed: readState(query.state), name: query.name };
      const { milestones, total } = await listMilestones(context, repository, filter, pageOf(context, query));
      return listed(milestones.map(presentMilestone), total);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'POST',
    path: '/repos/:owner/:repo/milestones',
    id: 'issueCreateMilestone',
    summary: 'Creates a milestone',
    needs: [signedIn, mayWrite],
    body: CreateMilestoneOption,
    responses: { 201: Milestone },
    handle: async ({ repository, body }, context) => {
      const { title, description, state } = body;
      const fields = { title, description, isClosed: state === 'closed', deadline: deadlineSeconds(body.due_on) };
      return presentMilestone(await createMilestone(context, repository, fields));
    },
  }),
  repositoryRoute({
    ...common,
    method: 'GET',
    path: '/repos/:owner/:repo/milestones/:id',
    id: 'issueGetMilestone',
    summary: 'Gets a milestone',
    needs: [anyRead],
    responses: { 200: Milestone },
    handle: async ({ repository, params }, context) => presentMilestone(await milestoneOf(context, repository, params.id)),
  }),
  repositoryRoute({
    ...common,
    method: 'PATCH',
    path: '/repos/:owner/:repo/milestones/:id',
    id: 'issueEditMilestone',
    summary: 'Changes a milestone',
    needs: [signedIn, mayWrite],
    body: EditMilestoneOption,
    responses: { 200: Milestone },
    handle: async ({ repository, params, body }, context) => {
      const milestone = await milestoneOf(context, repository, params.id);
      const { title, description, state } = body;
      const isClosed = state === undefined ? undefined : state === 'closed';
      const fields = { title, description, isClosed, deadline: endOfDay(body.due_on, 'utc') };
      return presentMilestone(await editMilestone(context, milestone, fields));
    },
  }),
  repositoryRoute({
    ...common,
    method: 'DELETE',
    path: '/repos/:owner/:repo/milestones/:id',
    id: 'issueDeleteMilestone',
    summary: 'Deletes a milestone',
    needs: [signedIn, mayWrite],
    responses: { 204: null },
    handle: async ({ repository, params }, context) => {
      await deleteMilestone(context, await milestoneOf(context, repository, params.id));
      return empty(204);
    },
  }),
];

async function milestoneOf({ db }: Context, { id }: Repository, idOrTitle: string): Promise<MilestoneRow> {
  const byId = /^\d{1,15}$/.test(idOrTitle) ? await findMilestone(db, id, Number(idOrTitle)) : undefined;
  const milestone = byId ?? (await findMilestoneTitled(db, id, idOrTitle));
  if (!milestone) throw notFound();
  return milestone;
}
