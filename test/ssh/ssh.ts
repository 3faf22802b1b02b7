import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterwards } from '../support/afterwards.ts';
import type { Client } from '../support/client.ts';
import { type TestServer, testServer } from '../support/server.ts';
import type { SettingsOverrides } from '../support/settings.ts';
import { type WorkTree, workTree } from '../transport/work-tree.ts';

const SSHD = '/usr/sbin/sshd';

const isThere = (program: string) => (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));

/** Why tests with OpenSSH's client are left out; false where they run. */
export const withoutClient = isThere('ssh') && isThere('ssh-keygen') ? false : 'OpenSSH (ssh, ssh-keygen) is not installed';

/** Why tests with OpenSSH's server are left out; false where they run. */
export const withoutServer = withoutClient || reasonAgainstServer();

function reasonAgainstServer(): string | false {
  const { shell } = userInfo();
  if (!existsSync(SSHD)) return `${SSHD} is not installed`;
  if (!existsSync('/usr/bin/perl')) return '/usr/bin/perl is not installed';
  if (process.getuid?.() === 0 && !existsSync('/run/sshd')) return 'as root, sshd needs /run/sshd';
  return shell && /\/(nologin|false)$/.test(shell) ? 'the user has no shell' : false;
}

/** What speaks SSH, and why that is left out. */
export const SERVERS = [
  { server: 'embedded', user: 'git', skip: withoutClient },
  { server: 'openssh', user: userInfo().username, skip: withoutServer },
] as const;

/** What a run of a program left. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Somebody with a key. */
export interface SshClient {
  readonly publicKey: string;
  /** The file of the private key. */
  readonly key: string;
  /** The command with which git connects. */
  readonly command: string;
  /** Runs a command on the server, or asks for a shell; options for ssh come before it. */
  run(command?: string, options?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** The address of a repository. */
  remote(repository: string): string;
  /** A work tree whose `origin` is reached with this key. */
  tree(client: Client, repository: string): Promise<WorkTree>;
}

/** A server that speaks SSH on a free port. */
export async function sshServer(kind: (typeof SERVERS)[number], overrides: SettingsOverrides = {}) {
  const hostKeys = await mkdtemp(join(tmpdir(), 'copse-host-keys-'));
  afterwards(() => rm(hostKeys, { recursive: true, force: true }));
  makeKey(join(hostKeys, 'ssh_host_ed25519_key'));
  const { server, user } = kind;
  const t = await testServer({ ...overrides, ssh: { server, user, hostKeys, port: 'free', ...overrides.ssh } });
  return { t, client: (name: string, type?: string) => sshClient(t, name, type) };
}

/** What a test needs, on each server that can run here. Awaited before the first test. */
export async function onEachServer<T>(
  overrides: SettingsOverrides,
  prepare: (on: Awaited<ReturnType<typeof sshServer>>) => Promise<T>,
  servers: readonly (typeof SERVERS)[number][] = SERVERS,
) {
  return await Promise.all(
    servers.map(async (kind) => {
      const prepared = kind.skip ? undefined : await prepare(await sshServer(kind, overrides));
      const get = (): T => {
        if (prepared === undefined) throw new Error('this is left out');
        return prepared;
      };
      return { name: `the ${kind.server} server`, skip: kind.skip, prepared: get };
    }),
  );
}

function makeKey(path: string, type = 'ed25519'): string {
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', 'me', '-f', path]);
  return readFileSync(`${path}.pub`, 'utf8').trim();
}

/** OpenSSH's first choice takes three times the processor time. It stands behind a test's own options, which overrule it. */
const KEY_EXCHANGE = ['-o', 'KexAlgorithms=curve25519-sha256'];

/** A client with a key of its own, which nobody knows yet. */
export function sshClient(t: TestServer, name: string, type?: string): SshClient {
  const key = join(t.folder, `${name}-key`);
  const publicKey = makeKey(key, type);
  const { user, port } = t.server.services.settings.ssh;
  const options = [
    ...['-F', '/dev/null', '-i', key, '-p', String(port), '-T'],
    ...['IdentitiesOnly=yes', 'BatchMode=yes', 'StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'].flatMap(
      (option) => ['-o', option],
    ),
  ];
  const command = ['ssh', ...options, ...KEY_EXCHANGE].join(' ');
  return {
    publicKey,
    key,
    command,
    run: async (wanted, more = [], env = {}) => {
      const running = promisify(execFile)(
        'ssh',
        [...options, ...more, ...KEY_EXCHANGE, `${user}@127.0.0.1`, ...(wanted === undefined ? [] : [wanted])],
        {
          env: { PATH: process.env.PATH ?? '', ...env },
          encoding: 'latin1',
        },
      );
      // What stays open is not an end for a command that waits for input.
      running.child.stdin?.end();
      return await running.then(
        (ran) => ({ code: 0, ...ran }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }) as Ran,
      );
    },
    remote: (repository) => `ssh://${user}@127.0.0.1:${port}/${repository}.git`,
    tree: async (client, repository) => {
      const tree = await workTree(t, client, repository);
      await tree.git('config', 'core.sshCommand', command);
      await tree.git('remote', 'set-url', 'origin', `ssh://${user}@127.0.0.1:${port}/${repository}.git`);
      return tree;
    },
  };
}
