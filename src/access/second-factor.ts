import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';

/** What an account requires besides its password. */
export interface SecondFactors {
  /** One-time codes of an app. */
  readonly hasCodes: boolean;
  readonly hasPasskeys: boolean;
}

const kindsOf = prepared(
  (db, userId: number) =>
    db.selectNoFrom((make) => [
      make.exists(make.selectFrom('two_factors').select('user_id').where('user_id', '=', userId)).as('codes'),
      make.exists(make.selectFrom('passkeys').select('user_id').where('user_id', '=', userId)).as('passkeys'),
    ]),
  { isCached: true },
);

/** The second factors of an account. */
export async function secondFactorsOf(db: Db, userId: number): Promise<SecondFactors> {
  const [row] = await kindsOf(db, userId);
  return { hasCodes: Boolean(row?.codes), hasPasskeys: Boolean(row?.passkeys) };
}

/** Whether signing in to this account takes more than the password. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const { hasCodes, hasPasskeys } = await secondFactorsOf(db, userId);
  return hasCodes || hasPasskeys;
}
