import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Release, Semaphore } from '../../concurrency/semaphore.ts';
import type { Services } from '../../context.ts';
import { watchActivity } from '../../git/processes/process-activity.ts';
import { addressKey } from '../../text/ip-addresses.ts';
import type { ConnectionOutcome, SshConnection } from '../server.ts';
import { connectionKey, type OwnConnection } from '../session-socket.ts';

/** Length limit of the log of one sshd in characters. */
const MAX_LOG = 64 * 1024;
/** Time after which a silent client no longer blocks others from signing in. */
const SIGN_IN_TURN_MS = 1000;

/** The state shared by all connections to OpenSSH's server. */
export interface SshdServer {
  readonly services: Services;
  /** The path of the configuration of sshd. */
  readonly config: string;
  /** The connections that an sshd serves, by {@link connectionKey}. */
  readonly connections: Map<string, OwnConnection>;
  /** Limits concurrent sign-ins, by IP address. */
  readonly signIns: Semaphore;
}

/** Serves a connection with an sshd of its own, as soon as it is its turn to sign in. */
export function serveConnection(server: SshdServer, client: Socket, address: string): SshConnection {
  const { connections, services } = server;
  const key = connectionKey(address, client.remotePort);
  const own: OwnConnection = { sessions: 0 };
  const closing = new AbortController();
  connections.set(key, own);
  const ended = serve(server, client, address, closing.signal)
    .catch((err): ConnectionOutcome => {
      services.log.error({ err }, 'sshd cannot be started');
      return 'unused';
    })
    .finally(() => {
      client.destroy();
      connections.delete(key);
    });
  return { sessions: () => own.sessions, ended, close: () => closing.abort() };
}

/**
 * Waits for the connection's turn, and resolves when its sshd has ended.
 * @throws the error of the system when sshd cannot be started
 */
async function serve(
  { services, config, signIns }: SshdServer,
  client: Socket,
  address: string,
  signal: AbortSignal,
): Promise<ConnectionOutcome> {
  let release: Release;
  try {
    release = await signIns.acquire(addressKey(address), { signal });
  } catch {
    return 'unused';
  }
  const turn = setTimeout(release, SIGN_IN_TURN_MS);
  try {
    return await runSshd(services, config, client, signal, release);
  } finally {
    clearTimeout(turn);
    release();
  }
}

async function runSshd(
  { settings }: Services,
  config: string,
  client: Socket,
  signal: AbortSignal,
  onSignedIn: () => void,
): Promise<ConnectionOutcome> {
  const { program, idleTimeout, loginTimeout } = settings.ssh;
  const child = spawn(program, ['-i', '-e', '-f', config], {
    stdio: [client, client, 'pipe'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    detached: true,
  });
  // sshd has the connection now.
  client.destroy();
  const close = () => kill(child);
  const outcome = watchOutcome(child, onSignedIn);
  const unwatch = child.pid === undefined ? () => {} : watchActivity(child.pid, idleTimeout, close);
  // sshd has the same limit, but does not apply it to clients that send nothing at all.
  const login = setTimeout(() => outcome() !== 'authenticated' && close(), 2 * loginTimeout);
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  try {
    await new Promise<void>((resolve, reject) => child.on('error', reject).on('exit', () => resolve()));
    return outcome();
  } finally {
    clearTimeout(login);
    unwatch();
  }
}

/** The progress of the client, according to the log of sshd. */
function watchOutcome(child: ChildProcess, onSignedIn: () => void): () => ConnectionOutcome {
  let output = '';
  let outcome: ConnectionOutcome = 'unused';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (outcome === 'authenticated' || output.length > MAX_LOG) return;
    output += text;
    if (/^Accepted publickey /m.test(output)) {
      outcome = 'authenticated';
      onSignedIn();
    } else if (/authenticating user|invalid user|^Failed |maximum authentication attempts/im.test(output)) outcome = 'refused';
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
