import type { IssueFilter } from './issue-filter.ts';

/** Issues or pull requests, open or closed; undefined means both. */
export type Kind = Pick<IssueFilter, 'isPull' | 'isClosed'>;

/** Makes something for each kind once, when it is first needed, such as statements that are compiled for it. */
export function byKind<T>(make: (kind: Kind) => T): (kind: Kind) => T {
  const made = new Map<string, T>();
  return ({ isPull, isClosed }) => {
    const name = `${isPull} ${isClosed}`;
    const known = made.get(name);
    if (known !== undefined) return known;
    const value = make({ isPull, isClosed });
    made.set(name, value);
    return value;
  };
}
