import { ExpiringMap } from '../../accounts/expiring-map.ts';
import type { Services } from '../../context.ts';
import type { Database } from '../../database/database.ts';

/** What a process remembers of upstreams. */
export interface UpstreamState {
  /** What it is fetching, by upstream and path. */
  readonly running: Map<string, Promise<unknown>>;
  /** What upstreams have said not to have, by upstream and path. */
  readonly missing: ExpiringMap<true>;
  /** Tokens of container registries, by upstream and scope. */
  readonly tokens: ExpiringMap<string>;
  /** Ends all requests when the process ends. */
  readonly ending: AbortController;
  /** Bytes that were stored since the size of the cache was last looked at; at first that has not been done. */
  stored: number;
}

const MAX_MISSING = 20_000;
const MAX_TOKENS = 1000;

const states = new WeakMap<Database, UpstreamState>();

/** The state of this process. */
export function stateOf({ database }: Pick<Services, 'database'>): UpstreamState {
  const known = states.get(database);
  if (known) return known;
  const made: UpstreamState = {
    running: new Map(),
    missing: new ExpiringMap(MAX_MISSING, Date.now),
    tokens: new ExpiringMap(MAX_TOKENS, Date.now),
    ending: new AbortController(),
    stored: Number.POSITIVE_INFINITY,
  };
  states.set(database, made);
  return made;
}
