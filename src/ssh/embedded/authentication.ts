import { timingSafeEqual } from 'node:crypto';
import type { AuthContext, PublicKeyAuthContext } from 'ssh2';
import ssh2 from 'ssh2';
import { sshFingerprint } from '../../accounts/keys/ssh-public-key.ts';
import type { SshBackend } from './backend.ts';

/** The sign-in attempts of one connection. */
export interface SignInAttempts {
  /** Set once the client has proved that it has a key. */
  readonly identity: () => string | undefined;
  /** Keys that were refused. */
  readonly refused: () => number;
  /** Accepts or rejects one attempt. Returns whether another one is allowed. */
  readonly attempt: (context: AuthContext) => Promise<boolean>;
}

/** A client asks whether a key is known, then signs with it. */
const REQUESTS_PER_ATTEMPT = 2;

/** Signs a client in by a key, on one connection. */
export function signInAttempts(backend: SshBackend): SignInAttempts {
  const { maxAuthAttempts, user } = backend.settings.ssh;
  let identity: string | undefined;
  let refused = 0;
  let asked = 0;
  return {
    identity: () => identity,
    refused: () => refused,
    attempt: async (context) => {
      // Requests without a key, and questions whether a key is known, are not failures, but have an end too.
      if (++asked > REQUESTS_PER_ATTEMPT * maxAuthAttempts + 1) return false;
      // A client first tries without a key, to learn which methods there are.
      if (context.method === 'none') {
        context.reject(['publickey']);
        return true;
      }
      const found = context.method === 'publickey' && isSame(context.username, user) ? await checkKey(backend, context) : undefined;
      if (!found) {
        refused++;
        // After a rejection the client would offer its next key before it sees that the connection ends.
        if (refused >= maxAuthAttempts) return false;
        context.reject(['publickey']);
        return true;
      }
      // A client may offer many keys: only the one that signed is its identity.
      if (context.method === 'publickey' && context.signature) identity = found;
      context.accept();
      return true;
    },
  };
}

/** The owner of the offered key, if it is known and its signature, if there is one, is valid. */
async function checkKey(backend: SshBackend, { key, blob, signature, hashAlgo }: PublicKeyAuthContext): Promise<string | undefined> {
  // Without another hash algorithm an RSA key signs with SHA-1.
  if (key.algo === 'ssh-rsa' && hashAlgo === undefined) return undefined;
  const known = await backend.findKey(sshFingerprint(key.data));
  if (!known) return undefined;
  if (signature) {
    const parsed = ssh2.utils.parseKey(known.content);
    if (parsed instanceof Error || !blob || parsed.type !== key.algo || parsed.verify(blob, signature, hashAlgo) !== true) return undefined;
  }
  return known.identity;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
