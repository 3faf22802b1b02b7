import { now } from '../../clock.ts';
import { afterCommit, type Context, inTransaction, type Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Session } from '../../database/tables/oauth2.ts';
import { notFound } from '../../http/errors.ts';
import { subjects } from '../../processes/subjects.ts';
import { hashRandomValue } from '../oauth2/client-secrets.ts';

/** The precision of the last use, in seconds: not every page writes. */
const USED_STEP = 60;
const MAX_AGENT_LENGTH = 200;

/** The origin of a sign-in by browser. */
export interface SessionOrigin {
  ip: string;
  userAgent: string;
  /** The user wants to stay signed in. */
  remember: boolean;
}

/** Signs a browser in: `token` becomes the value of its cookie. */
export async function startSession(context: Context, user: User, token: string, { ip, userAgent, remember }: SessionOrigin): Promise<void> {
  const time = now();
  const session = {
    user_id: user.id,
    token_hash: hashRandomValue(token),
    password_mark: passwordMark(user),
    is_remembered: remember,
    ip,
    user_agent: userAgent.slice(0, MAX_AGENT_LENGTH),
    created_at: time,
    used_at: time,
    expires_at: time + sessionSeconds(context, remember),
  };
  context.act?.by(user);
  await inTransaction(context, async ({ db }) => {
    await db.deleteFrom('sessions').where('expires_at', '<=', time).execute();
    await db.insertInto('sessions').values(session).execute();
    await db.updateTable('users').set({ last_login_at: time }).where('id', '=', user.id).execute();
  });
}

/** The session of a cookie and its user, unless it has ended: by time, or by a new password. Extends its lifetime. */
export async function useSession(services: Services, token: string): Promise<{ session: Session; user: User } | undefined> {
  const { db } = services.database;
  const session = await db.selectFrom('sessions').selectAll().where('token_hash', '=', hashRandomValue(token)).executeTakeFirst();
  const time = now();
  if (!session || session.expires_at <= time) return undefined;
  const user = await db.selectFrom('users').selectAll().where('id', '=', session.user_id).executeTakeFirst();
  if (!user || session.password_mark !== passwordMark(user)) return undefined;
  if (time - session.used_at >= USED_STEP) {
    const expires = time + sessionSeconds(services, session.is_remembered);
    await db.updateTable('sessions').set({ used_at: time, expires_at: expires }).where('id', '=', session.id).execute();
  }
  return { session, user };
}

/** The signed-in browsers of the user, latest first. */
export function listSessions({ db }: Context, user: User): Promise<Session[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('expires_at', '>', now())
    .where('password_mark', '=', passwordMark(user))
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
}

/**
 * Signs a browser of the user out.
 * @throws HttpError 404 when the user has no such session
 */
export async function endSession(context: Context, user: User, id: number): Promise<void> {
  await inTransaction(context, async (context) => {
    const ended = await context.db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', user.id).executeTakeFirst();
    if (ended.numDeletedRows === 0n) throw notFound();
    tellSignIns(context, user);
  });
}

/** Signs all browsers of the user out but one. */
export async function endOtherSessions(context: Context, user: User, kept: number): Promise<void> {
  await inTransaction(context, async (context) => {
    await context.db.deleteFrom('sessions').where('user_id', '=', user.id).where('id', '!=', kept).execute();
    tellSignIns(context, user);
  });
}

/** After the commit, open connections of the user's browsers are checked again. */
export function tellSignIns(context: Context, { id }: Pick<User, 'id'>): void {
  afterCommit(context, () => context.wakeUps.notify([subjects.signIns(id)]));
}

/** How long a session lives without use, in seconds. */
export function sessionSeconds({ settings }: Pick<Services, 'settings'>, remember: boolean): number {
  const { rememberLifetime, sessionLifetime } = settings.access;
  return Math.ceil((remember ? rememberLifetime : sessionLifetime) / 1000);
}

/** A value that changes with the password, and reveals nothing about it. */
function passwordMark({ password_hash }: User): string {
  return hashRandomValue(`session ${password_hash}`).slice(0, 32);
}
