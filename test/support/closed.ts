import type { EventEmitter } from 'node:events';

/** Resolves when a connection has ended, in whatever way: with an error too, where the other side has reset it. */
export function closed(connection: EventEmitter): Promise<void> {
  connection.on('error', () => {});
  return new Promise((resolve) => void connection.once('close', () => resolve()));
}
