import type { Socket } from 'node:net';

/** How far a connection got. */
export type ConnectionOutcome =
  /** Somebody has signed in. */
  | 'authenticated'
  /** Keys were offered, and none was good. */
  | 'refused'
  /** Nobody tried to sign in, as with a check of the port. */
  | 'unused';

/** A connection that a server speaks with. */
export interface SshConnection {
  /** How many commands run on it. */
  readonly sessions: () => number;
  /** Resolves when it is over. */
  readonly ended: Promise<ConnectionOutcome>;
  /** Ends it with all that runs on it. */
  close(): void;
}

/** What speaks SSH on the connections that the listener accepts. */
export interface SshServer {
  /** As in the setting `ssh.server`. */
  readonly name: 'embedded' | 'openssh';
  /** Takes over a connection, of which nothing has been read yet. */
  accept(socket: Socket, address: string): SshConnection;
  /** Called when all its connections are over. */
  close(): Promise<void>;
}
