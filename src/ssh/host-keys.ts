import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncEntries } from '../storage/sync-entries.ts';

/** A private key that identifies the server to clients. */
export interface HostKey {
  readonly path: string;
  /** In the format of OpenSSH. */
  readonly privateKey: Buffer;
}

const NAME = /^ssh_host_\w+_key$/;
/** The kinds that are created, the one that most clients prefer first. */
const KINDS = [
  ['ed25519', {}],
  ['ecdsa', { bits: 256 }],
  ['rsa', { bits: 3072 }],
] as const;

/**
 * Reads the host keys of a folder. A missing folder is created with a key of each kind, under a temporary name, and then renamed: of two
 * processes that start at the same time, one creates it and both use its keys.
 * @throws Error for a folder without keys
 */
export async function openHostKeys(folder: string): Promise<HostKey[]> {
  let names = await keysIn(folder);
  if (!names) {
    await createHostKeys(folder);
    names = await keysIn(folder);
  }
  if (!names || names.length === 0)
    throw new Error(`the folder ${folder} has no SSH host keys, whose names are such as ssh_host_ed25519_key`);
  return await Promise.all(names.map(async (name) => ({ path: join(folder, name), privateKey: await readFile(join(folder, name)) })));
}

async function keysIn(folder: string): Promise<string[] | undefined> {
  try {
    return (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function createHostKeys(folder: string): Promise<void> {
  const temporary = `${folder}.${randomBytes(6).toString('hex')}`;
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  try {
    for (const [kind, options] of KINDS) {
      const { private: secret, public: shown } = await generate(kind, options);
      await writeSynced(join(temporary, `ssh_host_${kind}_key`), secret, 0o600);
      await writeSynced(join(temporary, `ssh_host_${kind}_key.pub`), `${shown}\n`, 0o644);
    }
    await rename(temporary, folder);
    await syncEntries(dirname(folder));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

async function generate(kind: (typeof KINDS)[number][0], options: { bits?: number }): Promise<{ private: string; public: string }> {
  const { utils } = (await import('ssh2')).default;
  return await new Promise((resolve, reject) => {
    const done = (error: Error | null, keys: { private: string; public: string }) => (error ? reject(error) : resolve(keys));
    if (kind === 'ed25519') utils.generateKeyPair(kind, done);
    else utils.generateKeyPair(kind, { bits: options.bits ?? 0 }, done);
  });
}

async function writeSynced(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
