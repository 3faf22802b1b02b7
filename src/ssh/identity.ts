import { findUser } from '../access/find-user.ts';
import { findUsersByEmails } from '../accounts/find-by-email.ts';
import { sshFields } from '../accounts/keys/ssh-fields.ts';
import { findSshKey } from '../accounts/keys/ssh-keys.ts';
import type { Services } from '../context.ts';
import type { SshKey } from '../database/tables/keys.ts';

/** The credential of a client: a key of the table `ssh_keys`, or a certificate for an account. */
export interface Identity {
  readonly kind: 'key' | 'user';
  /** Of the key, or of the user. */
  readonly id: number;
}

/** An identity as one word, such as `key-12`. */
export function formatIdentity({ kind, id }: Identity): string {
  return `${kind}-${id}`;
}

/** Parses the output of {@link formatIdentity}; undefined for anything else. */
export function parseIdentity(text: string): Identity | undefined {
  const [, kind, id] = /^(key|user)-(\d{1,15})$/.exec(text) ?? [];
  return kind === undefined ? undefined : { kind: kind === 'key' ? 'key' : 'user', id: Number(id) };
}

/** The key with this fingerprint, if it may sign in. */
export async function findOfferedKey({ database: { db } }: Services, fingerprint: string): Promise<SshKey | undefined> {
  return await findSshKey(db, fingerprint);
}

/** How many principals of a certificate are read. */
const MAX_PRINCIPALS = 10;

/**
 * Finds the accounts that the principals of a certificate name. sshd checks the signature and the dates of the certificate.
 * @param blob the certificate in base64
 */
export async function findPrincipals(
  { database: { db }, settings }: Services,
  blob: string,
): Promise<readonly { principal: string; identity: Identity }[]> {
  const found: { principal: string; identity: Identity }[] = [];
  const principals = readPrincipals(Buffer.from(blob, 'base64')).slice(0, MAX_PRINCIPALS);
  const byEmail = settings.ssh.certificatePrincipals === 'email' ? await findUsersByEmails({ db, settings }, principals) : undefined;
  for (const principal of principals) {
    // The principal becomes a word in a line that sshd reads.
    if (!/^[\w.+@-]+$/.test(principal)) continue;
    const user = byEmail ? byEmail.get(principal.toLowerCase()) : await findUser(db, principal);
    if (user?.type === 'individual') found.push({ principal, identity: { kind: 'user', id: user.id } });
  }
  return found;
}

/** The number of fields between the nonce and the serial number of a certificate, by the type of its key. */
const KEY_FIELDS: Readonly<Record<string, number>> = {
  'ssh-rsa-cert-v01@openssh.com': 2,
  'rsa-sha2-256-cert-v01@openssh.com': 2,
  'rsa-sha2-512-cert-v01@openssh.com': 2,
  'ssh-ed25519-cert-v01@openssh.com': 1,
  'ecdsa-sha2-nistp256-cert-v01@openssh.com': 2,
  'ecdsa-sha2-nistp384-cert-v01@openssh.com': 2,
  'ecdsa-sha2-nistp521-cert-v01@openssh.com': 2,
  'sk-ssh-ed25519-cert-v01@openssh.com': 2,
  'sk-ecdsa-sha2-nistp256-cert-v01@openssh.com': 3,
};
/** Between the key and its id there are a number of eight bytes and one of four. */
const SERIAL_AND_TYPE = 12;

/**
 * Reads the principals of a certificate (https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.certkeys).
 * @returns an empty list if it is not a certificate
 */
export function readPrincipals(blob: Buffer): string[] {
  const [type] = sshFields(blob);
  const count = KEY_FIELDS[type?.toString('latin1') ?? ''];
  if (count === undefined) return [];
  const before = sshFields(blob).slice(0, 2 + count);
  const at = before.reduce((end, field) => end + 4 + field.length, 0) + SERIAL_AND_TYPE;
  const [, principals = Buffer.alloc(0)] = sshFields(blob.subarray(at));
  return sshFields(principals).map((principal) => principal.toString('utf8'));
}
