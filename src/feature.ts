import type { Context, EventHandler, Provided, Services, TaskWork } from './context.ts';
import type { Events, EventType, StoredEvent } from './events/events.ts';
import type { AnyRoute } from './http/route.ts';
import type { WorkQueue } from './jobs/job-queue.ts';
import type { JobWork, WorkOptions } from './jobs/job-work.ts';
import type { JobType } from './jobs/jobs.ts';
import type { TaskName } from './jobs/tasks.ts';
import type { SshCommand } from './ssh-command.ts';

/** Handles an event after the commit, at least once. */
export type Handler<T extends EventType> = EventHandler<T>;
/** Handles an event within the transaction that emits it; refuses the change by throwing. */
export type WithinHandler<T extends EventType> = (payload: Events[T], context: Context) => Promise<void>;

/** How a job of a type is done. */
export interface Job<T extends JobType> extends WorkOptions {
  readonly run: JobWork<T>;
}

/** What accepts connections beside HTTP. */
export interface Listening {
  /** Accepts nothing more, lets what is under way finish as long as the settings allow, and ends. */
  close(): Promise<void>;
}

/** All that a feature adds to the server. A folder's `feature.ts` holds one, `features.ts` lists them, `wiring.ts` joins them. */
export interface Feature {
  readonly name: string;
  readonly routes?: readonly AnyRoute[];
  /**
   * Its handlers that run after the commit, by the name of the subscriber and the event. The names stay the same over restarts; each
   * subscriber gets its events in order, and waits for no other.
   */
  readonly on?: { readonly [subscriber: string]: { readonly [T in EventType]?: Handler<T> } };
  /** Its handlers that run in the transaction that emits, in this order. */
  readonly within?: { readonly [T in EventType]?: WithinHandler<T> | readonly WithinHandler<T>[] };
  readonly jobs?: { readonly [T in JobType]?: Job<T> };
  /** Its own queues, by name, for work that may take long and must not delay the jobs. */
  readonly queues?: { readonly [name: string]: () => WorkQueue };
  /** Its part in the regular tasks. */
  readonly schedules?: { readonly [T in TaskName]?: TaskWork };
  /** Finishes or undoes what dead processes had begun; runs before requests are served, and whenever a process is found dead. */
  readonly recover?: (services: Services) => Promise<void>;
  /** Commands that clients may run over SSH beside those of git, by name, such as `git-lfs-transfer`. */
  readonly sshCommands?: { readonly [name: string]: SshCommand };
  /** Begins to accept connections of another protocol than HTTP, once that is served; undefined where the settings have none. */
  readonly listen?: (services: Services) => Promise<Listening | undefined>;
  /** The functions that it needs from later features; its `provided.ts` declares each. */
  readonly needs?: readonly (keyof Provided)[];
  /** The functions that it provides to earlier features, which must not import it: they call `context.provided`. */
  readonly provides?: Partial<Provided>;
}

/** Declares a feature. */
export function feature(definition: Feature): Feature {
  return definition;
}

/** A handler of those events alone for which `concerns` is true when they are emitted; others are not written for its subscriber. */
export function when<T extends EventType>(
  concerns: (payload: Events[T], context: Context) => boolean | Promise<boolean>,
  handle: (event: StoredEvent<T>, context: Context) => Promise<void>,
): Handler<T> {
  return Object.assign((event: StoredEvent<T>, context: Context) => handle(event, context), { concerns });
}

/** The same handler for several events. */
export function each<T extends EventType>(types: readonly T[], handle: Handler<T>): { readonly [K in T]: Handler<K> } {
  return Object.fromEntries(types.map((type) => [type, handle])) as unknown as { readonly [K in T]: Handler<K> };
}
