import { buffer } from 'node:stream/consumers';
import { checkScope } from '../../access/authenticate.ts';
import type { Repository } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { AttachmentRow } from '../../database/tables/issues.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { policyFor, SNIFFED_BYTES, servableType } from '../../http/media-type.ts';
import { type HttpResponse, text } from '../../http/responses.ts';
import type { RequestParts } from '../../http/route.ts';
import { serveBytes } from '../../http/serve-bytes.ts';
import { canReadIssue, findIssuesById } from '../find.ts';
import { isHiddenComment } from '../pending.ts';
import { attachmentKey } from './store.ts';

const NOT_FOUND = 'Not Found\n';

/**
 * Serves a file to callers who may read its issue or release, in a form that browsers do not run.
 * @param repositoryId the repository in the path, if there is one: files of others are not found there
 * @throws HttpError 403 for tokens without the scope, 416
 */
export async function serveAttachment(context: Context, uuid: string, request: RequestParts, repositoryId?: number): Promise<HttpResponse> {
  const attachment = await context.db.selectFrom('attachments').selectAll().where('uuid', '=', uuid).executeTakeFirst();
  const isThere = attachment && (repositoryId === undefined || attachment.repository_id === repositoryId);
  if (!isThere || !(await mayRead(context, attachment))) return text(NOT_FOUND, 404);
  const key = attachmentKey(uuid);
  const head = await readHead(context, key);
  if (!head) return text(NOT_FOUND, 404);
  const type = servableType(head);
  const response = await serveBytes(request, {
    size: attachment.size,
    type,
    etag: uuid,
    modified: attachment.created_at,
    headers: {
      'content-disposition': contentDisposition('inline', attachment.name),
      'access-control-expose-headers': 'Content-Disposition',
      ...policyFor(type),
      'cache-control': 'max-age=0, private, must-revalidate, no-transform',
    },
    beyond: 'invalid start range',
    open: async (range) => (await context.storage.get(key, range))?.stream ?? Buffer.alloc(0),
    link: (response) => context.storage.link(key, response),
  });
  if (request.method === 'GET' && (response.status === 200 || response.status === 307)) await countDownload(context, attachment);
  return response;
}

/** Readers of the issue or the release may read its files; a pending file can only be read by its uploader. */
async function mayRead(context: Context, attachment: AttachmentRow): Promise<boolean> {
  const { actor, signIn } = context;
  const { issue_id: issueId, release_id: releaseId } = attachment;
  if (issueId === null && releaseId === null) return actor !== null && attachment.uploader_id === actor.id;
  const repository =
    releaseId === null
      ? await repositoryOfIssue(context, issueId ?? 0, attachment)
      : await context.provided.findRepositoryOfRelease(context, releaseId);
  if (!repository) return false;
  checkScope(signIn.token, [releaseId === null ? 'issue' : 'repository'], 'read');
  return true;
}

async function repositoryOfIssue(context: Context, id: number, { comment_id }: AttachmentRow): Promise<Repository | undefined> {
  if (comment_id !== null && (await isOfHiddenComment(context, comment_id))) return undefined;
  const issue = (await findIssuesById(context.db, [id])).get(id);
  if (!issue || !canReadIssue(await repositoryAccess(context, issue.repository, context.actor), issue)) return undefined;
  return issue.repository;
}

async function isOfHiddenComment(context: Context, id: number): Promise<boolean> {
  const comment = await context.db.selectFrom('comments').select(['author_id', 'review_id']).where('id', '=', id).executeTakeFirst();
  return !comment || isHiddenComment(context, comment);
}

async function readHead({ storage }: Context, key: string): Promise<Buffer | undefined> {
  const stored = await storage.get(key, { start: 0, end: SNIFFED_BYTES - 1 });
  return stored && buffer(stored.stream);
}

async function countDownload({ db }: Context, { id }: AttachmentRow): Promise<void> {
  await db
    .updateTable('attachments')
    .set((row) => ({ download_count: row('download_count', '+', 1) }))
    .where('id', '=', id)
    .execute();
}
