import type { TimeRange } from '../http/time-range.ts';
import type { Attribute } from './attribute.ts';

/** Properties that an issue can lack. */
export type IssueLack = 'assignee' | 'label' | 'milestone' | 'project';

/** The orders of a list, in Gitea's words: by creation, by the last change, by comments, and by when it is due, itself or its milestone. */
export const ISSUE_ORDERS = [
  'newest',
  'oldest',
  'recentupdate',
  'leastupdate',
  'mostcomment',
  'leastcomment',
  'nearduedate',
  'farduedate',
] as const;
export type IssueOrder = (typeof ISSUE_ORDERS)[number];

/** The filter of a list of issues and pull requests; undefined means any. */
export interface IssueFilter {
  isPull?: boolean | undefined;
  isClosed?: boolean | undefined;
  /** Words in the title, the body or a comment; or the number. */
  words?: string | undefined;
  /** The repository of the list, if it is only one. */
  repositoryId?: number | undefined;
  /** Has a label from each of these sets of ids. */
  labels?: readonly (readonly number[])[] | undefined;
  /** Has a label with one of these names. */
  labelNames?: readonly string[] | undefined;
  /** Has none of these labels, by their ids. */
  withoutLabels?: readonly number[] | undefined;
  /** Properties that it lacks. */
  without?: readonly IssueLack[] | undefined;
  /** Assigned to somebody. */
  isAssigned?: boolean | undefined;
  milestoneIds?: readonly number[] | undefined;
  /** On this board. */
  projectId?: number | undefined;
  authorId?: number | undefined;
  assigneeId?: number | undefined;
  mentionedId?: number | undefined;
  reviewRequestedId?: number | undefined;
  reviewedById?: number | undefined;
  /** By the last change. */
  span?: TimeRange | undefined;
  /** The rarest attribute, if few issues have it: these are looked up, and the other attributes are checked on each. */
  rarest?: Attribute | undefined;
  /** Few issues were changed in the range, so these are looked up. */
  fewInSpan?: boolean | undefined;
  /** Few issues have a label with one of the names, so these are looked up. */
  fewLabelled?: boolean | undefined;
  /** Many issues match, so scanning from the newest finds a page soon enough; only in SQLite. */
  many?: boolean | undefined;
}
