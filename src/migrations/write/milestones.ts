import { now } from '../../clock.ts';
import { inTransaction } from '../../context.ts';
import { MAX_DESCRIPTION } from '../../issues/milestones/schema.ts';
import type { SourceMilestone } from '../source/source.ts';
import type { Target } from './run.ts';

const MAX_TITLE = 255;

/** Writes a page of milestones. Existing titles are left out: issues refer to milestones by title. */
export async function writeMilestones({ context, repository }: Target, milestones: readonly SourceMilestone[]): Promise<void> {
  const byTitle = new Map(milestones.map((milestone) => [milestone.title.trim().slice(0, MAX_TITLE), milestone]));
  byTitle.delete('');
  if (byTitle.size === 0) return;
  await inTransaction(context, async ({ db }) => {
    const there = await db
      .selectFrom('milestones')
      .select('title')
      .where('repository_id', '=', repository.id)
      .where('title', 'in', [...byTitle.keys()])
      .execute();
    for (const { title } of there) byTitle.delete(title);
    if (byTitle.size === 0) return;
    const rows = [...byTitle].map(([title, milestone]) => rowOf(repository.id, title, milestone));
    await db.insertInto('milestones').values(rows).execute();
  });
}

function rowOf(repositoryId: number, title: string, { description, isClosed, deadline, ...times }: SourceMilestone) {
  const createdAt = times.createdAt ?? times.updatedAt ?? deadline ?? now();
  return {
    repository_id: repositoryId,
    title,
    description: description.slice(0, MAX_DESCRIPTION),
    is_closed: isClosed,
    deadline_at: deadline ?? null,
    closed_at: isClosed ? (times.closedAt ?? times.updatedAt ?? createdAt) : null,
    created_at: createdAt,
    updated_at: times.updatedAt ?? createdAt,
  };
}
