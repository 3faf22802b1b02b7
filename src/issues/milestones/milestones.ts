import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Repository } from '../../access/find-repository.ts';
import { GHOST_ID } from '../../accounts/users/ghost.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../context.ts';
import { containsLiterally } from '../../database/contains.ts';
import { deleteReferring } from '../../database/delete-referring.ts';
import type { MilestoneRow } from '../../database/tables/issues.ts';
import type { MilestoneEvent } from '../../events/events.ts';
import { notFound } from '../../http/errors.ts';
import { type Page, totalOf } from '../../http/paging.ts';
import { lockIssues } from '../find.ts';
import { type AnyOrder, milestoneOrder } from './order.ts';

/** The fields of a milestone; for an existing one, undefined leaves a field unchanged. */
export interface MilestoneFields {
  title?: string | undefined;
  description?: string | undefined;
  isClosed?: boolean | undefined;
  /** Seconds; null for none. */
  deadline?: number | null | undefined;
}

/** The filter of a list of milestones; undefined means any. */
export interface MilestoneFilter {
  isClosed?: boolean | undefined;
  /** Part of the title, case-insensitively. */
  name?: string | undefined;
}

/** The milestones of a repository: those without a date, then by due date. */
export async function listMilestones(
  { db }: Context,
  repository: Repository,
  { isClosed, name }: MilestoneFilter,
  page: Page,
  order: AnyOrder = 'api',
): Promise<{ milestones: MilestoneRow[]; total: number }> {
  const matching = db
    .selectFrom('milestones')
    .where('repository_id', '=', repository.id)
    .$if(isClosed !== undefined, (milestones) => milestones.where('is_closed', '=', isClosed ?? false))
    .$if(!!name, (milestones) => milestones.where(namedLike(name ?? '')));
  const milestones = await matching.selectAll().orderBy(milestoneOrder(order)).limit(page.limit).offset(page.offset).execute();
  const count = () => matching.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { milestones, total: await totalOf(page, milestones, count) };
}

/** The condition that a title contains these words, case-insensitively. */
export function namedLike(name: string): RawBuilder<SqlBool> {
  return containsLiterally(sql`milestones.title`, name);
}

/** Creates a milestone. */
export async function createMilestone(context: Context, repository: Repository, fields: MilestoneFields): Promise<MilestoneRow> {
  return inTransaction(context, async (context) => {
    const at = now();
    const milestone = await context.db
      .insertInto('milestones')
      .values({
        repository_id: repository.id,
        title: (fields.title ?? '').trim(),
        description: fields.description ?? '',
        is_closed: fields.isClosed ?? false,
        closed_at: fields.isClosed ? at : null,
        deadline_at: fields.deadline ?? null,
        created_at: at,
        updated_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await context.events.emit(context, 'milestone.created', milestoneEvent(context, milestone));
    return milestone;
  });
}

/** Changes a milestone. */
export async function editMilestone(context: Context, milestone: MilestoneRow, fields: MilestoneFields): Promise<MilestoneRow> {
  return inTransaction(context, async (context) => {
    const at = now();
    const changed = await context.db
      .updateTable('milestones')
      .set({
        ...(fields.title && { title: fields.title.trim() }),
        ...(fields.description !== undefined && { description: fields.description }),
        ...(fields.deadline !== undefined && { deadline_at: fields.deadline }),
        ...(fields.isClosed !== undefined && { is_closed: fields.isClosed }),
        ...(fields.isClosed && !milestone.is_closed && { closed_at: at }),
        updated_at: at,
      })
      .where('id', '=', milestone.id)
      .returningAll()
      .executeTakeFirst();
    if (!changed) throw notFound();
    await context.events.emit(context, 'milestone.edited', milestoneEvent(context, milestone));
    return changed;
  });
}

/** Deletes a milestone; its issues have none then. */
export async function deleteMilestone(context: Context, milestone: MilestoneRow): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockIssues(context, [milestone.repository_id]);
    await deleteReferring(context, 'milestones', [milestone.id]);
    await context.db.deleteFrom('milestones').where('id', '=', milestone.id).execute();
    await context.events.emit(context, 'milestone.deleted', { ...milestoneEvent(context, milestone), title: milestone.title });
  });
}

function milestoneEvent({ actor }: Context, { id, repository_id: repositoryId }: MilestoneRow): MilestoneEvent {
  return { repositoryId, milestoneId: id, actorId: actor?.id ?? GHOST_ID };
}

/** The number of closed, or open, milestones of a repository. */
export async function countMilestones({ db }: Context, repository: Repository, isClosed: boolean): Promise<number> {
  const { count } = await db
    .selectFrom('milestones')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('repository_id', '=', repository.id)
    .where('is_closed', '=', isClosed)
    .executeTakeFirstOrThrow();
  return Number(count);
}
