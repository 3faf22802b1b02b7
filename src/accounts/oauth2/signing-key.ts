import type { CryptoKey, JWK } from 'jose';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';

/** The instance's key for identity tokens. */
export interface SigningKey {
  algorithm: string;
  privateKey: CryptoKey;
  /** The public key in the key set. */
  publicJwk: JWK;
}

const RSA_BITS = 3072;
const keys = new WeakMap<Db, Promise<SigningKey>>();

/** The key of the configured algorithm; generated on first use and stored encrypted in the database, so that all processes have the same. */
export function signingKey(context: Context): Promise<SigningKey> {
  const { db } = context.database;
  const known = keys.get(db);
  if (known) return known;
  const opening = openKey(context);
  keys.set(db, opening);
  opening.catch(() => keys.delete(db));
  return opening;
}

async function openKey(context: Context): Promise<SigningKey> {
  const { calculateJwkThumbprint, exportJWK, importPKCS8 } = await import('jose');
  const algorithm = context.settings.oauth2.signingAlgorithm;
  const sealed = (await storedKey(context, algorithm)) ?? (await createKey(context, algorithm));
  const pem = context.secrets.decrypt(sealed, sealedFor(algorithm)).toString('utf8');
  const privateKey = await importPKCS8(pem, algorithm, { extractable: true });
  const { kty, n, e, crv, x, y } = await exportJWK(privateKey);
  const publicPart = JSON.parse(JSON.stringify({ kty, n, e, crv, x, y })) as JWK;
  const kid = await calculateJwkThumbprint(publicPart);
  return { algorithm, privateKey, publicJwk: { ...publicPart, kid, alg: algorithm, use: 'sig' } };
}

async function storedKey({ database: { db } }: Context, algorithm: string): Promise<string | undefined> {
  const row = await db.selectFrom('oauth2_signing_keys').select('private_key').where('algorithm', '=', algorithm).executeTakeFirst();
  return row?.private_key;
}

/** Another process may create one at the same time: the one in the database counts. */
async function createKey(context: Context, algorithm: string): Promise<string> {
  const { exportPKCS8, generateKeyPair } = await import('jose');
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true, modulusLength: RSA_BITS });
  const sealed = context.secrets.encrypt(await exportPKCS8(privateKey), sealedFor(algorithm));
  await context.database.db
    .insertInto('oauth2_signing_keys')
    .values({ algorithm, private_key: sealed, created_at: now() })
    .onConflict((conflict) => conflict.column('algorithm').doNothing())
    .execute();
  return (await storedKey(context, algorithm)) ?? sealed;
}

function sealedFor(algorithm: string): string {
  return `oauth2 signing key ${algorithm}`;
}
