/** The condition on the text of files. */
export type Term =
  | { readonly kind: 'text'; readonly text: string }
  /** An expression in the syntax of RE2. */
  | { readonly kind: 'expression'; readonly source: string };

/** A condition on files, or its opposite. */
export interface Condition {
  /** In lower case. */
  readonly value: string;
  readonly isNot: boolean;
}

/** A search as it was written. */
export interface Query {
  /** Each has to be in a file. */
  readonly terms: readonly Term[];
  readonly isCaseSensitive: boolean;
  /** Parts of paths, or patterns with `*` and `?`. */
  readonly paths: readonly Condition[];
  readonly languages: readonly Condition[];
  /** `owner/name`, or a name; one of them must match, if there are any. */
  readonly repositories: readonly string[];
  /** Names of users or organizations; one of them. */
  readonly owners: readonly string[];
}

/** How the text of a search is read. */
export const SEARCH_MODES = ['words', 'exact', 'regexp'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

/** A search that cannot be understood. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
}
