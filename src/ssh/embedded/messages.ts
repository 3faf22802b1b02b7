import type { ConnectionOutcome } from '../server.ts';
import type { EmbeddedSettings } from './backend.ts';

/** Messages to the process of the embedded server. */
export type OrderMessage =
  /** The first message. */
  | {
      readonly begin: {
        readonly settings: EmbeddedSettings;
        /** The path of the socket that decides, as `SessionSocket` does. */
        readonly socket: string;
        readonly hostKeys: readonly string[];
        readonly identity: string;
      };
    }
  /** Comes with a connection to serve. */
  | { readonly accept: number; readonly address: string }
  | { readonly close: number };

/** Messages from the process of the embedded server. */
export type ReportMessage =
  /** Why it cannot begin; undefined when it has begun. */
  | { readonly begun: { readonly fault?: string } }
  | { readonly ended: number; readonly outcome: ConnectionOutcome }
  /** An error that is not a client's. */
  | { readonly failed: string; readonly stack: string };
