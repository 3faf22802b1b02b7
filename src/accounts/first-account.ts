import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import type { Secrets } from '../secrets.ts';

/** The command that creates the first administrator. */
export const FIRST_ACCOUNT_COMMAND = 'npm run copse -- admin user create --admin --username NAME --email ADDRESS';

/** The path of the page that creates the first administrator. */
export const FIRST_ACCOUNT_PAGE = 'user/first_administrator';

/** The characters of a code, in groups that are easy to type. */
const CODE = /[a-z0-9]{4}/g;
const GROUPS = 5;

/**
 * The code for the page that creates the first administrator: readers of the server's log know it. It is the same in all processes, and
 * invalid once there is an account.
 */
export function firstAccountCode(secrets: Pick<Secrets, 'hmac'>): string {
  const digest = BigInt(`0x${secrets.hmac('first administrator').toString('hex')}`).toString(36);
  return (digest.match(CODE) ?? []).slice(0, GROUPS).join('-');
}

/** The log message at the start of an instance without accounts. */
export function howToBegin({ secrets, settings }: Pick<Context, 'secrets' | 'settings'>): string {
  const page = settings.server.rootUrl + FIRST_ACCOUNT_PAGE;
  return `there is no account yet; make an administrator with: ${FIRST_ACCOUNT_COMMAND}; or open ${page} and type the code ${firstAccountCode(secrets)}`;
}

/** Whether anybody has an account. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('type', '=', 'individual').limit(1).executeTakeFirst()) !== undefined;
}
