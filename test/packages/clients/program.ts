import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '../../support/client.ts';
import type { TestServer } from '../../support/server.ts';

/** Where `install.sh` puts clients. They take longer than other tests, so they run only where this is set. */
const { COPSE_TEST_CLIENTS: clients, PATH = '' } = process.env;
const path = [...(clients ? [join(clients, 'bin')] : []), PATH].join(delimiter);

/** Why a test of these programs is skipped; false where they are installed. */
export function withoutProgram(...names: string[]): string | false {
  const missing = names.find((name) => !path.split(delimiter).some((folder) => existsSync(join(folder, name))));
  return missing !== undefined && `${missing} is not installed`;
}

/** Why a test of these clients is skipped; false where `COPSE_TEST_CLIENTS` is set and they are installed. */
export function withoutClient(...names: string[]): string | false {
  return clients ? withoutProgram(...names) : 'COPSE_TEST_CLIENTS is not set: see test/packages/clients/install.sh';
}

/** Where a program is run: a folder, which is its home too, and further variables. */
export interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program that has to succeed; returns what it printed. The error has all that it printed as its message. */
export async function runProgram(name: string, args: readonly string[], { cwd, env = {} }: Place): Promise<string> {
  try {
    const options = { cwd, env: { PATH: path, HOME: cwd, LANG: 'C.UTF-8', ...env }, timeout: 180_000, maxBuffer: 16 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(name, args, options);
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${(error as Error).message}\n${stdout}\n${stderr}`);
  }
}

/** Makes a folder in the server's scratch folder, with these files. */
export async function makeFolder(t: TestServer, name: string, files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = join(t.folder, name);
  await mkdir(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
  return folder;
}

/** Those who try something with the packages of a private account. */
export interface Credentials {
  /** The owner, with a token that may write. */
  readonly owner: Client;
  /** Whose credentials do not suffice to publish. */
  readonly refused: Readonly<Record<'wrong password' | 'token that only reads' | 'stranger', Credential>>;
  /** Whose credentials do not suffice to install. */
  readonly hidden: Readonly<Record<'wrong password' | 'stranger', Credential>>;
}

/** A name and what is sent as its password. */
export interface Credential {
  readonly name: string;
  readonly password: string;
}

/** A private account `name`, and who is refused there. */
export async function privateOwner(t: TestServer, name: string): Promise<Credentials> {
  const account = await t.user(name, { visibility: 'private' });
  const stranger = await t.user(`${name}-stranger`);
  const hidden = {
    'wrong password': { name, password: 'wrong' },
    stranger: credentialOf(await stranger.token(['write:package'])),
  };
  const reading = credentialOf(await account.token(['read:package']));
  return { owner: await account.token(['write:package']), hidden, refused: { ...hidden, 'token that only reads': reading } };
}

/** What a client signs in with. */
export function credentialOf({ name, password }: Client): Credential {
  return { name, password };
}
