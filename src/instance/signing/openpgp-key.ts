import type { ServerKey } from './key.ts';

/**
 * An armored private key as the server's.
 * @throws Error when it cannot be read with this passphrase
 */
export async function openPgpKey(armored: string, passphrase: string): Promise<ServerKey> {
  const { createMessage, decryptKey, readPrivateKey, sign } = await import('openpgp');
  const locked = await readPrivateKey({ armoredKey: armored });
  const privateKey = locked.isDecrypted() ? locked : await decryptKey({ privateKey: locked, passphrase });
  return {
    format: 'openpgp',
    publicText: privateKey.toPublic().armor(),
    sign: async (payload) => {
      const message = await createMessage({ binary: new Uint8Array(payload) });
      const signature = await sign({ message, signingKeys: privateKey, detached: true, format: 'armored' });
      return String(signature).replaceAll('\r\n', '\n');
    },
  };
}
