import { type RawBuilder, sql } from 'kysely';

/** The position of a member who joins now. */
export function nextPosition(organizationId: number): RawBuilder<number> {
  return sql`(select coalesce(max(position), 0) + 1 from organization_members where organization_id = ${organizationId})`;
}
