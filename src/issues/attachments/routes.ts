import type { RepositoryAccess } from '../../access/repository-access.ts';
import { attachmentsOn, notArchived, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import type { AttachmentRow } from '../../database/tables/issues.ts';
import { NotFoundOrNull } from '../../http/description/error-schema.ts';
import { empty, type HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, query, type RequestParts, route } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { issuesOrPulls } from '../requirements.ts';
import { type AttachmentTarget, attach, refuseNoWriter, renameAttachment } from './attachments.ts';
import { changeableFile, commentTarget, type FileInput, fileIn, issueTarget } from './load.ts';
import { attachmentsOfComments, attachmentsOfIssues, presentAttachment } from './present.ts';
import { removeAttachments } from './remove.ts';
import { Attachment, EditAttachmentOptions } from './schema.ts';
import { serveAttachment } from './serve.ts';
import { receiveAttachment } from './store.ts';

const AT_ISSUE = '/repos/:owner/:repo/issues/:index/assets';
const AT_COMMENT = '/repos/:owner/:repo/issues/comments/:id/assets';

const common = { scope: 'issue', tag: 'issue' } as const;
const reading = { ...common, needs: [issuesOrPulls, attachmentsOn] };
const writing = { ...common, needs: [issuesOrPulls, attachmentsOn, signedIn, notArchived] };
const uploading = {
  ...writing,
  method: 'POST',
  semaphore: 'uploads',
  body: 'stream',
  consumes: ['multipart/form-data'],
  form: { attachment: { type: 'file', description: 'the file', required: true }, name: { type: 'string', description: 'its name' } },
  query: { name: query.string('name of the file, instead of the one in the form') },
  responses: { 201: ref(Attachment), 404: NotFoundOrNull },
} as const;

const index = { type: 'integer', format: 'int64', description: 'number of the issue' } as const;
const id = { type: 'integer', format: 'int64', description: 'id of the comment' } as const;
const attachment = { type: 'integer', format: 'int64', description: 'id of the file' } as const;

/** Files of issues. */
const issueAttachmentRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: AT_ISSUE,
    id: 'issueListIssueAttachments',
    summary: 'Lists the files of an issue',
    parameters: { index },
    responses: { 200: array(ref(Attachment)), 404: NotFoundOrNull },
    handle: async (input, context) => {
      const { issue } = await issueTarget(input, context);
      return presentAll(context, (await attachmentsOfIssues(context, [issue.id])).get(issue.id));
    },
  }),
  repositoryRoute({
    ...uploading,
    path: AT_ISSUE,
    id: 'issueCreateIssueAttachment',
    summary: 'Attaches a file to an issue',
    parameters: { index },
    handle: async (input, context) => upload(context, await issueTarget(input, context), input),
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${AT_ISSUE}/:attachment_id`,
    id: 'issueGetIssueAttachment',
    summary: 'Gets a file of an issue',
    parameters: { index, attachment_id: attachment },
    responses: { 200: ref(Attachment), 404: NotFoundOrNull },
    handle: async (input, context) => presentAttachment(context, (await fileIn(context, await issueTarget(input, context), input)).file),
  }),
  repositoryRoute({
    ...writing,
    method: 'PATCH',
    path: `${AT_ISSUE}/:attachment_id`,
    id: 'issueEditIssueAttachment',
    summary: 'Renames a file of an issue',
    parameters: { index, attachment_id: attachment },
    body: EditAttachmentOptions,
    responses: { 201: ref(Attachment), 404: NotFoundOrNull },
    handle: async (input, context) => rename(context, await issueTarget(input, context), input),
  }),
  repositoryRoute({
    ...writing,
    method: 'DELETE',
    path: `${AT_ISSUE}/:attachment_id`,
    id: 'issueDeleteIssueAttachment',
    summary: 'Deletes a file of an issue',
    parameters: { index, attachment_id: attachment },
    responses: { 204: null, 404: NotFoundOrNull },
    handle: async (input, context) => remove(context, await issueTarget(input, context), input),
  }),
];

/** Files of comments. */
const commentAttachmentRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: AT_COMMENT,
    id: 'issueListIssueCommentAttachments',
    summary: 'Lists the files of a comment',
    parameters: { id },
    responses: { 200: array(ref(Attachment)), 404: NotFoundOrNull },
    handle: async (input, context) => {
      const { comment } = await commentTarget(input, context);
      return presentAll(context, (await attachmentsOfComments(context, [comment.id])).get(comment.id));
    },
  }),
  repositoryRoute({
    ...uploading,
    path: AT_COMMENT,
    id: 'issueCreateIssueCommentAttachment',
    summary: 'Attaches a file to a comment',
    parameters: { id },
    handle: async (input, context) => upload(context, await commentTarget(input, context), input),
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${AT_COMMENT}/:attachment_id`,
    id: 'issueGetIssueCommentAttachment',
    summary: 'Gets a file of a comment',
    parameters: { id, attachment_id: attachment },
    responses: { 200: ref(Attachment), 404: NotFoundOrNull },
    handle: async (input, context) => presentAttachment(context, (await fileIn(context, await commentTarget(input, context), input)).file),
  }),
  repositoryRoute({
    ...writing,
    method: 'PATCH',
    path: `${AT_COMMENT}/:attachment_id`,
    id: 'issueEditIssueCommentAttachment',
    summary: 'Renames a file of a comment',
    parameters: { id, attachment_id: attachment },
    body: EditAttachmentOptions,
    responses: { 201: ref(Attachment), 404: NotFoundOrNull },
    handle: async (input, context) => rename(context, await commentTarget(input, context), input),
  }),
  repositoryRoute({
    ...writing,
    method: 'DELETE',
    path: `${AT_COMMENT}/:attachment_id`,
    id: 'issueDeleteIssueCommentAttachment',
    summary: 'Deletes a file of a comment',
    parameters: { id, attachment_id: attachment },
    responses: { 204: null, 404: NotFoundOrNull },
    handle: async (input, context) => remove(context, await commentTarget(input, context), input),
  }),
];

/** The bytes of files, under their own URL and under that of their repository. */
const downloadRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//attachments/:uuid',
    download: true,
    semaphore: 'downloads',
    id: 'downloadAttachment',
    summary: 'Serves an attached file',
    hidden: true,
    responses: { 200: null },
    handle: async ({ params, request }, context) => serveAttachment(context, params.uuid, request),
  }),
  repositoryRoute({
    method: 'GET',
    path: '//:owner/:repo/attachments/:uuid',
    download: true,
    semaphore: 'downloads',
    id: 'downloadRepositoryAttachment',
    summary: 'Serves a file attached in a repository',
    hidden: true,
    responses: { 200: null },
    handle: async ({ repository, params, request }, context) => serveAttachment(context, params.uuid, request, repository.id),
  }),
];

/** Files attached to issues and comments. */
export const attachmentRoutes: readonly AnyRoute[] = [...issueAttachmentRoutes, ...commentAttachmentRoutes, ...downloadRoutes];

interface UploadInput {
  access: RepositoryAccess;
  query: { name?: string };
  request: RequestParts;
}

async function upload(context: Context, target: AttachmentTarget, { access, query, request }: UploadInput) {
  refuseNoWriter(target, access, context);
  const { allowedTypes, maxSize } = context.settings.attachments;
  const file = await receiveAttachment(request.raw, context, { name: query.name, allowedTypes, maxSize });
  return presentAttachment(context, await attach(context, target, file));
}

async function rename(context: Context, target: AttachmentTarget, input: FileInput & { body: { name?: string } }) {
  const found = await changeableFile(context, target, input);
  return presentAttachment(
    context,
    await renameAttachment(context, found, input.body.name ?? '', context.settings.attachments.allowedTypes),
  );
}

async function remove(context: Context, target: AttachmentTarget, input: FileInput): Promise<HttpResponse> {
  await removeAttachments(context, { id: (await changeableFile(context, target, input)).id });
  return empty(204);
}

function presentAll(context: Context, rows: readonly AttachmentRow[] = []) {
  return rows.map((row) => presentAttachment(context, row));
}
