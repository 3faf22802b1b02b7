import type { Settings } from '../../settings.ts';
import type { SessionRequest, SessionStreams } from '../session.ts';

/** A key with which a client may sign in. */
export interface KnownKey {
  /** As `formatIdentity` writes it. */
  readonly identity: string;
  /** `type base64` */
  readonly content: string;
}

/** A command of a signed-in client. */
export interface Command extends Pick<SessionRequest, 'address' | 'command' | 'protocol'> {
  /** The client's port. */
  readonly port: number;
  /** As `formatIdentity` writes it. */
  readonly identity: string;
}

/** The streams of a command. */
export type CommandStreams = Pick<SessionStreams, 'input' | 'output' | 'progress' | 'complain' | 'signal'>;

/** The settings of the embedded server. */
export type EmbeddedSettings = Pick<Settings, 'ssh'> & { readonly server: Pick<Settings['server'], 'idleTimeout'> };

/** The decisions for the embedded server, which only speaks SSH. */
export interface SshBackend {
  readonly settings: EmbeddedSettings;
  /** The key with this fingerprint, if it may sign in. */
  findKey(fingerprint: string): Promise<KnownKey | undefined>;
  /** Runs a command, and returns its exit code. */
  serve(command: Command, streams: CommandStreams): Promise<number>;
  /** An error that is not a client's. */
  failed(error: unknown, message: string): void;
}
