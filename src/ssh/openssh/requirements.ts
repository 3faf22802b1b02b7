import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import type { Settings } from '../../settings.ts';

const run = promisify(execFile);

/** Why OpenSSH's server cannot run here. */
export class NoOpenSshError extends Error {
  override readonly name = 'NoOpenSshError';
}

/** sshd runs only commands whose program belongs to root. */
const PERL = '/usr/bin/perl';
const CHECK_TIMEOUT_MS = 10_000;

/**
 * Checks sshd's requirements on this machine: an sshd of an ordinary user only signs in that user, and runs commands with the user's shell.
 * @returns the name of the user
 * @throws NoOpenSshError
 */
export async function requireMachine({ ssh }: Settings): Promise<string> {
  const { username, shell } = userInfo();
  if (username !== ssh.user) {
    throw new NoOpenSshError(`ssh.user is ${ssh.user}, and OpenSSH can serve only the user of this process, ${username}`);
  }
  if (!(await isExecutable(ssh.program))) throw new NoOpenSshError(`there is no ${ssh.program}`);
  if (!(await isExecutable(PERL))) throw new NoOpenSshError(`there is no ${PERL}, by which OpenSSH asks the server`);
  if (!shell || /\/(nologin|false)$/.test(shell) || !(await isExecutable(shell))) {
    throw new NoOpenSshError(`the user ${username} has no shell that can run commands`);
  }
  return username;
}

/**
 * The arguments that start copse-ssh.pl.
 * @throws NoOpenSshError for paths that sshd or a shell would interpret
 */
export function helperArguments(socket: string): string[] {
  const script = `${import.meta.dirname}/copse-ssh.pl`;
  const odd = [script, socket].find((path) => !/^[\w./@+-]+$/.test(path));
  if (odd !== undefined) throw new NoOpenSshError(`the path ${odd} has characters that OpenSSH cannot be given`);
  return [PERL, script, socket];
}

/** Settings that every version of sshd has to apply: without them a key could do more than run its command. */
const IN_FORCE = [
  'authorizedkeyscommand /',
  'authorizedkeysfile none',
  'disableforwarding yes',
  'permittty no',
  'passwordauthentication no',
];

/**
 * Runs the configuration check of sshd, which also reads the host keys.
 * @param withAuthorities whether certificates sign in
 * @throws NoOpenSshError with the message of sshd
 */
export async function checkConfig(program: string, config: string, withAuthorities: boolean): Promise<void> {
  let shown: string;
  try {
    ({ stdout: shown } = await run(program, ['-T', '-f', config], { timeout: CHECK_TIMEOUT_MS }));
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    throw new NoOpenSshError(`${program} cannot run: ${(stderr.trim() || message).slice(0, 1000)}`);
  }
  const lines = shown.split('\n');
  const wanted = [...IN_FORCE, ...(withAuthorities ? ['authorizedprincipalscommand /'] : [])];
  const missing = wanted.find((start) => !lines.some((line) => line.startsWith(start)));
  if (missing !== undefined) throw new NoOpenSshError(`${program} does not take the setting ${missing.split(' ')[0]}`);
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
