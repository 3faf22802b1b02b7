import type { AccessLevel, UnitName } from './database/tables/repositories.ts';

/** What a token, or a key that a token added, may be used for; null for a caller who may do all that the account may. */
export interface TokenGrant {
  /** The normalized scope, comma separated, as in the table of tokens. */
  readonly scope: string;
  /** Only what is public can be reached. */
  readonly publicOnly: boolean;
}

/** A job of automation whose token signed in: it acts as the account of automation, and changes its repository alone. */
export interface JobGrant {
  readonly taskId: number;
  readonly repositoryId: number;
  /** What the workflow, the settings and the event allow in each unit of its repository; nothing in those that are not here. */
  readonly levels: ReadonlyMap<UnitName, AccessLevel>;
}

/** How the caller signed in. */
export interface SignIn {
  readonly method: 'anonymous' | 'password' | 'token' | 'oauth2' | 'signature' | 'proxy' | 'session' | 'ssh' | 'internal';
  /** The credentials came in a basic authorization header. */
  readonly basic: boolean;
  readonly token: TokenGrant | null;
  /** Only for the token of a job. */
  readonly job?: JobGrant;
  /** The name of the token, application or key. */
  readonly credential?: string;
  /** The administrator who signed in, where the request is made as another user. */
  readonly sudo?: { readonly id: number; readonly name: string };
}

/** Nobody has signed in. */
export const ANONYMOUS: SignIn = { method: 'anonymous', basic: false, token: null };

/** The server acts by itself. */
export const INTERNAL: SignIn = { method: 'internal', basic: false, token: null };
