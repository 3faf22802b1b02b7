import type { Webhook } from '../../database/tables/webhooks.ts';
import { type Secrets, SecretsError } from '../../secrets.ts';

type Use = 'secret' | 'authorization';

/** Encrypts a hook's secret; an empty one stays empty. */
export function seal(secrets: Secrets, hookId: number, use: Use, plain: string): string {
  return plain === '' ? '' : secrets.encrypt(plain, `webhook ${hookId} ${use}`);
}

/** {@link unseal}, but empty if the instance's key has changed: the hook can still be seen, changed and deleted. */
export function unsealOrNothing(secrets: Secrets, hook: Webhook, use: Use): string {
  try {
    return unseal(secrets, hook, use);
  } catch (error) {
    if (error instanceof SecretsError) return '';
    throw error;
  }
}

/**
 * Decrypts the result of {@link seal}.
 * @throws SecretsError when the instance has another key now
 */
export function unseal(secrets: Secrets, hook: Webhook, use: Use): string {
  const sealed = use === 'secret' ? hook.sealed_secret : hook.sealed_authorization;
  return sealed === '' ? '' : secrets.decrypt(sealed, `webhook ${hook.id} ${use}`).toString('utf8');
}
