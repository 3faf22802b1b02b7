import type { IssueMark } from '../database/tables/issues.ts';

/** The attributes of an issue itself, without those that follow its activity. */
export type PlainAttribute = Exclude<IssueMark, 'updated' | 'comment'>;

/** What issues must have: one of these labels or milestones, or this person in this role. */
export interface Attribute {
  mark: PlainAttribute;
  ids: readonly number[];
}
