import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { prepared, preparedPages } from '../database/prepared.ts';
import type { Page } from '../http/paging.ts';
import { byKind, type Kind } from './by-kind.ts';
import { isPlain } from './count.ts';
import type { IssueFilter } from './issue-filter.ts';
import { ofKind } from './stored-counts.ts';

/** The label of a filter that has one, and nothing else but kind and state. */
export function onlyLabel({ labels = [], ...rest }: IssueFilter): number | undefined {
  const [ids = []] = labels;
  return labels.length === 1 && ids.length === 1 && isPlain(rest) ? ids[0] : undefined;
}

/** Compiled once for each kind; their results recur, and are short. */
const queriesOf = byKind((kind) => {
  const { isPull, isClosed } = kind;
  const count = prepared(
    (db, repositoryId: number, labelId: number) =>
      db
        .selectFrom('issue_counts')
        .select((select) => select.fn.sum<number | null>('count').as('total'))
        .where('mark', '=', 'label')
        .where('mark_id', '=', labelId)
        .where('repository_id', '=', repositoryId)
        .where(ofKind(kind)),
    { isCached: true },
  );
  // The `+` keeps SQLite from going through all issues of the repository.
  const page = preparedPages(
    (db, limit, offset, repositoryId: number, labelId: number) =>
      db
        .selectFrom('issues')
        .select('id')
        .where('id', 'in', (select) => select.selectFrom('issue_labels').select('issue_id').where('label_id', '=', labelId))
        .where(sql<number>`+repository_id`, '=', repositoryId)
        .$if(isPull !== undefined, (query) => query.where('is_pull', '=', isPull ?? false))
        .$if(isClosed !== undefined, (query) => query.where('is_closed', '=', isClosed ?? false))
        .orderBy(sql`+created_at`, 'desc')
        .orderBy(sql`+id`, 'desc')
        .limit(limit)
        .offset(offset),
    { isCached: true },
  );
  return { count, page };
});

/** The number of issues and pull requests of a repository with a label, from the stored counts. */
export async function countWithLabel(db: Db, repositoryId: number, labelId: number, kind: Kind): Promise<number> {
  const [counted] = await queriesOf(kind).count(db, repositoryId, labelId);
  return Number(counted?.total ?? 0);
}

/** The ids of a page of the issues and pull requests with a label that few have, the newest first. */
export async function pageWithLabel(db: Db, repositoryId: number, labelId: number, kind: Kind, page: Page): Promise<number[]> {
  const rows = await queriesOf(kind).page(db, page, repositoryId, labelId);
  return rows.map(({ id }) => id);
}
