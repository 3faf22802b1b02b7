import type { Settings } from '../../settings.ts';
import type { ServerKey } from './key.ts';
import { openPgpKey } from './openpgp-key.ts';
import { sshKey } from './ssh-key.ts';

const keys = new WeakMap<Settings, Promise<ServerKey | undefined>>();

/**
 * The key of the settings, read once; undefined if the server signs nothing.
 * @throws Error for a key that cannot be read
 */
export function serverKey(settings: Settings): Promise<ServerKey | undefined> {
  let key = keys.get(settings);
  if (!key) {
    key = readKey(settings);
    keys.set(settings, key);
  }
  return key;
}

async function readKey({ signing }: Settings): Promise<ServerKey | undefined> {
  const { key, format, passphrase } = signing;
  if (!key) return undefined;
  return format === 'ssh' ? sshKey(key, passphrase ?? '') : openPgpKey(key, passphrase ?? '');
}
