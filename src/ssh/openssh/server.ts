import { rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Semaphore } from '../../concurrency/semaphore.ts';
import type { Services } from '../../context.ts';
import type { Settings } from '../../settings.ts';
import type { HostKey } from '../host-keys.ts';
import type { SshServer } from '../server.ts';
import type { SshCommands } from '../session.ts';
import { connectionKey, type OwnConnection, SessionSocket } from '../session-socket.ts';
import { makeSocketFolder } from '../socket-folder.ts';
import { sshdConfig } from './config.ts';
import { serveConnection } from './connection.ts';
import { checkConfig, helperArguments, requireMachine } from './requirements.ts';

/** Concurrent sign-ins for each processor: with many more, all would time out. */
const SIGN_INS_PER_PROCESSOR = 4;

/**
 * OpenSSH's server, one process per connection, started as by inetd: so the bounds on connections are those of the embedded one,
 * and no sshd outlives its clients when this process is killed.
 * @throws NoOpenSshError if it cannot run
 */
export async function createOpenSshServer(services: Services, commands: SshCommands, hostKeys: readonly HostKey[]): Promise<SshServer> {
  const { settings } = services;
  const { program, trustedUserCaKeys } = settings.ssh;
  const user = await requireMachine(settings);
  const folder = await makeSocketFolder();
  const connections = new Map<string, OwnConnection>();
  const path = join(folder, 'socket');
  const config = join(folder, 'sshd_config');
  let socket: SessionSocket | undefined;
  const close = async () => {
    socket?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const helper = helperArguments(path);
    const authorities = trustedUserCaKeys === null ? undefined : join(folder, 'authorities');
    if (authorities !== undefined && trustedUserCaKeys !== null) await writeFile(authorities, `${trustedUserCaKeys}\n`);
    await writeFile(config, sshdConfig({ settings, hostKeys, user, helper, authorities }));
    await checkConfig(program, config, authorities !== undefined);
    const command = (identity: string) => [...helper, 'session', identity].join(' ');
    socket = new SessionSocket(services, commands, command, (address, port) => connections.get(connectionKey(address, port)));
    await socket.listen(path);
  } catch (error) {
    await close();
    throw error;
  }
  const server = { services, config, connections, signIns: signInTurns(settings) };
  return { name: 'openssh', accept: (client, address) => serveConnection(server, client, address), close };
}

/** One IP address takes at most half of the turns, so that others can sign in too. */
function signInTurns({ ssh }: Settings): Semaphore {
  const permits = SIGN_INS_PER_PROCESSOR * availableParallelism();
  return new Semaphore({
    permits,
    permitsPerKey: permits / 2,
    // The listener bounds how many there are.
    maxWaiting: ssh.maxConnections,
    maxWaitingPerKey: ssh.maxConnections,
    waitTimeoutMs: 2 * ssh.loginTimeout,
  });
}
