import { randomBytes } from 'node:crypto';
import { Semaphore } from '../../concurrency/semaphore.ts';
import type { Db } from '../../database/database.ts';
import { ExpiringMap } from '../expiring-map.ts';
import { isImportedHash } from './imported-hash.ts';
import { hashToken } from './token-values.ts';

/** Tokens that end alike, of which no more are tried. */
const MAX_CANDIDATES = 4;
/** Milliseconds for which a wrong value is known to be wrong, and how many values are. */
const WRONG_LIFETIME = 60_000;
const MAX_WRONG = 10_000;
/** Milliseconds for which it is believed that imported tokens are left, or that none are. */
const PRESENCE_LIFETIME = 60_000;
const PRESENCE = 'imported';

/** What a value is compared with that ends like no imported token. */
const DECOY = { id: 0, token_hash: '', imported_salt: randomBytes(5).toString('hex') };

/** What a process remembers of the tokens of a database. */
class Remembered {
  readonly wrong = new ExpiringMap<true>(MAX_WRONG, Date.now);
  readonly presence = new ExpiringMap<boolean>(1, Date.now);
  readonly semaphore = new Semaphore({ permits: 2, maxWaiting: 200, waitTimeoutMs: 10_000 });
}

const remembered = new WeakMap<Db, Remembered>();

function memoryOf(db: Db): Remembered {
  const memory = remembered.get(db) ?? new Remembered();
  remembered.set(db, memory);
  return memory;
}

/**
 * Finds the imported token with this value, and keeps it as our own kind of hash from now on, so that it is slow once.
 * A wrong value takes one slow hash, whether or not an imported token ends like it, as long as there are imported tokens at all.
 * @returns whether there was one: then it is found by {@link hashToken}
 * @throws BusyError when too many values are being checked
 */
export async function upgradeImportedToken(db: Db, value: string): Promise<boolean> {
  const { wrong, semaphore, presence } = memoryOf(db);
  const hash = hashToken(value);
  if (wrong.get(hash) || !(await hasImported(db, presence))) return false;
  const candidates = await db
    .selectFrom('access_tokens')
    .select(['id', 'token_hash', 'imported_salt'])
    .where('token_last_eight', '=', value.slice(-8))
    .where('imported_salt', '<>', '')
    .limit(MAX_CANDIDATES)
    .execute();
  for (const candidate of candidates.length > 0 ? candidates : [DECOY]) {
    if (!(await semaphore.run('', () => isImportedHash(value, candidate.token_hash, candidate.imported_salt)))) continue;
    await db.updateTable('access_tokens').set({ token_hash: hash, imported_salt: '' }).where('id', '=', candidate.id).execute();
    return true;
  }
  wrong.set(hash, true, WRONG_LIFETIME);
  return false;
}

/** Instances without imported tokens, which most are, pay nothing for a wrong value. */
async function hasImported(db: Db, presence: ExpiringMap<boolean>): Promise<boolean> {
  const known = presence.get(PRESENCE);
  if (known !== undefined) return known;
  const row = await db.selectFrom('access_tokens').select('id').where('imported_salt', '<>', '').limit(1).executeTakeFirst();
  presence.set(PRESENCE, row !== undefined, PRESENCE_LIFETIME);
  return row !== undefined;
}
