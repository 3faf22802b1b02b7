import type { Services } from '../context.ts';
import { repositoryOfPacks } from '../processes/subjects.ts';
import { ANYTHING } from '../processes/wake-ups.ts';

/**
 * Follows deletions in repositories by any process. After a purge, nothing that was read before may be shown again. After packs were
 * replaced, a long-lived git process continues to read the old ones, whose disk space is not freed: it is replaced by a new one.
 */
export function followRemovals({ git: { pool }, wakeUps }: Pick<Services, 'git' | 'wakeUps'>): void {
  wakeUps.on('purges', () => void pool.forgetAll());
  wakeUps.onNotify((subject) => {
    const id = repositoryOfPacks(subject);
    if (id !== undefined) pool.processes.retire([`${id}.git`, `${id}.wiki.git`]);
    else if (subject === ANYTHING) pool.processes.retire();
  });
}
