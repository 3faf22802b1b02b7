import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { presentAttachment } from './present.ts';

/** Maximum number of images that are shown for an issue. */
const MAX_PICTURES = 3;
const ENDINGS = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif'];

/** The URLs of the latest images in each of these issues and their comments, by the id of the issue. */
export async function picturesOfIssues(context: Context, issueIds: readonly number[]): Promise<Map<number, readonly string[]>> {
  if (issueIds.length === 0) return new Map();
  const numbered = context.db
    .selectFrom('attachments')
    .selectAll()
    .select(sql<number>`row_number() over (partition by issue_id order by id desc)`.as('place'))
    .where('issue_id', 'in', [...issueIds])
    .where((where) => where.or(ENDINGS.map((ending) => where(where.fn<string>('lower', ['name']), 'like', `%.${ending}`))));
  const rows = await context.db
    .selectFrom(numbered.as('numbered'))
    .selectAll()
    .where('numbered.place', '<=', MAX_PICTURES)
    .orderBy('numbered.place')
    .execute();
  const byIssue = Map.groupBy(rows, ({ issue_id: id }) => id ?? 0);
  return new Map([...byIssue].map(([id, files]) => [id, files.map((file) => presentAttachment(context, file).browser_download_url)]));
}
