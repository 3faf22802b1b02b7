import type { Services } from '../context.ts';
import type { Listening } from '../feature.ts';
import { StartError } from '../start-error.ts';
import { type HostKey, openHostKeys } from './host-keys.ts';
import { SshListener } from './listener.ts';
import { NoOpenSshError } from './openssh/requirements.ts';
import { createOpenSshServer } from './openssh/server.ts';
import { serveSystemSshd } from './openssh/system.ts';
import type { SshServer } from './server.ts';
import type { SshCommands } from './session.ts';

/**
 * Starts to serve SSH if the settings enable it.
 * @throws StartError when that fails
 */
export async function startSsh(services: Services, commands: SshCommands): Promise<Listening | undefined> {
  const { port, socket } = services.settings.ssh;
  const system = socket === null ? undefined : await serveSystemSshd(services, commands, socket);
  const listener = port === null ? undefined : await startListener(services, commands);
  const timeoutMs = services.settings.server.shutdownTimeout;
  return {
    close: async () => {
      await listener?.close(timeoutMs);
      system?.close();
    },
  };
}

async function startListener(services: Services, commands: SshCommands): Promise<SshListener | undefined> {
  const { settings, log } = services;
  const hostKeys = await openHostKeys(settings.ssh.hostKeys);
  const server = await createServer(services, commands, hostKeys);
  const listener = new SshListener(services, server);
  try {
    const port = await listener.listen();
    if (settings.ssh.port === 'free') showPort(services, port);
    log.info({ host: settings.ssh.host, port, server: server.name }, 'SSH is served');
    return listener;
  } catch (error) {
    await server.close();
    if (settings.ssh.port !== 'auto' || !isPortTaken(error)) throw error;
    // Nobody chose this port: a second server on the machine starts without SSH rather than not at all.
    log.warn({ reason: error.message }, 'SSH is not served');
    return undefined;
  }
}

function isPortTaken(error: unknown): error is StartError {
  return error instanceof StartError && error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'EADDRINUSE';
}

/** Clone URLs contain the port, which is only known now. */
function showPort(services: Services, port: number): void {
  const { settings } = services;
  const shown = Object.freeze({ ...settings.ssh, port, publicPort: port });
  Object.assign(services, { settings: Object.freeze({ ...settings, ssh: shown }) });
}

async function createServer(services: Services, commands: SshCommands, hostKeys: readonly HostKey[]): Promise<SshServer> {
  const { server: wanted } = services.settings.ssh;
  if (wanted !== 'embedded') {
    try {
      return await createOpenSshServer(services, commands, hostKeys);
    } catch (error) {
      if (!(error instanceof NoOpenSshError)) throw error;
      if (wanted === 'openssh') throw new StartError(`${error.message}: change it, or set COPSE_SSH_SERVER (ssh.server) to embedded`);
      services.log.info({ reason: error.message }, 'the embedded SSH server is used, since OpenSSH cannot be');
    }
  }
  if (services.settings.ssh.trustedUserCaKeys !== null) {
    services.log.warn('ssh.trustedUserCaKeys has no effect: the embedded SSH server does not support certificates');
  }
  // Loaded on demand to save memory.
  const { createEmbeddedServer } = await import('./embedded/server.ts');
  return await createEmbeddedServer(services, commands, hostKeys);
}
