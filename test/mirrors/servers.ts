import assert from 'node:assert/strict';
import { findRepositoryOf, type Repository } from '../../src/access/find-repository.ts';
import { findUser } from '../../src/access/find-user.ts';
import { type CodeRepository, codeRepository } from '../code/repository.ts';
import type { FixtureCommit } from '../git/fixture.ts';
import type { Client } from '../support/client.ts';
import { type TestServer, testServer } from '../support/server.ts';
import type { SettingsOverrides } from '../support/settings.ts';

/** Two servers of ours: one that follows, one that is followed. */
export interface Servers {
  /** The server of the tests; its settings let it reach the other one. */
  readonly t: TestServer;
  readonly bob: Client;
  readonly other: TestServer;
  readonly alice: Client;
  /** Makes a repository on the other server, of alice. */
  source(name: string, commits: readonly FixtureCommit[], options?: Record<string, unknown>): Promise<CodeRepository>;
  /** The URL of a repository of the other server, without credentials. */
  urlOf(name: string): string;
  /** Makes a mirror of a repository of alice, for bob, that is only brought up to date when asked. */
  mirror(name: string, fields?: Record<string, unknown>): Promise<Mirror>;
}

/** A mirror of bob. */
export interface Mirror {
  readonly path: string;
  row(): Promise<Repository>;
  /** Asks for an update and waits for its end. */
  sync(): Promise<void>;
  /** Its refs, a line each. */
  refs(): Promise<string>;
}

/** Starts both servers. */
export async function servers(overrides: SettingsOverrides = {}): Promise<Servers> {
  const t = await testServer({ outgoing: { allowedHosts: ['loopback'] }, mirrors: { perHost: 100 }, ...overrides });
  const other = await testServer();
  const [bob, alice] = await Promise.all([t.user('bob'), other.user('alice')]);
  const urlOf = (name: string) => new URL(`/alice/${name}.git`, other.url).href;
  return {
    t,
    bob,
    other,
    alice,
    urlOf,
    source: (name, commits, options) => codeRepository(other, alice, name, commits, options),
    mirror: async (name, fields = {}) => {
      await bob.must('POST', '/repos/migrate', { clone_addr: urlOf(name), repo_name: name, mirror: true, mirror_interval: '0', ...fields });
      return mirrorOf(t, bob, name);
    },
  };
}

function mirrorOf(t: TestServer, bob: Client, name: string): Mirror {
  const path = `/repos/bob/${name}`;
  const row = async () => {
    const user = await findUser(t.context.db, 'bob');
    const row = user && (await findRepositoryOf(t.context.db, user, name));
    assert.ok(row);
    return row;
  };
  return {
    path,
    row,
    sync: async () => {
      assert.equal((await bob.post(`${path}/mirror-sync`)).status, 200);
      await t.settled();
    },
    refs: async () => refsOf(bob, t.context.git.locate(await row()).path),
  };
}

/** The refs in a folder but those of pull requests, a line each. */
export async function refsOf(client: Client, folder: string): Promise<string> {
  const { code, stdout, stderr } = await client.git(['for-each-ref', '--format=%(objectname) %(refname)', '--exclude=refs/pull'], folder);
  if (code === 0) return stdout;
  // Older versions of git have no such option.
  const all = await client.git(['for-each-ref', '--format=%(objectname) %(refname)'], folder);
  assert.equal(all.code, 0, stderr + all.stderr);
  return all.stdout.replace(/^.* refs\/pull\/.*\n/gm, '');
}
