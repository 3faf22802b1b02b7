import type { Socket } from 'node:net';

/** How far a connection got. */
export type ConnectionOutcome =
  /** The client has signed in. */
  | 'authenticated'
  /** Keys were offered, and all were refused. */
  | 'refused'
  /** No key was offered, as when a port is checked. */
  | 'unused';

/** A connection that a server serves. */
export interface SshConnection {
  /** How many commands run on it. */
  readonly sessions: () => number;
  /** Resolves when it is over. */
  readonly ended: Promise<ConnectionOutcome>;
  /** Ends it and all commands that run on it. */
  close(): void;
}

/** An implementation of SSH for the connections that the listener accepts. */
export interface SshServer {
  /** As in the setting `ssh.server`. */
  readonly name: 'embedded' | 'openssh';
  /** Takes over a connection before anything is read from it. */
  accept(socket: Socket, address: string): SshConnection;
  /** Called when all its connections are over. */
  close(): Promise<void>;
}
