import { anyRead, canWrite, orgOwner, orgVisible, signedIn } from '../../access/requirements.ts';
import { organizationRoute, repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query } from '../../http/route.ts';
import { array, type Shape } from '../../http/schema.ts';
import {
  createLabel,
  deleteLabel,
  editLabel,
  getLabel,
  getLabelById,
  type LabelOptions,
  type LabelOwner,
  type LabelSort,
  listLabels,
  ownerNamesOf,
} from './labels.ts';
import { presentLabel } from './present.ts';
import { CreateLabelOption, EditLabelOption, Label } from './schema.ts';

const owner = { description: 'owner of the repository' };
const repo = { description: 'name of the repository' };
const org = { description: 'name of the organization' };
const id = { type: 'integer', format: 'int64', description: 'id of the label' } as const;

/** Labels of repositories. */
export const repositoryLabelRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/labels',
    id: 'issueListLabels',
    summary: 'Lists the labels of a repository',
    scope: 'issue',
    needs: [anyRead],
    parameters: { owner, repo },
    query: { sort: query.string('alphabetically, reversealphabetically, leastissues or mostissues', { undescribed: true }), ...pageQuery },
    responses: { 200: array(Label) },
    handle: async ({ repository, query }, context) => list(context, { repository }, query),
  }),
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/labels',
    id: 'issueCreateLabel',
    summary: 'Creates a label of a repository',
    scope: 'issue',
    needs: [signedIn, canWrite('issues', 'pulls')],
    parameters: { owner, repo },
    body: CreateLabelOption,
    responses: { 201: Label },
    handle: async ({ repository, body }, context) => {
      const label = await createLabel(context, { repository }, { ...optionsFrom(body), name: body.name, color: body.color });
      return presentLabel(context, label, repository);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/labels/:id',
    id: 'issueGetLabel',
    summary: 'Gets a label of a repository by its id, or by its name',
    scope: 'issue',
    needs: [anyRead],
    parameters: { owner, repo, id },
    responses: { 200: Label },
    handle: async ({ repository, params }, context) =>
      presentLabel(context, await getLabel(context, { repository }, params.id), repository),
  }),
  repositoryRoute({
    method: 'PATCH',
    path: '/repos/:owner/:repo/labels/:id',
    id: 'issueEditLabel',
    summary: 'Changes a label of a repository',
    scope: 'issue',
    needs: [signedIn, canWrite('issues', 'pulls')],
    parameters: { owner, repo, id },
    body: EditLabelOption,
    responses: { 200: Label },
    handle: async ({ repository, params, body }, context) => {
      const label = await getLabelById(context, { repository }, params.id);
      return presentLabel(context, await editLabel(context, label, optionsFrom(body)), repository);
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo/labels/:id',
    id: 'issueDeleteLabel',
    summary: 'Removes a label of a repository',
    scope: 'issue',
    needs: [signedIn, canWrite('issues', 'pulls')],
    parameters: { owner, repo, id },
    responses: { 204: null },
    handle: async ({ repository, params }, context) => {
      await deleteLabel(context, { repository }, params.id);
      return empty(204);
    },
  }),
];

/** Labels of organizations, which the issues of all their repositories can have. */
export const organizationLabelRoutes: readonly AnyRoute[] = [
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/labels',
    id: 'orgListLabels',
    summary: 'Lists the labels of an organization',
    scope: 'organization',
    needs: [orgVisible()],
    parameters: { org },
    query: { sort: query.string('alphabetically, reversealphabetically, leastissues or mostissues', { undescribed: true }), ...pageQuery },
    responses: { 200: array(Label) },
    handle: async ({ organization, query }, context) => list(context, { organization }, query),
  }),
  organizationRoute({
    method: 'POST',
    path: '/orgs/:org/labels',
    id: 'orgCreateLabel',
    summary: 'Creates a label of an organization',
    scope: 'organization',
    needs: [orgVisible(), signedIn, orgOwner],
    parameters: { org },
    body: CreateLabelOption,
    responses: { 201: Label },
    handle: async ({ organization, body }, context) => {
      // A new label of an organization is always active.
      const options = { ...optionsFrom(body), name: body.name, color: body.color, isArchived: false };
      return presentLabel(context, await createLabel(context, { organization }, options), ownerNamesOf({ organization }));
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/labels/:id',
    id: 'orgGetLabel',
    summary: 'Gets a label of an organization by its id, or by its name',
    scope: 'organization',
    needs: [orgVisible(), signedIn],
    parameters: { org, id },
    responses: { 200: Label },
    handle: async ({ organization, params }, context) =>
      presentLabel(context, await getLabel(context, { organization }, params.id), ownerNamesOf({ organization })),
  }),
  organizationRoute({
    method: 'PATCH',
    path: '/orgs/:org/labels/:id',
    id: 'orgEditLabel',
    summary: 'Changes a label of an organization',
    scope: 'organization',
    needs: [orgVisible(), signedIn, orgOwner],
    parameters: { org, id },
    body: EditLabelOption,
    responses: { 200: Label },
    handle: async ({ organization, params, body }, context) => {
      const label = await getLabelById(context, { organization }, params.id);
      return presentLabel(context, await editLabel(context, label, optionsFrom(body)), ownerNamesOf({ organization }));
    },
  }),
  organizationRoute({
    method: 'DELETE',
    path: '/orgs/:org/labels/:id',
    id: 'orgDeleteLabel',
    summary: 'Removes a label of an organization',
    scope: 'organization',
    needs: [orgVisible(), signedIn, orgOwner],
    parameters: { org, id },
    responses: { 204: null },
    handle: async ({ organization, params }, context) => {
      await deleteLabel(context, { organization }, params.id);
      return empty(204);
    },
  }),
];

async function list(context: Context, owner: LabelOwner, query: { sort?: string; page?: number; limit?: number }) {
  const { labels, total } = await listLabels(context, owner, pageOf(context, query), query.sort as LabelSort);
  return listed(
    labels.map((label) => presentLabel(context, label, ownerNamesOf(owner))),
    total,
  );
}

function optionsFrom(body: Shape<typeof EditLabelOption>): LabelOptions {
  return {
    name: body.name,
    description: body.description,
    color: body.color,
    isExclusive: body.exclusive,
    isArchived: body.is_archived,
  };
}
