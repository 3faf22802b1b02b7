import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { hashRaw } from '@node-rs/argon2';

/** A password hash of another program, imported with its accounts, with its parameters. */
interface ImportedHash {
  readonly scheme: Scheme;
  /** Numbers whose meaning depends on the scheme, in the order of Gitea. */
  readonly parameters: readonly number[];
  readonly salt: Buffer;
  /** Hexadecimal, or for bcrypt its own format. */
  readonly digest: string;
}

type Scheme = 'pbkdf2' | 'argon2' | 'scrypt' | 'bcrypt';

const MEBIBYTE = 2 ** 20;
/** No check takes more memory. */
const MAX_MEMORY = 256 * MEBIBYTE;
const PREFIX = '$imported$';

/** Gitea's default parameters of each scheme (modules/auth/password/hash). */
const DEFAULTS: Readonly<Record<Scheme, readonly number[]>> = {
  pbkdf2: [10_000, 50],
  argon2: [2, 65_536, 8, 50],
  scrypt: [65_536, 16, 2, 50],
  bcrypt: [10],
};

/** Whether the parameters are valid, and a check with them takes some seconds at most. */
const BOUNDS: Readonly<Record<Scheme, (...parameters: number[]) => boolean>> = {
  pbkdf2: (iterations = 0, length = 0) => isWithin(iterations, 1, 2_000_000) && isWithin(length, 16, 128),
  argon2: (passes = 0, kibibytes = 0, lanes = 0, length = 0) =>
    isWithin(passes, 1, 16) && isWithin(lanes, 1, 64) && isWithin(kibibytes, 8 * lanes, MAX_MEMORY / 1024) && isWithin(length, 16, 128),
  scrypt: (n = 0, r = 0, p = 0, length = 0) =>
    isWithin(n, 2, 2 ** 20) && Number.isInteger(Math.log2(n)) && isWithin(r, 1, 64) && isWithin(p, 1, 16) && 128 * n * r <= MAX_MEMORY
      ? isWithin(length, 16, 128)
      : false,
  bcrypt: (cost = 0) => isWithin(cost, 4, 15),
};

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

/**
 * The stored form of a Gitea hash: `$imported$pbkdf2$50000,50$SALT$DIGEST`. Undefined for one that cannot be checked, or only with more
 * work than a sign-in may cause.
 * @param algorithm `pbkdf2$50000$50`
 * @param salt hexadecimal, or ten literal characters
 */
export function importedHash(algorithm: string, salt: string, digest: string): string | undefined {
  const [scheme = '', ...words] = (algorithm || 'pbkdf2').split('$');
  if (!isScheme(scheme) || (salt.length !== 10 && !/^(?:[0-9a-f]{2}){8,128}$/i.test(salt))) return undefined;
  const parameters = words.length === 0 ? DEFAULTS[scheme] : words.map(Number);
  const bytes = Buffer.from(salt, salt.length === 10 ? 'utf8' : 'hex');
  // bcrypt has its salt, and the actual cost, in the digest.
  const given = scheme === 'bcrypt' ? [Number(/^\$2[aby]\$(\d\d)\$/.exec(digest)?.[1])] : parameters;
  const hash = `${PREFIX}${scheme}$${given.join(',')}$${scheme === 'bcrypt' ? '' : bytes.toString('hex')}$${digest}`;
  return parse(hash) ? hash : undefined;
}

/** Whether a stored hash was made by {@link importedHash}. */
export function isImportedHash(hash: string): boolean {
  return parse(hash) !== undefined;
}

/** Whether the password matches a hash made by {@link importedHash}. */
export async function verifyImported(hash: string, password: string): Promise<boolean> {
  const parsed = parse(hash);
  if (!parsed) return false;
  if (parsed.scheme === 'bcrypt') return (await import('@node-rs/bcrypt')).verify(password, parsed.digest);
  const expected = Buffer.from(parsed.digest, 'hex');
  const computed = await DERIVE[parsed.scheme](password, parsed);
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}

const DERIVE: Readonly<Record<Exclude<Scheme, 'bcrypt'>, (password: string, hash: ImportedHash) => Promise<Buffer>>> = {
  pbkdf2: (password, { salt, parameters: [iterations = 0, length = 0] }) => promisify(pbkdf2)(password, salt, iterations, length, 'sha256'),
  argon2: (password, { salt, parameters: [timeCost = 0, memoryCost = 0, parallelism = 0, outputLen = 0] }) =>
    hashRaw(password, { salt, timeCost, memoryCost, parallelism, outputLen }),
  scrypt: (password, { salt, parameters: [N = 0, r = 0, p = 0, length = 0] }) =>
    promisify<string, Buffer, number, object, Buffer>(scrypt)(password, salt, length, { N, r, p, maxmem: MAX_MEMORY + 64 * MEBIBYTE }),
};

function parse(hash: string): ImportedHash | undefined {
  const match = /^\$imported\$([a-z0-9]+)\$([\d,]{1,60})\$([0-9a-f]{0,256})\$(.{1,300})$/.exec(hash);
  const [, scheme = '', numbers = '', salt = '', digest = ''] = match ?? [];
  if (!isScheme(scheme)) return undefined;
  const parameters = numbers.split(',').map(Number);
  const isKnown = parameters.length === DEFAULTS[scheme].length && BOUNDS[scheme](...parameters);
  if (!isKnown || !hasForm(scheme, parameters, salt, digest)) return undefined;
  return { scheme, parameters, salt: Buffer.from(salt, 'hex'), digest };
}

function hasForm(scheme: Scheme, parameters: readonly number[], salt: string, digest: string): boolean {
  if (scheme === 'bcrypt') return /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(digest);
  return salt.length >= 16 && salt.length % 2 === 0 && /^[0-9a-f]+$/.test(digest) && digest.length === 2 * (parameters.at(-1) ?? 0);
}

function isScheme(text: string): text is Scheme {
  return Object.hasOwn(DEFAULTS, text);
}
