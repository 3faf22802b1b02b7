import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Services } from '../../context.ts';
import { StartError } from '../../start-error.ts';
import type { SshCommands } from '../session.ts';
import { SessionSocket } from '../session-socket.ts';
import { helperArguments, NoOpenSshError } from './requirements.ts';

/**
 * Serves the sshd of the system, which is configured to connect to a socket.
 * @throws StartError if other users could connect to the socket, because they could then act as any user
 */
export async function serveSystemSshd(services: Services, commands: SshCommands, path: string): Promise<SessionSocket> {
  await requirePrivate(dirname(path));
  let helper: string[];
  try {
    helper = helperArguments(path);
  } catch (error) {
    throw error instanceof NoOpenSshError ? new StartError(`ssh.socket: ${error.message}`) : error;
  }
  const command = (identity: string) => [...helper, 'session', identity].join(' ');
  const socket = new SessionSocket(services, commands, command, () => undefined);
  await socket.listen(path);
  services.log.info({ socket: path }, 'an sshd of the system may ask');
  return socket;
}

async function requirePrivate(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new StartError(`ssh.socket: there is no folder ${folder}`) : error;
  });
  if ((mode & 0o077) !== 0 || uid !== process.getuid?.()) {
    throw new StartError(`ssh.socket: the folder ${folder} must belong to the user of this process and be open to nobody else (mode 0700)`);
  }
}
