// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { emptyTarget, recordedSource } from './support.ts';

const source = await recordedSource();
const target = await emptyTarget();
const outside = join(source.folder, 'outside');
const repos = join(source.folder, 'repos');

/** Makes a hostile source of the recorded one. */
async function spoil(): Promise<void> {
  await mkdir(outside);
  await writeFile(join(outside, 'secret'), 'of another program\n');
  // A repository, a folder of objects, a ref and an avatar that lead elsewhere.
  await rename(join(repos, 'alice/template.git'), join(outside, 'template.git'));
  await symlink(join(outside, 'template.git'), join(repos, 'alice/template.git'));
  await symlink(join(outside, 'secret'), join(repos, 'alice/demo.git/refs/heads/secret'));
  await symlink(outside, join(repos, 'alice/demo.git/objects/ff')).catch(() => undefined);
  await mkdir(join(repos, 'bob/demo-fork.git/objects/info'), { recursive: true });
  await writeFile(join(repos, 'bob/demo-fork.git/objects/info/alternates'), `${outside}\n`);
  const avatar = (await readdir(join(source.folder, 'data/avatars'))).find((name) => name.length === 64) ?? '';
  await rename(join(source.folder, 'data/avatars', avatar), join(outside, 'avatar'));
  await symlink(join(outside, 'avatar'), join(source.folder, 'data/avatars', avatar));
  const user = 'insert into user (lower_name, name, email, passwd, avatar, avatar_email, type, use_custom_avatar) values';
  for (const name of ['../../etc', 'a b', 'ghost', '-x', '', 'x'.repeat(50)])
    source.change(`${user} (?, ?, '', 'x', '', '', 0, 0)`, name, name);
  source.change(`${user} ('sly', 'sly', 'not an address', 'x', '../../outside/secret', '', 0, 1)`);
  source.change(`${user} ('heavy', 'heavy', 'heavy@example.com', 'x', '', '', 0, 0)`);
  source.change("update user set passwd_hash_algo = 'pbkdf2$2000000000$50', description = ? where name = 'heavy'", 'x'.repeat(3 * 2 ** 20));
  const repository = 'insert into repository (owner_id, owner_name, lower_name, name, default_branch) values';
  for (const name of ['..', 'a/b', 'x.git', 'a\0b']) source.change(`${repository} (2, 'Alice', ?, ?, 'main')`, name, name);
  source.change(`${repository} (2, 'Alice', 'odd', 'odd', '--upload-pack=x')`);
  source.change(`${repository} (999, 'nobody', 'orphan', 'orphan', 'main')`);
  source.change("insert into access_token (uid, name, token_hash, token_salt, scope) values (2, 'x', 'zz', '', 'all')");
  source.change("insert into webauthn_credential (name, user_id) values ('key', 3)");
  source.change("insert into two_factor (uid, secret, created_unix) values (4, 'AAAA', 1)");
  await spoilRegistries();
}

/** What packages and automation have outside of the tables, or read again themselves. */
async function spoilRegistries(): Promise<void> {
  source.change("update package_blob set hash_sha256 = '../../outside/secret' where id = 16");
  source.change("update action_artifact set storage_path = '../../outside/secret'");
  source.change("update action_runner set token_hash = 'zz'");
  const bomb = ['a: &a0 x', ...Array.from({ length: 30 }, (_, n) => `a${n}: &a${n + 1} [*a${n}, *a${n}]`)].join('\n');
  source.change('update action_run_job set workflow_payload = ?, raw_concurrency = ?, needs = ?', bomb, bomb, '{"no": "list"}');
  // One line of some megabytes, in some hundred bytes.
  const log = join(source.folder, 'data/actions_log/Alice/automated/01/1.log.zst');
  await writeFile(log, zstdCompressSync(Buffer.alloc(4 * 2 ** 20, 'x')));
}

let said = '';
let served: Awaited<ReturnType<typeof target.serve>>;

describe('an import of a hostile source', () => {
  before(async () => {
    await spoil();
    const { code, stdout, stderr } = await target.run('--config', source.config);
    assert.equal(code, 0, stderr);
    said = stdout;
    served = await target.serve();
  });

  it('refuses names by our rules, with all that belongs to them', async () => {
    const { json } = await served.as('root', 'Passw0rd-conf').get('/admin/users?limit=50');
    assert.deepEqual(json.map(({ login }: { login: string }) => login).sort(), [
      'Alice',
      'bob',
      'carol',
      'heavy',
      'newname',
      'root',
      'sly',
    ]);
    assert.match(said, /users: user \d+ \(\.\.\/\.\.\/etc\): name is invalid/);
    assert.match(said, /repositories: repository \d+ \(nobody\/orphan\): its owner is not there/);
    for (const name of ['..', 'a%2Fb', 'x.git', 'orphan']) assert.equal((await served.as('Alice').get(`/repos/Alice/${name}`)).status, 404);
    assert.equal((await served.as('Alice').get('/repos/Alice/odd')).json.empty, true);
  });

  it('follows no symbolic links and borrows no objects', async () => {
    assert.match(said, /\(Alice\/template\): its folder is missing, or is a symbolic link/);
    assert.match(said, /\(bob\/demo-fork\): it borrows objects of another repository/);
    assert.equal((await served.as('Alice').get('/repos/Alice/template')).json.empty, true);
    const { json } = await served.as('Alice').get('/repos/Alice/Demo/branches');
    assert.ok(!json.some(({ name }: { name: string }) => name === 'secret'));
    assert.match(said, /user 2 \(Alice\): the file of its avatar is missing/);
    assert.match(said, /user \d+ \(sly\): the file of its avatar is missing/);
  });

  it('cuts what is too long, and leaves out what cannot be checked', async () => {
    const heavy = (await served.as('root', 'Passw0rd-conf').get('/users/heavy')).json;
    assert.equal(heavy.description.length, 2 ** 20);
    assert.match(said, /\(heavy\): description was too long/);
    assert.match(said, /\(heavy\): the hash of its password is of no kind that can be checked/);
    assert.match(said, /access tokens: access token \d+ of user 2: its hash cannot be read/);
    assert.match(said, /two-factor secrets: user 4: the secret of the one-time codes cannot be decrypted/);
    assert.match(said, /security keys: user 3: a security key cannot be read/);
    // Without its second factor the account is closed, not open.
    assert.equal((await served.as('carol').get('/user')).status, 401);
  });

  it('reads no files elsewhere for packages and automation, and nothing that grows', async () => {
    assert.match(said, /files of packages: file 16 \(tool\.txt\) of a package: it is missing/);
    assert.match(said, /artifact 1 \(report\) of run 1: its file is missing/);
    assert.match(said, /runner 1 \(builder\): its credentials cannot be read/);
    assert.match(said, /log of task 1: it has a line that is too long/);
    const alice = served.as('Alice');
    const { jobs } = (await alice.get('/repos/Alice/automated/actions/runs/1/jobs')).json;
    assert.deepEqual([jobs.length, (await alice.get('/repos/Alice/automated/actions/jobs/1/logs')).status], [2, 404]);
  });

  it('refuses what is not a Gitea, or one of another time', async () => {
    const other = await recordedSource();
    const fresh = await emptyTarget();
    for (const [version, message] of [
      [9999, /newer than Gitea 1\.26/],
      [200, /older than Gitea 1\.21/],
    ] as const) {
      other.change('update version set version = ?', version);
      const { code, stderr } = await fresh.run('--config', other.config);
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
    other.change('drop table version');
    assert.match((await fresh.run('--config', other.config)).stderr, /it is not a database of Gitea/);
    const used = await target.run('--config', other.config);
    assert.equal(used.code, 1);
  });
});
