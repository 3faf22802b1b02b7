interface Subject {
  repositoryId?: number;
  ownerId?: number;
  userId?: number;
  blockerId?: number;
}

/**
 * The events that are delivered in order: those of one repository, and, outside repositories, those of one user or organization.
 * Repositories have positive numbers, accounts negative ones; 0 is for all others.
 */
export function partitionOf(payload: object): number {
  const { repositoryId, ownerId, userId, blockerId } = payload as Subject;
  return repositoryId ?? -(ownerId ?? userId ?? blockerId ?? 0);
}
