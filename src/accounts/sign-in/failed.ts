import { findUser, findUserByEmail } from '../../access/find-user.ts';
import type { Services } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { FailedSignIn } from '../provided.ts';

/** The source of a sign-in. */
interface Attempt extends Omit<FailedSignIn, 'user'> {
  /** The given name; empty for a token. */
  readonly name: string;
}

/** Records a sign-in that failed with `error`; other errors are ignored. */
export async function noteFailedSignIn(services: Services, error: unknown, { name, ...attempt }: Attempt): Promise<void> {
  if (!(error instanceof HttpError) || (error.status !== 401 && error.status !== 429)) return;
  const { db } = services.database;
  const trimmed = name.trim();
  const user = trimmed === '' ? undefined : await (trimmed.includes('@') ? findUserByEmail(db, trimmed) : findUser(db, trimmed));
  services.metrics.count('copse_failed_sign_ins_total', `method="${attempt.method}"`);
  await services.provided.recordFailedSignIn(services, { ...attempt, user });
}
