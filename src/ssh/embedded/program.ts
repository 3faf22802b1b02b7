import type { Socket } from 'node:net';
import type { SshConnection, SshServer } from '../server.ts';
import type { OrderMessage, ReportMessage } from './messages.ts';
import { socketBackend } from './socket-backend.ts';
import { speakSsh } from './speak.ts';

/*
 * The program of the embedded server (server.ts). It encrypts, and the process that started it decides everything else.
 */

/** How long git may take to end after the server, in milliseconds. */
const GRACE_MS = 10_000;

const connections = new Map<number, SshConnection>();
let server: SshServer | undefined;

function say(message: ReportMessage): void {
  // Nobody is there any more.
  process.send?.(message, undefined, undefined, () => {});
}

function failed(error: unknown, message: string): void {
  say({ failed: message, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}

function begin({ settings, socket, hostKeys, identity }: Extract<OrderMessage, { begin: object }>['begin']): void {
  try {
    const backend = socketBackend(socket, settings, failed);
    server = speakSsh(
      backend,
      hostKeys.map((key) => Buffer.from(key, 'latin1')),
      identity,
    );
    say({ begun: {} });
  } catch (error) {
    say({ begun: { fault: error instanceof Error ? error.message : String(error) } });
  }
}

function accept(id: number, address: string, socket: Socket | undefined): void {
  // A client that left meanwhile comes as nothing.
  if (!server || !socket) {
    say({ ended: id, outcome: 'unused' });
    return;
  }
  socket.on('error', () => {});
  const connection = server.accept(socket, address);
  connections.set(id, connection);
  void connection.ended.then((outcome) => {
    connections.delete(id);
    say({ ended: id, outcome });
  });
}

process.on('message', (message: OrderMessage, handle: unknown) => {
  if ('begin' in message) begin(message.begin);
  else if ('accept' in message) accept(message.accept, message.address, handle as Socket | undefined);
  else connections.get(message.close)?.close();
});
// The sockets of commands close too, and with them git ends.
process.on('disconnect', () => {
  for (const connection of connections.values()) connection.close();
  setTimeout(() => process.exit(), GRACE_MS).unref();
});
// A terminal or a service manager signals all of a group; the server decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
