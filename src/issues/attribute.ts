import type { IssueMark } from '../database/tables/issues.ts';

/** The marks that an issue has by itself, without those that follow its activity. */
export type PlainMark = Exclude<IssueMark, 'updated' | 'comment'>;

/** What issues are to have: one of these labels, or milestones, or this person in this part. */
export interface Mark {
  mark: PlainMark;
  ids: readonly number[];
}
