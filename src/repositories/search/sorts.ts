/** What repositories can be sorted by. */
export const SORTS = ['alpha', 'created', 'updated', 'size', 'git_size', 'lfs_size', 'stars', 'forks', 'id'] as const;

/** A sorting and its direction. */
export interface SearchOrder {
  by: (typeof SORTS)[number] | 'name';
  direction: 'asc' | 'desc';
}
