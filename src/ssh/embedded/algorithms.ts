import type { Algorithms } from 'ssh2';
import type { Settings } from '../../settings.ts';

/*
 * Algorithms of ssh2 that are not outdated: no SHA-1, no CBC, no 64-bit MACs, groups of at least 2048 bits.
 */
const KEY_EXCHANGES = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group18-sha512',
  'diffie-hellman-group14-sha256',
  'diffie-hellman-group-exchange-sha256',
];
/**
 * AES in Galois mode needs the least processor time. `chacha20-poly1305@openssh.com` needs nearly twice as much without the
 * compiled part of ssh2, and OpenSSH's client would prefer it: it is offered only if the settings name it.
 */
const CIPHERS = ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'];
const OTHER_CIPHERS = ['chacha20-poly1305@openssh.com'];
const MACS = ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'];

/**
 * The algorithms of the embedded server. Algorithms in the settings that it does not support are left out.
 * @throws Error when nothing is left
 */
export function offeredAlgorithms({ ssh }: Pick<Settings, 'ssh'>): Algorithms {
  return {
    kex: offered('ssh.keyExchanges', ssh.keyExchanges, KEY_EXCHANGES),
    cipher: offered('ssh.ciphers', ssh.ciphers, CIPHERS, OTHER_CIPHERS),
    hmac: offered('ssh.macs', ssh.macs, MACS),
    compress: ['none'],
  } as Algorithms;
}

function offered(name: string, wanted: readonly string[], usual: readonly string[], others: readonly string[] = []): string[] {
  if (wanted.length === 0) return [...usual];
  const known = [...usual, ...others];
  const found = wanted.filter((algorithm) => known.includes(algorithm));
  if (found.length === 0) throw new Error(`${name} has nothing that the embedded SSH server supports: ${known.join(', ')}`);
  return found;
}
