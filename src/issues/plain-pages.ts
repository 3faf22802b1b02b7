import type { Db } from '../database/database.ts';
import { preparedPages } from '../database/prepared.ts';
import type { IssueRow } from '../database/tables/issues.ts';
import type { Page } from '../http/paging.ts';
import type { IssueFilter } from './issue-filter.ts';

type Kind = Pick<IssueFilter, 'isPull' | 'isClosed'>;

function pagesOf({ isPull, isClosed }: Kind) {
  return preparedPages((db, limit, offset, repositoryId: number) =>
    db
      .selectFrom('issues')
      .selectAll()
      .where('repository_id', '=', repositoryId)
      .$if(isPull !== undefined, (query) => query.where('is_pull', '=', isPull ?? false))
      .$if(isClosed !== undefined, (query) => query.where('is_closed', '=', isClosed ?? false))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset),
  );
}

const pages = new Map<string, ReturnType<typeof pagesOf>>();

/** A page of the issues and pull requests of a repository, filtered only by kind and state, newest first. */
export async function plainPage(db: Db, repositoryId: number, { isPull, isClosed }: Kind, page: Page): Promise<IssueRow[]> {
  const kind = `${isPull} ${isClosed}`;
  const found = pages.get(kind) ?? pagesOf({ isPull, isClosed });
  pages.set(kind, found);
  return await found(db, page, repositoryId);
}
