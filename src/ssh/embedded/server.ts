import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Services } from '../../context.ts';
import { COPSE_VERSION } from '../../instance/version.ts';
import type { HostKey } from '../host-keys.ts';
import type { SshConnection, SshServer } from '../server.ts';
import type { SshCommands } from '../session.ts';
import { connectionKey, type OwnConnection, SessionSocket } from '../session-socket.ts';
import { makeSocketFolder } from '../socket-folder.ts';
import type { OrderMessage } from './messages.ts';
import { SpeakingProcess } from './process.ts';

/**
 * The server that needs no other program. A small separate process speaks SSH, so key exchanges and clones block no request, and their
 * garbage is in its small memory; this process authorizes clients, through a socket as with sshd.
 * @throws Error for host keys and algorithms that it does not support
 */
export async function createEmbeddedServer(services: Services, commands: SshCommands, hostKeys: readonly HostKey[]): Promise<SshServer> {
  const { settings, log } = services;
  const folder = await makeSocketFolder();
  const path = join(folder, 'socket');
  const connections = new Map<string, OwnConnection>();
  const decider = new SessionSocket(
    services,
    commands,
    (identity) => identity,
    (address, port) => connections.get(connectionKey(address, port)),
  );
  const begin: OrderMessage = {
    begin: {
      settings: { ssh: settings.ssh, server: { idleTimeout: settings.server.idleTimeout } },
      socket: path,
      hostKeys: usable(hostKeys).map(({ privateKey }) => privateKey.toString('latin1')),
      identity: `Copse_${COPSE_VERSION}`,
    },
  };
  let speaking: SpeakingProcess | undefined;
  const close = async () => {
    speaking?.end();
    decider.close();
    await rm(folder, { recursive: true, force: true });
  };
  const start = () => new SpeakingProcess(begin, (message, stack) => log.error({ stack }, message));
  try {
    await decider.listen(path);
    speaking = start();
    await speaking.begun;
  } catch (error) {
    await close();
    throw error;
  }

  const accept = (socket: Socket, address: string): SshConnection => {
    // One that was killed is started again.
    if (!speaking?.isRunning) {
      speaking = start();
      speaking.begun.catch((err: unknown) => log.error({ err }, 'the process that speaks SSH cannot begin'));
    }
    const own: OwnConnection = { sessions: 0 };
    const key = connectionKey(address, socket.remotePort);
    connections.set(key, own);
    const { ended, close } = speaking.accept(socket, address);
    void ended.then(() => connections.get(key) === own && connections.delete(key));
    return { sessions: () => own.sessions, ended, close };
  };
  return { name: 'embedded', accept, close };
}

/** Leaves out the RSA key if there is another one, because ssh2 would also offer its signatures with SHA-1. */
function usable(hostKeys: readonly HostKey[]): readonly HostKey[] {
  const others = hostKeys.filter(({ path }) => !path.endsWith('_rsa_key'));
  return others.length > 0 ? others : hostKeys;
}
