import type { IssueMark } from '../database/tables/issues.ts';

/** The marks that an issue has by itself, without those that follow its activity. */
export type PlainAttribute = Exclude<IssueMark, 'updated' | 'comment'>;

/** What issues are to have: one of these labels, or milestones, or this person in this part. */
export interface Attribute {
  mark: PlainAttribute;
  ids: readonly number[];
}
