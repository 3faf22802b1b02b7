import type { IssueMark } from '../database/tables/issues.ts';

/** The attributes of an issue itself, without those that depend on its activity. */
export type PlainAttribute = Exclude<IssueMark, 'updated' | 'comment'>;

/** A condition on issues: one of these labels or milestones, or this user in this role. */
export interface Attribute {
  mark: PlainAttribute;
  ids: readonly number[];
}
