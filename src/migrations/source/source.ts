import type { Readable } from 'node:stream';
import type { RemoteUrl } from '../../http/outgoing/remote-url.ts';

/** Somebody on the source. */
export interface SourcePerson {
  /** 0 if the source has no numbers. */
  readonly id: number;
  readonly name: string;
}

/** A page of a list. */
export interface SourcePage<T> {
  readonly items: readonly T[];
  /** Where the next page begins; undefined after the last. */
  readonly next: string | undefined;
}

/** The project itself. */
export interface SourceRepository {
  readonly description: string;
  /** Empty if the source names none. */
  readonly defaultBranch: string;
  /** Where git fetches from. */
  readonly clone: RemoteUrl;
}

/** A milestone. Times are in seconds, as everywhere here. */
export interface SourceMilestone {
  readonly title: string;
  readonly description: string;
  readonly isClosed: boolean;
  readonly deadline: number | undefined;
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
  readonly closedAt: number | undefined;
}

/** A label; issues name it. */
export interface SourceLabel {
  readonly name: string;
  /** With or without `#`; an invalid color becomes white. */
  readonly color: string;
  readonly description: string;
  readonly isExclusive: boolean;
}

/** A file of a release, an issue or a comment. */
export interface SourceAsset {
  readonly name: string;
  readonly downloadCount: number;
  readonly createdAt: number | undefined;
  /** Opens its bytes. */
  readonly open: () => Promise<Readable>;
}

/** A release. */
export interface SourceRelease {
  readonly tag: string;
  readonly target: string;
  readonly title: string;
  readonly note: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
  readonly author: SourcePerson | undefined;
  readonly createdAt: number | undefined;
  readonly assets: readonly SourceAsset[];
}

/** A sign such as `+1`. */
export interface SourceReaction {
  readonly author: SourcePerson;
  readonly content: string;
}

/** The common part of issues and pull requests. */
export interface SourceIssue {
  readonly number: number;
  readonly author: SourcePerson | undefined;
  readonly title: string;
  readonly body: string;
  /** The branch or tag that it is about; empty for none. */
  readonly ref: string;
  /** The title of the milestone. */
  readonly milestone: string;
  /** The names of the labels. */
  readonly labels: readonly string[];
  readonly assignees: readonly SourcePerson[];
  readonly isClosed: boolean;
  readonly isLocked: boolean;
  /** The position among the pinned issues, from 1; 0 if not pinned. */
  readonly pin: number;
  readonly deadline: number | undefined;
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
  readonly closedAt: number | undefined;
  readonly assets: readonly SourceAsset[];
  /** Reads its reactions; undefined if it has none. */
  readonly reactions?: (() => Promise<readonly SourceReaction[]>) | undefined;
  /** Reads its comments; undefined if it has none. */
  readonly comments?: ((cursor: string) => Promise<SourcePage<SourceComment>>) | undefined;
}

/** A comment, or another row of the timeline that has a meaning here. */
export interface SourceComment {
  readonly kind: 'comment' | 'close' | 'reopen' | 'change_title' | 'change_target_branch' | 'merge_pull';
  readonly author: SourcePerson | undefined;
  readonly body: string;
  /** Of a change: the title or branch before and after it. */
  readonly from?: string;
  readonly to?: string;
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
  readonly assets: readonly SourceAsset[];
  readonly reactions?: (() => Promise<readonly SourceReaction[]>) | undefined;
}

/** A pull request. */
export interface SourcePull extends SourceIssue {
  readonly isDraft: boolean;
  readonly base: { readonly branch: string };
  /** The branch it comes from; the repository is undefined when it is the migrated one. */
  readonly head: { readonly branch: string; readonly id: string; readonly fork: string | undefined };
  /** The common ancestor as the source shows it; empty if it is not known. */
  readonly mergeBase: string;
  readonly allowMaintainerEdit: boolean;
  readonly merged: { readonly at: number | undefined; readonly commitId: string; readonly by: SourcePerson | undefined } | undefined;
  /** Reads its reviews; undefined if the source has none. */
  readonly reviews?: ((cursor: string) => Promise<SourcePage<SourceReview>>) | undefined;
}

/** A review of a pull request, or the request for one. */
export interface SourceReview {
  readonly type: 'approve' | 'comment' | 'reject' | 'request';
  readonly author: SourcePerson;
  readonly body: string;
  readonly commitId: string;
  readonly isOfficial: boolean;
  readonly isStale: boolean;
  readonly isDismissed: boolean;
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
  readonly comments: readonly SourceCodeComment[];
}

/** A comment on a line of code. */
export interface SourceCodeComment {
  readonly path: string;
  /** From 1 on the side of the head; negative on that of the base; 0 for the file. */
  readonly line: number;
  readonly hunk: string;
  readonly commitId: string;
  readonly body: string;
  readonly author: SourcePerson | undefined;
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
}

/**
 * A project on another server. What it does not have is left out. Lists are read page by page: the first with an empty cursor, each further
 * one with the `next` of the one before.
 */
export interface Source {
  repository(): Promise<SourceRepository>;
  topics?(): Promise<readonly string[]>;
  milestones?(cursor: string): Promise<SourcePage<SourceMilestone>>;
  labels?(cursor: string): Promise<SourcePage<SourceLabel>>;
  releases?(cursor: string): Promise<SourcePage<SourceRelease>>;
  issues?(cursor: string): Promise<SourcePage<SourceIssue>>;
  pulls?(cursor: string): Promise<SourcePage<SourcePull>>;
}
