/** One moved ref; an id of zeros means none. */
export interface RefUpdate {
  ref: string;
  oldId: string;
  newId: string;
  /** The commit of an annotated tag that the server made by itself: clients get it in place of the tag's own id. */
  commitId?: string;
}

/** The update as clients get it. */
export function asShown<Update extends RefUpdate>(update: Update): Update {
  return update.commitId === undefined ? update : { ...update, newId: update.commitId };
}

const BRANCHES = 'refs/heads/';
const isNone = (id: string) => /^0+$/.test(id);

/** Refs that moved, as in an event. */
interface Moved {
  readonly updates: readonly RefUpdate[];
}

/** Whether a branch moved, was created or deleted; otherwise there are only tags. */
export function hasBranch({ updates }: Moved): boolean {
  return updates.some(({ ref }) => ref.startsWith(BRANCHES));
}

/** Whether a branch moved or was created. */
export function hasPushedBranch({ updates }: Moved): boolean {
  return updates.some(({ ref, newId }) => ref.startsWith(BRANCHES) && !isNone(newId));
}

/** Whether an existing branch moved. */
export function hasMovedBranch({ updates }: Moved): boolean {
  return updates.some(({ ref, oldId, newId }) => ref.startsWith(BRANCHES) && !isNone(oldId) && !isNone(newId));
}
