import type { IncomingHttpHeaders } from 'node:http';
import type { User } from '../database/tables/accounts.ts';
import type { JobGrant, SignIn } from '../sign-in.ts';

/** Who is calling, and how that is known. */
export interface Caller {
  readonly actor: User | null;
  readonly signIn: SignIn;
}

/** What the chain looks at. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  /** The client's address. */
  readonly ip: string;
  /** The address of the connection: the client's, or a proxy's. */
  readonly peer: string;
  readonly search: URLSearchParams;
  /** What a signature of the whole request can cover; left out where requests are not signed. */
  readonly signed?: { readonly method: string; readonly target: string };
  /** Whether the cookie of a session counts: for pages and downloads that change nothing, never for the interface. */
  readonly cookies?: boolean;
  readonly requestId?: string;
}

declare module '../context.ts' {
  interface Provided {
    /**
     * Finds out who is calling: the first method of signing in that recognizes the request decides.
     * @throws HttpError 401 when one recognizes it and does not accept it
     */
    signIn(services: Services, credentials: Credentials): Promise<Caller>;
    /** The job of automation that goes on and has this token; undefined when there is none. */
    jobOfToken(services: Services, token: string): Promise<JobGrant | undefined>;
  }
}
