import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import { prepared, preparedPages } from '../database/prepared.ts';
import type { ReleaseRow } from '../database/tables/releases.ts';
import type { Page } from '../http/paging.ts';

/** Which releases a list shows; undefined means any. */
export interface ReleaseFilter {
  isDraft?: boolean | undefined;
  isPrerelease?: boolean | undefined;
  /** Whether drafts are shown at all. */
  withDrafts: boolean;
}

/** The releases of a repository, newest first, a page of them, and how many there are. */
export async function listReleases(
  { db }: Pick<Context, 'db'>,
  { id }: Pick<Repository, 'id'>,
  { isDraft, isPrerelease, withDrafts }: ReleaseFilter,
  page: Page,
): Promise<{ releases: ReleaseRow[]; total: number }> {
  if (isDraft && !withDrafts) return { releases: [], total: 0 };
  const { list, count } = queriesFor(withDrafts ? isDraft : false, isPrerelease);
  const releases = await list(db, page, id);
  const [{ total } = { total: 0 }] = await count(db, id);
  return { releases, total: Number(total) };
}

type Queries = ReturnType<typeof compile>;
const known = new Map<string, Queries>();

/** Nine at most: each is compiled once. */
function queriesFor(isDraft: boolean | undefined, isPrerelease: boolean | undefined): Queries {
  const key = `${isDraft} ${isPrerelease}`;
  const queries = known.get(key) ?? compile(isDraft, isPrerelease);
  known.set(key, queries);
  return queries;
}

function compile(isDraft: boolean | undefined, isPrerelease: boolean | undefined) {
  const matching = (db: Db, repositoryId: number) =>
    db
      .selectFrom('releases')
      .where('repository_id', '=', repositoryId)
      .$if(isDraft !== undefined, (releases) => releases.where('is_draft', '=', isDraft ?? false))
      .$if(isPrerelease !== undefined, (releases) => releases.where('is_prerelease', '=', isPrerelease ?? false));
  return {
    list: preparedPages((db, limit, offset, repositoryId: number) =>
      matching(db, repositoryId).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset),
    ),
    count: prepared((db, repositoryId: number) => matching(db, repositoryId).select((select) => select.fn.countAll().as('total'))),
  };
}
