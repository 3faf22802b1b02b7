import { type RawBuilder, sql } from 'kysely';

/** The orders of lists of milestones for readers. */
export const MILESTONE_ORDERS = [
  'closestduedate',
  'furthestduedate',
  'leastcomplete',
  'mostcomplete',
  'leastissues',
  'mostissues',
  'name',
] as const;
export type MilestoneOrder = (typeof MILESTONE_ORDERS)[number];
/** Those and the API's order, in which milestones without a date come first. */
export type AnyOrder = MilestoneOrder | 'api';

const percent = sql`case when milestones.issues_count = 0 then 0 else 100 * milestones.closed_issues_count / milestones.issues_count end`;
const EXPRESSIONS: Readonly<Record<AnyOrder, RawBuilder<unknown>>> = {
  api: sql`coalesce(milestones.deadline_at, 0) asc`,
  closestduedate: sql`case when milestones.deadline_at is null then 1 else 0 end asc, milestones.deadline_at asc`,
  furthestduedate: sql`coalesce(milestones.deadline_at, 0) desc`,
  leastcomplete: sql`${percent} asc`,
  mostcomplete: sql`${percent} desc`,
  leastissues: sql`milestones.issues_count asc`,
  mostissues: sql`milestones.issues_count desc`,
  name: sql`lower(milestones.title) asc`,
};

/** The sort expression of a list of milestones; equal ones are sorted by title. */
export function milestoneOrder(order: AnyOrder): RawBuilder<unknown> {
  return sql`${EXPRESSIONS[order]}, milestones.title, milestones.id`;
}
