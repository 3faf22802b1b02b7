import type { SignIn } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';

/** A failed sign-in. */
export interface FailedSignIn {
  readonly method: SignIn['method'];
  /** The account whose password or code was wrong; undefined if there is none with that name. */
  readonly user: User | undefined;
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
}

declare module '../context.ts' {
  interface Provided {
    /** Records a sign-in that failed. */
    recordFailedSignIn(services: Services, failed: FailedSignIn): Promise<void>;
  }
}
