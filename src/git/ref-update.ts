/** One moved ref; an id of zeros stands for none. */
export interface RefUpdate {
  ref: string;
  oldId: string;
  newId: string;
}

const BRANCHES = 'refs/heads/';
const isNone = (id: string) => /^0+$/.test(id);

/** Refs that moved, as an event has them. */
interface Moved {
  readonly updates: readonly RefUpdate[];
}

/** Whether a branch moved, came or went; otherwise there are tags alone. */
export function hasBranch({ updates }: Moved): boolean {
  return updates.some(({ ref }) => ref.startsWith(BRANCHES));
}

/** Whether a branch moved or came. */
export function hasPushedBranch({ updates }: Moved): boolean {
  return updates.some(({ ref, newId }) => ref.startsWith(BRANCHES) && !isNone(newId));
}

/** Whether a branch that was there before moved. */
export function hasMovedBranch({ updates }: Moved): boolean {
  return updates.some(({ ref, oldId, newId }) => ref.startsWith(BRANCHES) && !isNone(oldId) && !isNone(newId));
}
