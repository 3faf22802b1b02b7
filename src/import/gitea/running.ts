import { hostname } from 'node:os';
import type { Context } from '../../context.ts';

/**
 * Whether a registered process runs. One of this machine that was killed is known at once, and not only when it has missed heartbeats: an
 * import that was interrupted can go on.
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
    // A process of another user exists too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
