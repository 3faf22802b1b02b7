import type { Db } from '../../database/database.ts';
import type { MilestoneRow } from '../../database/tables/issues.ts';

/** The milestone with this id, if it belongs to the repository. */
export function findMilestone(db: Db, repositoryId: number, id: number): Promise<MilestoneRow | undefined> {
  return db.selectFrom('milestones').selectAll().where('id', '=', id).where('repository_id', '=', repositoryId).executeTakeFirst();
}

/** The oldest milestone of the repository with exactly this title. */
export function findMilestoneTitled(db: Db, repositoryId: number, title: string): Promise<MilestoneRow | undefined> {
  return db
    .selectFrom('milestones')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('title', '=', title)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}
