import type { Webhook } from '../../database/tables/webhooks.ts';
import { type Secrets, SecretsError } from '../../secrets.ts';

type Use = 'secret' | 'authorization';

/** Encrypts what a hook keeps for itself; nothing stays nothing. */
export function seal(secrets: Secrets, hookId: number, use: Use, plain: string): string {
  return plain === '' ? '' : secrets.encrypt(plain, `webhook ${hookId} ${use}`);
}

/** {@link unseal}, with nothing where the instance has another key now: the hook can still be seen, changed and removed. */
export function unsealOrNothing(secrets: Secrets, hook: Webhook, use: Use): string {
  try {
    return unseal(secrets, hook, use);
  } catch (error) {
    if (error instanceof SecretsError) return '';
    throw error;
  }
}

/**
 * What {@link seal} has encrypted.
 * @throws SecretsError when the instance has another key now
 */
export function unseal(secrets: Secrets, hook: Webhook, use: Use): string {
  const sealed = use === 'secret' ? hook.sealed_secret : hook.sealed_authorization;
  return sealed === '' ? '' : secrets.decrypt(sealed, `webhook ${hook.id} ${use}`).toString('utf8');
}
