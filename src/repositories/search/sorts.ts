/** The sort keys of repositories. */
export const SORTS = ['alpha', 'created', 'updated', 'size', 'git_size', 'lfs_size', 'stars', 'forks', 'id'] as const;

/** A sort key and its direction. */
export interface SearchOrder {
  by: (typeof SORTS)[number] | 'name';
  direction: 'asc' | 'desc';
}
