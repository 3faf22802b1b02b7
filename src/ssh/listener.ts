import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { ExpiringMap } from '../accounts/expiring-map.ts';
import type { Services } from '../context.ts';
import { AUTOMATIC_PORT } from '../settings/groups/ssh.ts';
import { StartError } from '../start-error.ts';
import { addressKey } from '../text/ip-addresses.ts';
import type { SshConnection, SshServer } from './server.ts';

/** IP addresses whose failures are counted; beyond that, the oldest are dropped. */
const MAX_ADDRESSES = 100_000;
/** How often a closing listener checks for connections without running commands. */
const CLOSE_CHECK_MS = 20;

/** Accepts connections, limits their number, and passes them to a server. */
export class SshListener {
  readonly #services: Services;
  readonly #server: SshServer;
  readonly #listener: Server;
  readonly #connections = new Map<SshConnection, string>();
  readonly #byAddress = new Map<string, number>();
  readonly #failures = new ExpiringMap<number>(MAX_ADDRESSES, Date.now);
  readonly #uncount: () => void;
  #isClosing = false;

  constructor(services: Services, server: SshServer) {
    this.#services = services;
    this.#server = server;
    // The server that gets the socket has to read it from its first byte.
    this.#uncount = services.metrics.addSource(() => [{ name: 'copse_ssh_connections', labels: '', value: this.#connections.size }]);
    this.#listener = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#accept(socket));
  }

  /**
   * Begins to accept connections, and returns the port.
   * @throws StartError when the address and port of the settings cannot be listened on; its cause is the error of the system
   */
  async listen(): Promise<number> {
    const { host, port: wanted } = this.#services.settings.ssh;
    const port = wanted === 'auto' ? AUTOMATIC_PORT : wanted === 'free' ? 0 : (wanted ?? 0);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#listener.once('error', reject);
        this.#listener.listen({ host, port }, () => resolve());
      });
    } catch (error) {
      throw startError(error as NodeJS.ErrnoException, host, port);
    }
    // Such as too many open files: the next connection may succeed.
    this.#listener.on('error', (err) => this.#services.log.warn({ err }, 'an SSH connection could not be accepted'));
    return (this.#listener.address() as AddressInfo).port;
  }

  /** Stops accepting connections, waits up to `timeoutMs` for running commands, and closes all connections. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosing = true;
    this.#listener.close();
    const deadline = performance.now() + timeoutMs;
    while (this.#connections.size > 0) {
      const isLate = performance.now() >= deadline;
      for (const connection of this.#connections.keys()) if (isLate || connection.sessions() === 0) connection.close();
      await new Promise((resolve) => setTimeout(resolve, CLOSE_CHECK_MS));
    }
    this.#uncount();
    await this.#server.close();
  }

  #accept(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const from = addressKey(address);
    socket.on('error', () => {});
    if (this.#isClosing || address === '' || !this.#mayConnect(from)) {
      socket.destroy();
      return;
    }
    let connection: SshConnection;
    try {
      connection = this.#server.accept(socket, address);
    } catch (err) {
      this.#services.log.error({ err }, 'an SSH connection could not be served');
      socket.destroy();
      return;
    }
    this.#connections.set(connection, from);
    this.#services.metrics.count('copse_ssh_connections_total');
    this.#byAddress.set(from, (this.#byAddress.get(from) ?? 0) + 1);
    void connection.ended.then((outcome) => {
      this.#forget(connection, from);
      if (outcome === 'refused') this.#countFailure(address, from);
      else if (outcome === 'authenticated') this.#failures.delete(from);
    });
  }

  #mayConnect(from: string): boolean {
    const { ssh, throttle } = this.#services.settings;
    if (this.#connections.size >= ssh.maxConnections) return false;
    if ((this.#byAddress.get(from) ?? 0) >= ssh.connectionsPerAddress) return false;
    return !throttle.enabled || (this.#failures.get(from) ?? 0) < throttle.refusedPerAddress;
  }

  #forget(connection: SshConnection, from: string): void {
    this.#connections.delete(connection);
    const others = (this.#byAddress.get(from) ?? 1) - 1;
    if (others === 0) this.#byAddress.delete(from);
    else this.#byAddress.set(from, others);
  }

  #countFailure(address: string, from: string): void {
    const { log, settings } = this.#services;
    log.info({ address }, 'an SSH sign-in failed');
    this.#failures.set(from, (this.#failures.get(from) ?? 0) + 1, settings.throttle.window);
  }
}

function startError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const advice: Record<string, string> = {
    EADDRINUSE: `another program listens on port ${port} of ${host}: stop it, or set COPSE_SSH_PORT (ssh.port) to another port, or to 0 for no SSH`,
    EACCES: `this user may not listen on port ${port}: set COPSE_SSH_PORT (ssh.port) to 1024 or more`,
    EADDRNOTAVAIL: `this machine does not have the address ${host}: set COPSE_SSH_HOST (ssh.host) to one that it has`,
    ENOTFOUND: `the host name ${host} is not known: set COPSE_SSH_HOST (ssh.host) to an address of this machine`,
  };
  const message = advice[error.code ?? ''];
  return message === undefined ? error : new StartError(message, { cause: error });
}
