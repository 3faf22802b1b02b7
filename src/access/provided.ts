import type { IncomingHttpHeaders } from 'node:http';
import type { User } from '../database/tables/accounts.ts';
import type { JobGrant, SignIn } from '../sign-in.ts';

/** The caller, and how they were identified. */
export interface Caller {
  readonly actor: User | null;
  readonly signIn: SignIn;
}

/** The parts of a request that sign-in methods check. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  /** The client's IP address. */
  readonly ip: string;
  /** The IP address of the connection: the client's, or a proxy's. */
  readonly peer: string;
  readonly search: URLSearchParams;
  /** The parts of the request that an HTTP signature covers; left out where requests are not signed. */
  readonly signed?: { readonly method: string; readonly target: string };
  /** Whether a session cookie counts: for pages and downloads that change nothing, never for the API. */
  readonly cookies?: boolean;
  readonly requestId?: string;
}

declare module '../context.ts' {
  interface Provided {
    /**
     * Identifies the caller: the first sign-in method that recognizes the request decides.
     * @throws HttpError 401 when that method does not accept it
     */
    signIn(services: Services, credentials: Credentials): Promise<Caller>;
    /** The running job with this token; undefined when there is none. */
    jobOfToken(services: Services, token: string): Promise<JobGrant | undefined>;
  }
}
