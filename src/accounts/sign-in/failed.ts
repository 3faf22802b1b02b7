import { findUser, findUserByEmail } from '../../access/find-user.ts';
import type { Services } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { FailedSignIn } from '../provided.ts';

/** Where a sign-in came from. */
interface Attempt extends Omit<FailedSignIn, 'user'> {
  /** The name that was given; empty for a token. */
  readonly name: string;
}

/** Records a sign-in that `error` refused; other errors are none. */
export async function noteFailedSignIn(services: Services, error: unknown, { name, ...attempt }: Attempt): Promise<void> {
  if (!(error instanceof HttpError) || (error.status !== 401 && error.status !== 429)) return;
  const { db } = services.database;
  const trimmed = name.trim();
  const user = trimmed === '' ? undefined : await (trimmed.includes('@') ? findUserByEmail(db, trimmed) : findUser(db, trimmed));
  services.metrics.count('copse_failed_sign_ins_total', `method="${attempt.method}"`);
  await services.provided.recordFailedSignIn(services, { ...attempt, user });
}
