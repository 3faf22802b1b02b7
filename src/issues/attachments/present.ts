import type { Context } from '../../context.ts';
import type { AttachmentRow } from '../../database/tables/issues.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import type { Attachment } from './schema.ts';

/** A file on the wire. */
export function presentAttachment({ settings }: Pick<Context, 'settings'>, attachment: AttachmentRow): Shape<typeof Attachment> {
  return {
    id: attachment.id,
    name: attachment.name,
    size: attachment.size,
    download_count: attachment.download_count,
    created_at: wireTime(attachment.created_at),
    uuid: attachment.uuid,
    browser_download_url: `${settings.server.rootUrl}attachments/${attachment.uuid}`,
  };
}

/** The files of issues themselves, without those of their comments, by issue. */
export async function attachmentsOfIssues({ db }: Pick<Context, 'db'>, issueIds: readonly number[]): Promise<Map<number, AttachmentRow[]>> {
  if (issueIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('attachments')
    .selectAll()
    .where('issue_id', 'in', [...issueIds])
    .where('comment_id', 'is', null)
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, (row) => row.issue_id ?? 0);
}

/** The files of comments, by comment. */
export async function attachmentsOfComments(
  { db }: Pick<Context, 'db'>,
  commentIds: readonly number[],
): Promise<Map<number, AttachmentRow[]>> {
  if (commentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('attachments')
    .selectAll()
    .where('comment_id', 'in', [...commentIds])
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, (row) => row.comment_id ?? 0);
}
