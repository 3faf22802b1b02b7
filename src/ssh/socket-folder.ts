import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The prefix of temporary folders with a socket. */
const FOLDER = 'copse-ssh-';

/** Creates a temporary folder for a socket named `socket`, which only this user can open, and removes those of processes that were killed. */
export async function makeSocketFolder(): Promise<string> {
  await removeAbandoned();
  return await mkdtemp(join(tmpdir(), FOLDER));
}

/** Removes the folders of processes that were killed: their sockets refuse connections. */
async function removeAbandoned(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(FOLDER));
  for (const name of names) {
    const folder = join(tmpdir(), name);
    const code = await new Promise<string | undefined>((resolve) => {
      const socket = connect(join(folder, 'socket'), () => resolve(undefined));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      socket.on('connect', () => socket.destroy());
    });
    // Folders of other users cannot be removed; a folder that is being created has no socket yet.
    if (code === 'ECONNREFUSED') await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
