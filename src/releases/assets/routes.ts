import { canRead, canWrite, signedIn, unitOn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import type { AttachmentRow } from '../../database/tables/issues.ts';
import { receiveBytes } from '../../http/bodies/upload.ts';
import { badRequest, MovedError, notFound } from '../../http/errors.ts';
import { empty, text } from '../../http/responses.ts';
import { type AnyRoute, query, type RequestParts } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { ForbiddenTypeError } from '../../issues/attachments/allowed.ts';
import { renameAttachment } from '../../issues/attachments/attachments.ts';
import { presentAttachment } from '../../issues/attachments/present.ts';
import { removeAttachments } from '../../issues/attachments/remove.ts';
import { Attachment, EditAttachmentOptions } from '../../issues/attachments/schema.ts';
import { serveAttachment } from '../../issues/attachments/serve.ts';
import { receiveAttachment, storeFile } from '../../issues/attachments/store.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import { findLatestRelease, findReleaseOfTag, type ReleasesInput, releaseOf, seesDrafts } from '../find.ts';
import { presentFiles } from '../present.ts';
import { addFile, fileOf, filesOfReleases, findFileByName } from './files.ts';

const PATH = '/repos/:owner/:repo/releases/:id/assets';
const reading = { scope: 'repository', needs: [canRead('releases')] } as const;
const writing = { scope: 'repository', needs: [canRead('releases'), signedIn, canWrite('releases')] } as const;

const id = { type: 'integer', format: 'int64', description: 'id of the release' } as const;
const attachment = { type: 'integer', format: 'int64', description: 'id of the file' } as const;

/** Files of releases. */
export const releaseFileRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: PATH,
    id: 'repoListReleaseAttachments',
    summary: 'Lists the files of a release by name',
    parameters: { id },
    responses: { 200: array(ref(Attachment)) },
    handle: async (input, context) => {
      const release = await releaseOf(context, input, input.params.id);
      const files = (await filesOfReleases(context, [release.id])).get(release.id) ?? [];
      return presentFiles(context, input.repository, release, files);
    },
  }),
  repositoryRoute({
    ...writing,
    method: 'POST',
    path: PATH,
    semaphore: 'uploads',
    id: 'repoCreateReleaseAttachment',
    summary: 'Adds a file to a release: in a form, or as the whole body with its name in the query',
    parameters: { id },
    query: { name: query.string('name of the file, instead of the one in the form') },
    body: 'stream',
    consumes: ['multipart/form-data', 'application/octet-stream'],
    form: { attachment: { type: 'file', description: 'the file' }, name: { type: 'string', description: 'its name' } },
    responses: { 201: ref(Attachment) },
    also: [400],
    handle: async (input, context) => presentAttachment(context, await upload(context, input)),
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/:attachment_id`,
    id: 'repoGetReleaseAttachment',
    summary: 'Gets a file of a release',
    parameters: { id, attachment_id: attachment },
    responses: { 200: ref(Attachment) },
    handle: async (input, context) => presentAttachment(context, await fileIn(context, input)),
  }),
  repositoryRoute({
    ...writing,
    method: 'PATCH',
    path: `${PATH}/:attachment_id`,
    id: 'repoEditReleaseAttachment',
    summary: 'Renames a file of a release',
    parameters: { id, attachment_id: attachment },
    body: EditAttachmentOptions,
    responses: { 201: ref(Attachment) },
    also: [400],
    handle: async (input, context) => {
      const { allowedTypes } = context.settings.releases;
      return presentAttachment(context, await renameAttachment(context, await fileIn(context, input), input.body.name ?? '', allowedTypes));
    },
  }),
  repositoryRoute({
    ...writing,
    method: 'DELETE',
    path: `${PATH}/:attachment_id`,
    id: 'repoDeleteReleaseAttachment',
    summary: 'Deletes a file of a release',
    parameters: { id, attachment_id: attachment },
    responses: { 204: null },
    handle: async (input, context) => {
      await removeAttachments(context, { id: (await fileIn(context, input)).id });
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '//:owner/:repo/releases/latest',
    download: true,
    id: 'leadToLatestRelease',
    summary: 'Redirects to the page of the latest release, whose URL has its tag',
    hidden: true,
    scope: 'repository',
    needs: [unitOn('releases')],
    responses: { 303: null },
    handle: async ({ repository }, context) => {
      const release = await findLatestRelease(context.db, repository.id);
      if (!release) throw notFound();
      const { pathname } = new URL(repositoryHtmlUrl(context.settings, repository));
      throw new MovedError(`${pathname}/releases/tag/${escapePath(release.tag_name)}`, 303);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '//:owner/:repo/releases/download/:tag/:name',
    download: true,
    semaphore: 'downloads',
    id: 'downloadReleaseFile',
    summary: 'Serves a file of a release by its name; the tag `latest` stands for the latest release where no other has it',
    hidden: true,
    needs: [unitOn('releases')],
    responses: { 200: null },
    handle: async (input, context) => {
      const file = await fileAt(context, input, input.params);
      if (!file) return text('Not Found\n', 404);
      return serveAttachment(context, file.uuid, input.request, input.repository.id);
    },
  }),
];

interface FileInput extends ReleasesInput {
  params: { id: string; attachment_id: string };
}

async function fileIn(context: Context, input: FileInput): Promise<AttachmentRow> {
  return fileOf(context, await releaseOf(context, input, input.params.id), input.params.attachment_id);
}

async function fileAt(context: Context, { repository, access }: ReleasesInput, { tag, name }: { tag: string; name: string }) {
  const { db } = context;
  const tagged = await findReleaseOfTag(db, repository.id, tag);
  const isSeen = tagged?.tag_name === tag && (!tagged.is_draft || seesDrafts(context, access));
  const release = isSeen ? tagged : tag === 'latest' ? await findLatestRelease(db, repository.id) : undefined;
  return release && findFileByName(context, release, name);
}

interface UploadInput extends ReleasesInput {
  params: { id: string };
  query: { name?: string };
  request: RequestParts;
}

/** @throws HttpError 400 for a file without a name or of a forbidden type, 404, 413, 422 */
async function upload(context: Context, input: UploadInput): Promise<AttachmentRow> {
  if (!context.settings.attachments.enabled) throw notFound(null, 'Attachment is not enabled');
  const release = await releaseOf(context, input, input.params.id);
  const { raw, headers } = input.request;
  const { allowedTypes, maxSize } = context.settings.releases;
  const { name = '' } = input.query;
  const isForm = headers['content-type']?.toLowerCase().startsWith('multipart/form-data');
  if (!isForm && name === '') throw badRequest('Could not determine name of attachment.');
  try {
    const file = isForm
      ? await receiveAttachment(raw, context, { name: input.query.name, allowedTypes, maxSize })
      : await receiveBytes(raw, { maxSize }, ({ content }) => storeFile(context, { name, content }, { allowedTypes, maxSize }));
    return await addFile(context, release, file);
  } catch (error) {
    throw error instanceof ForbiddenTypeError ? badRequest(error.message) : error;
  }
}
