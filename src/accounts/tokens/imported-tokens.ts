import { randomBytes } from 'node:crypto';
import { Semaphore } from '../../concurrency/semaphore.ts';
import type { Db } from '../../database/database.ts';
import { ExpiringMap } from '../expiring-map.ts';
import { isImportedHash } from './imported-hash.ts';
import { hashToken } from './token-values.ts';

/** How many tokens with the same suffix are tried. */
const MAX_CANDIDATES = 4;
/** How long a wrong value is cached in milliseconds, and how many are. */
const WRONG_LIFETIME = 60_000;
const MAX_WRONG = 10_000;
/** For how many milliseconds the presence of imported tokens is cached. */
const PRESENCE_LIFETIME = 60_000;
const PRESENCE = 'imported';

/** Compared with a value whose suffix no imported token has. */
const DECOY = { id: 0, token_hash: '', imported_salt: randomBytes(5).toString('hex') };

/** The cache of a process for one database. */
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
 * Finds the imported token with this value, and stores it with our own kind of hash from now on, so that it is slow only once.
 * A wrong value takes one slow hash, whether or not an imported token has its suffix, while there are imported tokens.
 * @returns whether there was one: then {@link hashToken} finds it
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

/** Instances without imported tokens, which most are, save the work for a wrong value. */
async function hasImported(db: Db, presence: ExpiringMap<boolean>): Promise<boolean> {
  const known = presence.get(PRESENCE);
  if (known !== undefined) return known;
  const row = await db.selectFrom('access_tokens').select('id').where('imported_salt', '<>', '').limit(1).executeTakeFirst();
  presence.set(PRESENCE, row !== undefined, PRESENCE_LIFETIME);
  return row !== undefined;
}
