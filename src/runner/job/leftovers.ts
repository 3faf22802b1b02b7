import { readdir, readFile } from 'node:fs/promises';

/** The variable by which processes of a job are found, also those that left their process group. GitHub's runner has it too. */
export const TRACKING = 'RUNNER_TRACKING_ID';

/** Kills all processes that have this value of {@link TRACKING} in their environment, or one that begins so. Works on Linux alone. */
export async function killTracked(prefix: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const entry = Buffer.from(`\0${TRACKING}=${prefix}`);
  // Those that were started meanwhile are found by the next round.
  for (let round = 0; round < 5; round++) if ((await killRound(entry)) === 0) return;
}

async function killRound(entry: Buffer): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  let killed = 0;
  for (const pid of pids) {
    if (pid === process.pid || !(await hasEntry(pid, entry))) continue;
    try {
      process.kill(pid, 'SIGKILL');
      killed++;
    } catch {
      // It has ended meanwhile, or is not ours.
    }
  }
  return killed;
}

async function hasEntry(pid: number, entry: Buffer): Promise<boolean> {
  try {
    return Buffer.concat([Buffer.from('\0'), await readFile(`/proc/${pid}/environ`)]).includes(entry);
  } catch {
    return false;
  }
}
