import { cachePerServer } from '../../caches/recently-used.ts';
import type { Services } from '../../context.ts';
import type { IndexName } from './block-store.ts';

/** Seconds between the change of an index and the job that builds it, so that the next reader finds it: the least, and the most. */
const DELAY = { least: 1, most: 10 } as const;
/** An index that took a second to build is built again after so many seconds: changes that follow each other share what they cost. */
const REST = 50;
/** Size limit of what a process remembers in bytes, and what that is for one index. */
const [MAX_BYTES, ENTRY_BYTES] = [512 * 1024, 150];

/** Milliseconds that indexes took to build. */
const durationsIn = cachePerServer<number>(MAX_BYTES);

/** Seconds until a job builds an index that has changed. */
export function buildDelay(services: Pick<Services, 'caches'>, index: IndexName): number {
  const milliseconds = durationsIn(services).get(nameOf(index)) ?? 0;
  return Math.min(DELAY.most, Math.max(DELAY.least, Math.ceil((REST * milliseconds) / 1000)));
}

/** Remembers how long an index took to build. */
export function noteBuilt(services: Pick<Services, 'caches'>, index: IndexName, milliseconds: number): void {
  durationsIn(services).set(nameOf(index), milliseconds, ENTRY_BYTES);
}

function nameOf({ ownerId, type, key }: IndexName): string {
  return `${ownerId} ${type} ${key}`;
}
