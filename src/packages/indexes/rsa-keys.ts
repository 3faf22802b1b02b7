import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Semaphore } from '../../concurrency/semaphore.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { SigningKey } from './signing-keys.ts';

const KEY_BITS = 4096;

/** Generating a key takes seconds. */
const making = new Semaphore({ permits: 1, maxWaiting: 20, maxWaitingPerKey: 1, waitTimeoutMs: 30_000 });

/**
 * Creates a pair of RSA keys for an account, as PEM: the private one by PKCS #1, the public one as SPKI.
 * @throws BusyError
 */
export async function makeRsaKeys({ id }: User): Promise<SigningKey> {
  return await making.run(String(id), () =>
    promisify(generateKeyPair)('rsa', {
      modulusLength: KEY_BITS,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    }),
  );
}
