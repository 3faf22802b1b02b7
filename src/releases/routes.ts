import { canRead, canWrite, signedIn } from '../access/requirements.ts';
import { repositoryRoute } from '../access/routes.ts';
import { notFound } from '../http/errors.ts';
import { listed, pageOf } from '../http/paging.ts';
import { empty } from '../http/responses.ts';
import { type AnyRoute, pageQuery, query } from '../http/route.ts';
import { array, ref } from '../http/schema.ts';
import { releaseFileRoutes } from './assets/routes.ts';
import { findLatestRelease, releaseOf, releaseOfTag, seesDrafts } from './find.ts';
import { listReleases } from './list.ts';
import { presentRelease, presentReleases } from './present.ts';
import { createRelease, deleteRelease, editRelease } from './releases.ts';
import { CreateReleaseOption, EditReleaseOption, Release } from './schema.ts';

const PATH = '/repos/:owner/:repo/releases';
const reading = { scope: 'repository', needs: [canRead('releases')] } as const;
const NEEDS = [canRead('releases'), signedIn, canWrite('releases')];
const writing = { scope: 'repository', needs: NEEDS } as const;

const id = { type: 'integer', format: 'int64', description: 'id of the release' } as const;
const tag = { description: 'the tag of the release' } as const;

/** Releases; those of one repository, and their files. */
export const releaseRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: PATH,
    id: 'repoListReleases',
    summary: 'Lists the releases, the newest first; drafts are shown to those who write releases',
    query: {
      draft: query.boolean('only drafts, or only those that are not'),
      'pre-release': query.boolean('only prereleases, or only those that are not'),
      ...pageQuery,
    },
    responses: { 200: array(ref(Release)) },
    handle: async ({ repository, access, query, request }, context) => {
      const page = pageOf(context, query);
      const filter = { isDraft: query.draft, isPrerelease: query['pre-release'], withDrafts: seesDrafts(context, access) };
      const { releases, total } = await listReleases(context, repository, filter, page);
      return listed(await presentReleases(context, repository, releases), total, { url: request.url, ...page });
    },
  }),
  repositoryRoute({
    ...writing,
    method: 'POST',
    path: PATH,
    id: 'repoCreateRelease',
    summary: 'Creates a release, and its tag if that does not exist',
    body: CreateReleaseOption,
    responses: { 201: Release },
    also: [409, 423],
    handle: async ({ repository, access, body }, context) => {
      const release = await createRelease(context, repository, access, {
        tag: body.tag_name,
        target: body.target_commitish,
        tagMessage: body.tag_message,
        title: body.name,
        note: body.body,
        isDraft: body.draft,
        isPrerelease: body.prerelease,
      });
      return presentRelease(context, repository, release);
    },
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/latest`,
    id: 'repoGetLatestRelease',
    summary: 'Gets the newest release that is neither a draft nor a prerelease',
    responses: { 200: Release },
    handle: async ({ repository }, context) => {
      const release = await findLatestRelease(context.db, repository.id);
      if (!release) throw notFound();
      return presentRelease(context, repository, release);
    },
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/tags/:tag`,
    id: 'repoGetReleaseByTag',
    summary: 'Gets the release of a tag',
    parameters: { tag },
    responses: { 200: Release },
    handle: async (input, context) => presentRelease(context, input.repository, await releaseOfTag(context, input, input.params.tag)),
  }),
  repositoryRoute({
    ...writing,
    method: 'DELETE',
    path: `${PATH}/tags/:tag`,
    id: 'repoDeleteReleaseByTag',
    summary: 'Deletes the release of a tag; the tag stays',
    parameters: { tag },
    responses: { 204: null },
    also: [409],
    handle: async (input, context) => {
      await deleteRelease(context, input.repository, await releaseOfTag(context, input, input.params.tag));
      return empty(204);
    },
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'repoGetRelease',
    summary: 'Gets a release',
    parameters: { id },
    responses: { 200: Release },
    handle: async (input, context) => presentRelease(context, input.repository, await releaseOf(context, input, input.params.id)),
  }),
  repositoryRoute({
    ...writing,
    method: 'PATCH',
    path: `${PATH}/:id`,
    id: 'repoEditRelease',
    summary: 'Changes a release, publishes a draft or makes a release a draft',
    parameters: { id },
    body: EditReleaseOption,
    responses: { 200: Release },
    also: [409, 423],
    handle: async (input, context) => {
      const { repository, access, params, body } = input;
      const release = await editRelease(context, repository, access, await releaseOf(context, input, params.id), {
        tag: body.tag_name,
        target: body.target_commitish,
        // Clients send empty texts for fields that they do not change.
        title: body.name || undefined,
        note: body.body || undefined,
        isDraft: body.draft,
        isPrerelease: body.prerelease,
      });
      return presentRelease(context, repository, release);
    },
  }),
  repositoryRoute({
    ...writing,
    method: 'DELETE',
    path: `${PATH}/:id`,
    id: 'repoDeleteRelease',
    summary: 'Deletes a release; its tag stays',
    parameters: { id },
    responses: { 204: null },
    also: [409],
    handle: async (input, context) => {
      await deleteRelease(context, input.repository, await releaseOf(context, input, input.params.id));
      return empty(204);
    },
  }),
  ...releaseFileRoutes,
];
