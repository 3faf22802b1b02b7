import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Services } from '../context.ts';
import { labelValue, type Sample } from '../metrics/text.ts';

const DISK_SECONDS = 10;

/** The label of this process in the metrics. */
export function processLabel(host = hostname(), pid = process.pid): string {
  return `process="${labelValue(`${host}:${pid}`)}"`;
}

/** Adds the metrics of the server's parts. */
export function measureServices(services: Services, version: string): void {
  const { metrics, semaphores, git, workers, database, caches } = services;
  const disks = new FreeDisks(services);
  metrics.addSource(() => [
    { name: 'copse_process_info', labels: `version="${labelValue(version)}",role="${services.processes.role}"`, value: 1 },
    ...Object.entries(semaphores).flatMap(([kind, { taken, waiting }]): Sample[] => [
      { name: 'copse_permits_taken', labels: `kind="${kind}"`, value: taken },
      { name: 'copse_permits_waiting', labels: `kind="${kind}"`, value: waiting },
    ]),
    { name: 'copse_git_pool_processes', labels: '', value: git.pool.processes.size },
    { name: 'copse_git_pool_waiting', labels: '', value: git.pool.processes.waiting },
    { name: 'copse_cache_requests_total', labels: 'cache="git",result="hit"', value: git.pool.cache.hits },
    { name: 'copse_cache_requests_total', labels: 'cache="git",result="miss"', value: git.pool.cache.misses },
    { name: 'copse_cache_bytes', labels: 'cache="git"', value: git.pool.cache.bytes },
    { name: 'copse_cache_bytes', labels: 'cache="other"', value: caches.bytes - git.pool.cache.bytes },
    { name: 'copse_worker_threads', labels: 'state="busy"', value: workers.state.busy },
    { name: 'copse_worker_threads', labels: 'state="idle"', value: workers.state.idle },
    { name: 'copse_worker_tasks_waiting', labels: '', value: workers.state.waiting },
    ...Object.entries(database.connections?.() ?? {}).map(
      ([state, value]): Sample => ({ name: 'copse_database_connections', labels: `state="${state}"`, value }),
    ),
    ...disks.samples(),
  ]);
}

/** The free bytes of the disks some seconds ago, so that a hanging disk blocks nothing. */
class FreeDisks {
  readonly #folders: ReadonlyMap<string, string>;
  #samples: Sample[] = [];
  #since = Number.NEGATIVE_INFINITY;

  constructor({ settings: { server, repository, storage } }: Services) {
    this.#folders = new Map([
      ['data', server.dataDir],
      ['repositories', repository.path],
      ['storage', storage.path],
    ]);
  }

  samples(): readonly Sample[] {
    if (performance.now() - this.#since > DISK_SECONDS * 1000) {
      this.#since = performance.now();
      void this.#read();
    }
    return this.#samples;
  }

  async #read(): Promise<void> {
    const samples: Sample[] = [];
    for (const [folder, path] of this.#folders) {
      const free = await statfs(path).catch(() => undefined);
      if (free) samples.push({ name: 'copse_disk_free_bytes', labels: `folder="${folder}"`, value: free.bavail * free.bsize });
    }
    this.#samples = samples;
  }
}
