import type { Context } from '../context.ts';
import type { ReleaseRow } from '../database/tables/releases.ts';
import type { Page } from '../http/paging.ts';
import type { Repository } from '../repositories/find.ts';

/** Which releases a list shows; what is undefined does not matter. */
export interface ReleaseFilter {
  isDraft?: boolean | undefined;
  isPrerelease?: boolean | undefined;
  /** Whether drafts are shown at all. */
  withDrafts: boolean;
}

/** The releases of a repository, the newest first, a page of them, and how many there are. */
export async function listReleases(
  { db }: Context,
  repository: Repository,
  { isDraft, isPrerelease, withDrafts }: ReleaseFilter,
  page: Page,
): Promise<{ releases: ReleaseRow[]; total: number }> {
  const matching = db
    .selectFrom('releases')
    .where('repository_id', '=', repository.id)
    .$if(!withDrafts, (releases) => releases.where('is_draft', '=', false))
    .$if(isDraft !== undefined, (releases) => releases.where('is_draft', '=', isDraft ?? false))
    .$if(isPrerelease !== undefined, (releases) => releases.where('is_prerelease', '=', isPrerelease ?? false));
  const releases = await matching
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await matching.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow();
  return { releases, total: Number(total) };
}
