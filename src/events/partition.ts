interface Subject {
  repositoryId?: number;
  ownerId?: number;
  userId?: number;
  blockerId?: number;
}

/**
 * Which events come one after the other: those of one repository, and, of what happens outside of repositories, those of one user or
 * organization. Repositories have positive numbers, accounts negative ones; 0 is for all the rest.
 */
export function partitionOf(payload: object): number {
  const { repositoryId, ownerId, userId, blockerId } = payload as Subject;
  return repositoryId ?? -(ownerId ?? userId ?? blockerId ?? 0);
}
