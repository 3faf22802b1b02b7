import type { ConnectionOutcome } from '../server.ts';
import type { EmbeddedSettings } from './backend.ts';

/** What the process of the embedded server is told. */
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

/** What the process of the embedded server says. */
export type ReportMessage =
  /** Why it cannot begin; undefined when it has begun. */
  | { readonly begun: { readonly fault?: string } }
  | { readonly ended: number; readonly outcome: ConnectionOutcome }
  /** An error that is no client's. */
  | { readonly failed: string; readonly stack: string };
