import type { Context } from '../../context.ts';
import { preparedIn } from '../../database/prepared.ts';
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

const ofIssues = preparedIn((db, ids) =>
  db.selectFrom('attachments').selectAll().where('issue_id', 'in', ids).where('comment_id', 'is', null).orderBy('id'),
);
const ofComments = preparedIn((db, ids) => db.selectFrom('attachments').selectAll().where('comment_id', 'in', ids).orderBy('id'));

/** The files of issues themselves, without those of their comments, by issue. */
export async function attachmentsOfIssues({ db }: Pick<Context, 'db'>, issueIds: readonly number[]): Promise<Map<number, AttachmentRow[]>> {
  return Map.groupBy(await ofIssues(db, issueIds), (row) => row.issue_id ?? 0);
}

/** The files of comments, by comment. */
export async function attachmentsOfComments(
  { db }: Pick<Context, 'db'>,
  commentIds: readonly number[],
): Promise<Map<number, AttachmentRow[]>> {
  return Map.groupBy(await ofComments(db, commentIds), (row) => row.comment_id ?? 0);
}
