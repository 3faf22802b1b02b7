import { type ChildProcess, spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Services } from '../../context.ts';
import { watchActivity } from '../../git/process-activity.ts';
import type { HostKey } from '../host-keys.ts';
import type { ConnectionOutcome, SshConnection, SshServer } from '../server.ts';
import type { SshCommands } from '../session.ts';
import { connectionKey, type OwnConnection, SessionSocket } from '../session-socket.ts';
import { makeSocketFolder } from '../socket-folder.ts';
import { sshdConfig } from './config.ts';
import { checkConfig, helperArguments, requireMachine } from './requirements.ts';

/** Characters of the log of one sshd that are read. */
const MAX_LOG = 64 * 1024;

/**
 * OpenSSH's server, one process for each connection, as inetd starts it: so the bounds on connections are those of the embedded one,
 * and no sshd outlives its clients when this process is killed.
 * @throws NoOpenSshError where it cannot run
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
  return { name: 'openssh', accept: (client, address) => accept(services, connections, { client, address, config }), close };
}

function accept(
  { settings, log }: Services,
  connections: Map<string, OwnConnection>,
  { client, address, config }: { client: Socket; address: string; config: string },
): SshConnection {
  const { program, idleTimeout, loginTimeout } = settings.ssh;
  const key = connectionKey(address, client.remotePort);
  const own: OwnConnection = { sessions: 0 };
  const child = spawn(program, ['-i', '-e', '-f', config], {
    stdio: [client, client, 'pipe'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    detached: true,
  });
  // sshd has the connection now.
  client.destroy();
  connections.set(key, own);
  const close = () => void kill(child);
  const outcome = watchOutcome(child);
  const unwatch = child.pid === undefined ? () => {} : watchActivity(child.pid, idleTimeout, close);
  // sshd has the same limit, but does not apply it to clients that send nothing at all.
  const login = setTimeout(() => outcome() !== 'authenticated' && close(), 2 * loginTimeout);
  const ended = new Promise<ConnectionOutcome>((resolve) => {
    const end = () => {
      clearTimeout(login);
      unwatch();
      connections.delete(key);
      resolve(outcome());
    };
    child.on('error', (err) => {
      log.error({ err }, 'sshd cannot be started');
      end();
    });
    child.on('exit', end);
  });
  return { sessions: () => own.sessions, ended, close };
}

/** How far the client got, by what sshd writes to its log. */
function watchOutcome(child: ChildProcess): () => ConnectionOutcome {
  let output = '';
  let outcome: ConnectionOutcome = 'unused';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (outcome === 'authenticated' || output.length > MAX_LOG) return;
    output += text;
    if (/^Accepted publickey /m.test(output)) outcome = 'authenticated';
    else if (/authenticating user|invalid user|^Failed |maximum authentication attempts/im.test(output)) outcome = 'refused';
  });
  child.stderr?.on('error', () => {});
  return () => outcome;
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}
