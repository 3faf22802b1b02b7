import { statfs } from 'node:fs/promises';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { DatabaseError } from '../../database/errors.ts';
import { isGitThere } from '../../git/processes/version.ts';
import { wireTime } from '../../http/schema.ts';
import { usedStorageTypes } from '../../storage/open.ts';

/** `warn` serves on, `fail` does not. */
export type HealthStatus = 'pass' | 'warn' | 'fail';

interface Outcome {
  readonly status: HealthStatus;
  /** Why it is not `pass`. */
  readonly output?: string;
}

/** How the server fares as a whole, and each part that it needs; the body of the health check that clients know. */
export interface Health {
  readonly status: HealthStatus;
  readonly description: string;
  readonly checks: Readonly<Record<string, readonly (Outcome & { time: string })[]>>;
}

/** Looks at the database, the git program and the disks of the data. It starts no process, so that anybody may call it often. */
export async function checkHealth(context: Context): Promise<Health> {
  const [database, git, disk] = await Promise.all([checkDatabase(context), checkGitProgram(), checkDisks(context)]);
  const outcomes = { 'database:ping': database, 'git:program': git, 'disk:space': disk };
  const time = wireTime(now());
  const worst = (['fail', 'warn'] as const).find((status) => Object.values(outcomes).some((outcome) => outcome.status === status));
  return {
    status: worst ?? 'pass',
    description: context.settings.instance.name,
    checks: Object.fromEntries(Object.entries(outcomes).map(([name, outcome]) => [name, [{ ...outcome, time }]])),
  };
}

/** Whether a load balancer may send requests to this process. */
export async function checkReadiness(context: Context): Promise<boolean> {
  const { processes } = context;
  return !processes.isDraining && processes.isCurrent && (await checkDatabase(context)).status === 'pass';
}

async function checkDatabase({ db }: Context): Promise<Outcome> {
  try {
    await db.selectFrom('users').select('id').limit(1).execute();
    return { status: 'pass' };
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return { status: 'fail', output: error.message };
  }
}

async function checkGitProgram(): Promise<Outcome> {
  return (await isGitThere()) ? { status: 'pass' } : { status: 'fail', output: 'the program git is not in PATH' };
}

/** The fullest of the disks with data. */
async function checkDisks({ settings, git }: Context): Promise<Outcome> {
  const away = git.volumes.all.find(({ isAvailable }) => !isAvailable);
  if (away) return { status: 'warn', output: `the volume ${away.name} of repositories is not available` };
  const { server, repository, storage, instance } = settings;
  const folders = [server.dataDir, repository.path, ...(usedStorageTypes(settings).has('disk') ? [storage.path] : [])];
  const free = Math.min(...(await Promise.all(folders.map(freeBytes))));
  if (free < instance.diskMinimum) return { status: 'fail', output: 'a disk of the data is full' };
  if (free < instance.diskWarning) return { status: 'warn', output: 'a disk of the data is nearly full' };
  return { status: 'pass' };
}

/** The space that an unprivileged user can still write; 0 for a missing folder, for example when its disk is not mounted. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
