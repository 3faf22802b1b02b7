import type { SearchOrder } from './sorts.ts';

/** The criteria of a search for repositories; missing ones mean any. */
export interface RepositorySearch {
  /** Words, separated by commas, one of which has to be in the name or in a topic. */
  keyword?: string | undefined;
  /** Words are whole topics. */
  topicOnly?: boolean | undefined;
  /** Words may be in the description too. */
  inDescription?: boolean | undefined;
  /** Whether to include repositories that are not public, if the caller may see them. */
  includePrivate: boolean;
  /** Repositories that this user owns or contributes to. */
  ownerId?: number | undefined;
  /** With `ownerId`: true for what they only contribute to, false for what they own. */
  collaborative?: boolean | undefined;
  teamId?: number | undefined;
  starredById?: number | undefined;
  watchedById?: number | undefined;
  /** The language with the most bytes. */
  language?: string | undefined;
  isPrivate?: boolean | undefined;
  isTemplate?: boolean | undefined;
  isArchived?: boolean | undefined;
  isFork?: boolean | undefined;
  isMirror?: boolean | undefined;
  /** Neither forks nor empty ones, nor those without a topic, an image and a description. */
  isRelevant?: boolean | undefined;
  order?: SearchOrder | undefined;
  /** The repositories of this owner come first. */
  priorityOwnerId?: number | undefined;
}
