import { Readable } from 'node:stream';
import { Semaphore } from '../../concurrency/semaphore.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { takeSmall } from '../blobs/take-small.ts';
import { signingKey } from './signing-keys.ts';

const KEY_BITS = 4096;
/** Size limit of a document that is read before it is signed, in bytes: streams are signed in JavaScript, which takes 80 ms. */
const MAX_WHOLE = 8 * 1024 * 1024;

/** Generating a key takes seconds. An owner has one for each of three formats. */
const making = new Semaphore({ permits: 1, maxWaiting: 50, maxWaitingPerKey: 2, waitTimeoutMs: 60_000 });

/** Signs documents of an owner with OpenPGP. */
export interface OpenPgpSigner {
  /** Armored. */
  readonly publicKey: string;
  /** An armored signature beside the document. */
  signDetached(document: Uint8Array): Promise<string>;
  /** The same as bytes. */
  signBinary(document: Uint8Array | Readable): Promise<Uint8Array>;
  /** The text with its signature (RFC 9580, 7). */
  signCleartext(text: string): Promise<string>;
}

/**
 * The owner's key for documents of a format, generated on first use.
 * @param format the purpose of the key and the name in it, such as `debian`
 * @throws BusyError
 */
export async function openPgpSigner(context: Context, owner: User, format: string): Promise<OpenPgpSigner> {
  const { createCleartextMessage, createMessage, readPrivateKey, sign } = await import('openpgp');
  const { publicKey, privateKey } = await signingKey(context, owner, `${format} openpgp`, () => makeKey(owner, format));
  const signingKeys = await readPrivateKey({ armoredKey: privateKey });
  return {
    publicKey,
    signDetached: async (document) => {
      const message = await createMessage({ binary: document });
      return unix(await sign({ message, signingKeys, detached: true, format: 'armored' }));
    },
    signBinary: async (document) => {
      const whole = document instanceof Uint8Array ? document : await takeSmall(document, MAX_WHOLE);
      const binary = whole ?? (Readable.toWeb(document as Readable) as ReadableStream<Uint8Array>);
      const message = await createMessage({ binary });
      const signature: unknown = await sign({ message, signingKeys, detached: true, format: 'binary' });
      return new Uint8Array(await new Response(signature as BodyInit).arrayBuffer());
    },
    signCleartext: async (text) => unix(await sign({ message: await createCleartextMessage({ text }), signingKeys, format: 'armored' })),
  };
}

async function makeKey(owner: User, format: string) {
  const { generateKey } = await import('openpgp');
  const userIDs = [{ name: `${owner.name} (${format} packages)` }];
  const made = await making.run(String(owner.id), () => generateKey({ type: 'rsa', rsaBits: KEY_BITS, userIDs, format: 'armored' }));
  return { publicKey: unix(made.publicKey), privateKey: made.privateKey };
}

function unix(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
