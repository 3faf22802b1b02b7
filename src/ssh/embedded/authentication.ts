import { timingSafeEqual } from 'node:crypto';
import type { AuthContext, PublicKeyAuthContext } from 'ssh2';
import ssh2 from 'ssh2';
import { sshFingerprint } from '../../accounts/keys/ssh-public-key.ts';
import type { Services } from '../../context.ts';
import { findOfferedKey, type Identity } from '../identity.ts';

/** How far a client got with signing in. */
export interface SignInAttempts {
  /** Set once somebody has proved to have a key. */
  readonly identity: () => Identity | undefined;
  /** Keys that were refused. */
  readonly refused: () => number;
  /** Decides over one attempt; answers whether another one is allowed. */
  readonly attempt: (context: AuthContext) => Promise<boolean>;
}

/** Signs a client in by a key, on one connection. */
export function signInAttempts(services: Services): SignInAttempts {
  const { maxAuthAttempts, user } = services.settings.ssh;
  let identity: Identity | undefined;
  let refused = 0;
  return {
    identity: () => identity,
    refused: () => refused,
    attempt: async (context) => {
      // A client asks without a key first, to hear how it may sign in.
      if (context.method === 'none') {
        context.reject(['publickey']);
        return true;
      }
      const found = context.method === 'publickey' && isSame(context.username, user) ? await checkKey(services, context) : undefined;
      if (!found) {
        refused++;
        // Asked for another one, a client would offer it before it hears that this was the last.
        if (refused >= maxAuthAttempts) return false;
        context.reject(['publickey']);
        return true;
      }
      // Only the key that has signed counts, whichever were offered before.
      if (context.method === 'publickey' && context.signature) identity = found;
      context.accept();
      return true;
    },
  };
}

/** The key that is offered, if it is known and, where there is a signature, that is good. */
async function checkKey(services: Services, { key, blob, signature, hashAlgo }: PublicKeyAuthContext): Promise<Identity | undefined> {
  // An RSA key that signs with SHA-1 names no other algorithm.
  if (key.algo === 'ssh-rsa' && hashAlgo === undefined) return undefined;
  const row = await findOfferedKey(services, sshFingerprint(key.data));
  if (!row) return undefined;
  if (signature) {
    const parsed = ssh2.utils.parseKey(row.content);
    if (parsed instanceof Error || !blob || parsed.type !== key.algo || parsed.verify(blob, signature, hashAlgo) !== true) return undefined;
  }
  return { kind: 'key', id: row.id };
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
