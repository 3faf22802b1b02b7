import type { TimeRange } from '../http/time-range.ts';
import type { Attribute } from './attribute.ts';

/** What an issue may have none of. */
export type IssueLack = 'assignee' | 'label' | 'milestone' | 'project';

/** The order of a list: by when issues were opened, or by their last change. */
export type IssueOrder = 'newest' | 'oldest' | 'recently-updated' | 'least-recently-updated';

/** Which issues and pull requests a list shows; what is undefined does not matter. */
export interface IssueFilter {
  isPull?: boolean | undefined;
  isClosed?: boolean | undefined;
  /** Words in the title, the body or a comment; or the number itself. */
  words?: string | undefined;
  /** The one repository that is looked in, where it is one. */
  repositoryId?: number | undefined;
  /** Has a label out of each of these sets of ids. */
  labels?: readonly (readonly number[])[] | undefined;
  /** Has a label with one of these names. */
  labelNames?: readonly string[] | undefined;
  /** Has none of these labels, by their ids. */
  withoutLabels?: readonly number[] | undefined;
  /** What it has none of. */
  without?: readonly IssueLack[] | undefined;
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
  /** So few were changed in the span that these are looked up. */
  fewInSpan?: boolean | undefined;
  /** So few have a label with one of the names that these are looked up. */
  fewLabelled?: boolean | undefined;
  /** So many match that they are met soon enough on the way from the newest on; in SQLite alone. */
  many?: boolean | undefined;
}
