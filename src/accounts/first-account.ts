import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import type { Secrets } from '../secrets.ts';

/** The command that makes the first administrator. */
export const FIRST_ACCOUNT_COMMAND = 'npm run copse -- admin user create --admin --username NAME --email ADDRESS';

/** The page that makes the first administrator, from the root. */
export const FIRST_ACCOUNT_PAGE = 'user/first_administrator';

/** The characters of a code, in groups that are easy to type. */
const CODE = /[a-z0-9]{4}/g;
const GROUPS = 5;

/**
 * What opens the page that makes the first administrator: who reads the log of the server knows it. It is the same in all processes, and
 * worth nothing once there is an account.
 */
export function firstAccountCode(secrets: Pick<Secrets, 'hmac'>): string {
  const digest = BigInt(`0x${secrets.hmac('first administrator').toString('hex')}`).toString(36);
  return (digest.match(CODE) ?? []).slice(0, GROUPS).join('-');
}

/** What the log says at the start of an instance that nobody has an account on. */
export function howToBegin({ secrets, settings }: Pick<Context, 'secrets' | 'settings'>): string {
  const page = settings.server.rootUrl + FIRST_ACCOUNT_PAGE;
  return `there is no account yet; make an administrator with: ${FIRST_ACCOUNT_COMMAND}; or open ${page} and type the code ${firstAccountCode(secrets)}`;
}

/** Whether anybody has an account. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('type', '=', 'individual').limit(1).executeTakeFirst()) !== undefined;
}
