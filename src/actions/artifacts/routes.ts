import type { Repository } from '../../access/find-repository.ts';
import { findRepositoryOf } from '../../access/find-repository.ts';
import { findUser } from '../../access/find-user.ts';
import { canRead, canWrite, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { ActionArtifact as ArtifactRow } from '../../database/tables/action-runners.ts';
import { MovedError, notFoundBecause, unauthorized } from '../../http/errors.ts';
import { pageOf } from '../../http/paging.ts';
import { pathId } from '../../http/path-id.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../../http/route.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { repositoryApiUrl } from '../../repositories/urls.ts';
import { type ArtifactScope, deleteArtifact, findArtifact, isAvailable, listArtifacts } from './artifacts.ts';
import { serveArtifact } from './download.ts';
import { ActionArtifact, ActionArtifactsResponse } from './schema.ts';
import { LINK_LIFETIME } from './signed-url.ts';

const PATH = '/repos/:owner/:repo/actions';
const PURPOSE = 'artifact link';
const reading = { scope: 'repository', needs: [canRead('actions')] } as const;
const writing = { scope: 'repository', needs: [canRead('actions'), signedIn, canWrite('actions')] } as const;
const artifact_id = { description: 'id of the artifact' } as const;
const listQuery = { name: query.string('name of the artifact'), ...pageQuery };

/** The routes of artifacts. */
export const artifactRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/artifacts`,
    id: 'getArtifacts',
    summary: 'Lists the artifacts of a repository',
    query: listQuery,
    responses: { 200: ActionArtifactsResponse },
    handle: (input, context) => listResponse(context, input, {}),
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/runs/:run/artifacts`,
    id: 'getArtifactsOfRun',
    summary: 'Lists the artifacts of a run',
    parameters: { run: { type: 'integer', description: 'id of the run' } },
    query: listQuery,
    responses: { 200: ActionArtifactsResponse },
    handle: (input, context) => listResponse(context, input, { runId: pathId(input.params.run) }),
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/artifacts/:artifact_id`,
    id: 'getArtifact',
    summary: 'Gets an artifact',
    parameters: { artifact_id },
    responses: { 200: ActionArtifact },
    handle: async ({ repository, params }, context) =>
      present(context, repository, await artifactOf(context, repository, params.artifact_id)),
  }),
  repositoryRoute({
    ...writing,
    method: 'DELETE',
    path: `${PATH}/artifacts/:artifact_id`,
    id: 'deleteArtifact',
    summary: 'Deletes an artifact',
    parameters: { artifact_id },
    responses: { 204: null },
    handle: async ({ repository, params }, context) => {
      await deleteArtifact(context, await artifactOf(context, repository, params.artifact_id));
      return empty(204);
    },
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/artifacts/:artifact_id/zip`,
    id: 'downloadArtifact',
    summary: 'Leads to where an artifact is downloaded, for an hour',
    parameters: { artifact_id },
    responses: { 302: null },
    handle: async ({ repository, params }, context) => {
      const artifact = await artifactOf(context, repository, params.artifact_id);
      if (!isAvailable(artifact)) throw notFoundBecause('Artifact has expired');
      const expires = String(now() + LINK_LIFETIME);
      const sig = context.secrets.sign(PURPOSE, String(artifact.id), expires);
      throw new MovedError(`${addressOf(context, repository, artifact)}/zip/raw?sig=${sig}&expires=${expires}`, 302);
    },
  }),
  route({
    method: 'GET',
    path: `${PATH}/artifacts/:artifact_id/zip/raw`,
    id: 'downloadArtifactBySignature',
    summary: 'Serves an artifact to who has a signed link',
    open: true,
    hidden: true,
    semaphore: 'downloads',
    responses: { 200: null },
    handle: async ({ params, request }, context) => {
      const search = new URL(request.url).searchParams;
      const [sig, expires] = [search.get('sig') ?? '', search.get('expires') ?? ''];
      const id = pathId(params.artifact_id);
      // Callers without a link must not learn what exists.
      if (!context.secrets.isSigned(sig, PURPOSE, String(id), expires)) throw unauthorized('Error unauthorized');
      if (Number(expires) <= now()) throw unauthorized('Error link expired');
      const owner = await findUser(context.db, params.owner);
      const repository = owner && (await findRepositoryOf(context.db, owner, params.repo));
      if (!repository) throw notFoundBecause('artifact not found');
      const artifact = await artifactOf(context, repository, params.artifact_id);
      if (!isAvailable(artifact)) throw notFoundBecause('Artifact has expired');
      return await serveArtifact(context, request, artifact);
    },
  }),
];

async function listResponse(
  context: Context,
  input: { repository: Repository; query: { name?: string | undefined; page?: number | undefined; limit?: number | undefined } },
  scope: Pick<ArtifactScope, 'runId'>,
) {
  const { repository, query } = input;
  const page = pageOf(context, query);
  const { artifacts, total } = await listArtifacts(context, { ...scope, repositoryId: repository.id, name: query.name }, page);
  // Clients get the total in the body alone.
  return { artifacts: artifacts.map((one) => present(context, repository, one)), total_count: total };
}

/** The artifact that a path names, once it is complete. */
async function artifactOf(context: Context, repository: Repository, id: string): Promise<ArtifactRow> {
  const artifact = await findArtifact(context, pathId(id));
  // Files of the older protocol are not artifacts of the API.
  const isShown = artifact?.encoding.includes('/') && ['confirmed', 'expired'].includes(artifact.status);
  if (artifact?.repository_id !== repository.id || !isShown) throw notFoundBecause('artifact not found');
  return artifact;
}

function addressOf({ settings }: Context, repository: Repository, { id }: ArtifactRow): string {
  return `${repositoryApiUrl(settings, repository)}/actions/artifacts/${id}`;
}

function present(context: Context, repository: Repository, artifact: ArtifactRow): Shape<typeof ActionArtifact> {
  const url = addressOf(context, repository, artifact);
  return {
    id: artifact.id,
    name: artifact.name,
    size_in_bytes: artifact.size,
    url,
    archive_download_url: `${url}/zip`,
    expired: artifact.status === 'expired',
    // Clients get only these fields of the run, and the others empty.
    workflow_run: {
      id: artifact.run_id,
      url: '',
      html_url: '',
      display_title: '',
      path: '',
      event: '',
      run_attempt: 0,
      run_number: 0,
      repository_id: artifact.repository_id,
      head_sha: artifact.commit_sha,
      status: '',
      started_at: wireTime(null),
      completed_at: wireTime(null),
    },
    created_at: wireTime(artifact.created_at),
    updated_at: wireTime(artifact.updated_at),
    expires_at: wireTime(artifact.expires_at),
  };
}
