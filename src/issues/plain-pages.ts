import type { Db } from '../database/database.ts';
import { preparedPages } from '../database/prepared.ts';
import type { IssueRow } from '../database/tables/issues.ts';
import type { Page } from '../http/paging.ts';
import { byKind, type Kind } from './by-kind.ts';

const pagesOf = byKind(({ isPull, isClosed }) =>
  preparedPages((db, limit, offset, repositoryId: number) =>
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
  ),
);

/** A page of the issues and pull requests of a repository, filtered only by kind and state, newest first. */
export function plainPage(db: Db, repositoryId: number, kind: Kind, page: Page): Promise<IssueRow[]> {
  return pagesOf(kind)(db, page, repositoryId);
}
