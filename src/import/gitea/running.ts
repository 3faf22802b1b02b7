import { hostname } from 'node:os';
import type { Context } from '../../context.ts';

/**
 * Whether a registered process runs. A killed one of this machine is detected at once, before its heartbeats are missing: so an
 * interrupted import can continue.
 */
export async function isRunning({ db, processes }: Pick<Context, 'db' | 'processes'>, id: number): Promise<boolean> {
  const row = await db.selectFrom('processes').select(['host', 'pid']).where('id', '=', id).executeTakeFirst();
  if (!row || !(await processes.isAlive(id))) return false;
  return row.host !== hostname() || exists(row.pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user also exists.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
