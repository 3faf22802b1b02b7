import type { Services } from '../context.ts';
import { repositoryOfPacks } from '../processes/subjects.ts';
import { ANYTHING } from '../processes/wake-ups.ts';

/**
 * Follows what any process removes from repositories. After a purge, nothing that was read may be shown again. After packs were replaced, a
 * git process that is kept for many requests goes on reading the old ones, which then keep their space on the disk: it makes way for a new one.
 */
export function followRemovals({ git: { pool }, wakeUps }: Pick<Services, 'git' | 'wakeUps'>): void {
  wakeUps.on('purges', () => void pool.forgetAll());
  wakeUps.onTold((subject) => {
    const id = repositoryOfPacks(subject);
    if (id !== undefined) pool.processes.retire([`${id}.git`, `${id}.wiki.git`]);
    else if (subject === ANYTHING) pool.processes.retire();
  });
}
