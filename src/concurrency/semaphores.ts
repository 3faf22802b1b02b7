import type { Settings } from '../settings.ts';
import { Semaphore } from './semaphore.ts';

/** Semaphores by kind of expensive work; their keys are callers (context.ts, `callerKey`). */
export interface Semaphores {
  /** Pushes and uploaded files. */
  readonly uploads: Semaphore;
  /** Fetches and clones. */
  readonly fetches: Semaphore;
  /** Files that are sent: of repositories, attachments, archives. */
  readonly downloads: Semaphore;
  /** Archives that are being made. */
  readonly archives: Semaphore;
  /** Archives of packages that are being read. */
  readonly extractions: Semaphore;
  /** Bytes of request bodies in memory. */
  readonly bodies: Semaphore;
  /** Characters of long responses in memory. Nothing waits for them, since it would hold its response meanwhile. */
  readonly responses: Semaphore;
  /** Texts that are being rendered on request. */
  readonly renders: Semaphore;
  /** Searches over many repositories, issues or users. */
  readonly searches: Semaphore;
  /** Fetches from upstream package registries. */
  readonly upstreams: Semaphore;
  /** Actors of other instances that are fetched to check a signature. */
  readonly actors: Semaphore;
}

/** The semaphores of one server, by its settings. */
export function createSemaphores({ limits, federation }: Pick<Settings, 'limits' | 'federation'>): Semaphores {
  const semaphore = (permits: number, permitsPerKey: number) =>
    new Semaphore({ permits, permitsPerKey, waitTimeoutMs: limits.queueTimeout });
  return {
    uploads: semaphore(limits.concurrentUploads, limits.uploadsPerCaller),
    fetches: semaphore(limits.concurrentFetches, limits.fetchesPerCaller),
    downloads: semaphore(limits.concurrentDownloads, limits.downloadsPerCaller),
    archives: semaphore(limits.concurrentArchives, limits.archivesPerCaller),
    extractions: semaphore(limits.concurrentArchives, limits.archivesPerCaller),
    bodies: semaphore(limits.bodyMemory, limits.bodyMemoryPerCaller),
    responses: new Semaphore({ permits: limits.responseMemory, permitsPerKey: limits.responseMemoryPerCaller, maxWaiting: 0 }),
    renders: semaphore(limits.concurrentRenders, limits.rendersPerCaller),
    searches: semaphore(limits.concurrentSearches, limits.searchesPerCaller),
    upstreams: semaphore(limits.concurrentUpstreamFetches, limits.upstreamFetchesPerCaller),
    actors: semaphore(federation.concurrentFetches, federation.fetchesPerCaller),
  };
}
