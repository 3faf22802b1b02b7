import assert from 'node:assert/strict';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { sealContext } from '../../src/actions/secrets/secrets.ts';
import { internalContext } from '../../src/context.ts';
import { openCredentials } from '../../src/mirrors/credentials.ts';
import { unseal } from '../../src/webhooks/hooks/secrets.ts';
import { emptyTarget, recordedSource, SECRET_KEY } from './support.ts';

const source = await recordedSource();
const target = await emptyTarget();
let served: Awaited<ReturnType<typeof target.serve>>;
const demo = '/repos/Alice/Demo';

/** As Gitea encrypts the secrets of automation. */
function sealed(text: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cfb', createHash('sha256').update(SECRET_KEY).digest(), iv);
  return Buffer.concat([iv, cipher.update(Buffer.from(text).toString('base64')), cipher.final()]).toString('hex');
}

const secret = 'insert into secret (owner_id, repo_id, name, data, description, created_unix) values (?, ?, ?, ?, ?, 1700000000)';
source.change(secret, 0, 2, 'TOKEN', sealed('of the repository'), 'For tests');
source.change(secret, 2, 0, 'GITHUB_X', sealed('x'), '');
source.change(secret, 2, 0, 'BROKEN', 'abcd', '');
const variable =
  'insert into action_variable (owner_id, repo_id, name, data, description, created_unix, updated_unix) values (?, 0, ?, ?, ?, 1, 2)';
source.change(variable, 2, 'COLOR', 'blue', '');
const notice = 'insert into notice (type, description, created_unix) values (?, ?, ?)';
source.change(notice, 2, 'Cron: <b>failed</b>', 1_700_000_000);
source.change(notice, 1, `delete ${'x'.repeat(3000)}`, 1_700_000_001);
source.change(notice, 2, 'Cron: <b>failed</b>', 1_700_000_002);
const remotes = '\n[remote "origin"]\n\turl = http://carol:pass%40word@127.0.0.1:3780/bob/demo-fork.git\n';
await appendFile(join(source.folder, 'repos/alice/mirrored.git/config'), remotes);

describe('an import of hooks, mirrors, activity and the like', () => {
  let said = '';

  before(async () => {
    const { code, stdout, stderr } = await target.run('--config', source.config);
    assert.equal(code, 0, stderr);
    said = stdout;
    assert.equal(await target.doctor(), 'nothing is wrong\n');
    served = await target.serve();
  });

  it('keeps webhooks with their secrets', async () => {
    const { json } = await served.as('Alice').get(`${demo}/hooks`);
    assert.deepEqual([json.length, json[0].type, json[0].config.url, json[0].active], [1, 'gitea', 'https://hook.example/repo', true]);
    assert.deepEqual(json[0].authorization_header, 'Bearer hook-token');
    assert.ok(
      json[0].events.includes('issue_comment') && json[0].events.includes('pull_request_review') && !json[0].events.includes('wiki'),
    );
    const { database, secrets } = served.server.services;
    const hook = await database.db.selectFrom('webhooks').selectAll().where('repository_id', '=', 2).executeTakeFirstOrThrow();
    assert.equal(unseal(secrets, hook, 'secret'), 'hook-secret');
    assert.equal((await served.as('Alice').get('/orgs/Acme/hooks')).json[0].config.url, 'https://hook.example/org');
  });

  it('keeps mirrors with their credentials', async () => {
    const { db } = served.server.services.database;
    const context = internalContext(served.server.services);
    const mirror = await db.selectFrom('mirrors').selectAll().executeTakeFirstOrThrow();
    assert.equal(mirror.remote_url, 'http://127.0.0.1:3780/bob/demo-fork.git');
    assert.deepEqual(openCredentials(context, 'mirror', mirror), { username: 'carol', password: 'pass@word' });
    const push = await db.selectFrom('push_mirrors').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([push.interval, push.credentials], [28_800, null]);
    assert.match(said, /push mirrors: push mirror 1: its credentials cannot be read/);
    const { json } = await served.as('Alice').get('/repos/Alice/mirrored');
    assert.deepEqual([json.mirror, json.mirror_interval], [true, '8h0m0s']);
  });

  it('keeps large files and their locks', async () => {
    const content = 'a large file\n';
    const oid = createHash('sha256').update(content).digest('hex');
    const alice = served.as('Alice');
    assert.ok((await alice.get(demo)).json.size > 0);
    const headers = { accept: 'application/vnd.git-lfs+json', 'content-type': 'application/vnd.git-lfs+json' };
    const wanted = { operation: 'download', transfers: ['basic'], objects: [{ oid, size: content.length }] };
    const { json } = await alice.post('//Alice/Demo.git/info/lfs/objects/batch', wanted, { headers });
    const { href, header } = json.objects[0].actions.download;
    const path = new URL(href).pathname.slice(1);
    assert.equal((await alice.get(`//${path}`, { headers: { ...header } })).text, content);
    const locks = (await alice.get('//Alice/Demo.git/info/lfs/locks', { headers })).json.locks;
    assert.deepEqual(
      locks.map((lock: { path: string; owner: { name: string } }) => [lock.path, lock.owner.name]),
      [['big.bin', 'Alice']],
    );
  });

  it('keeps notifications, activity and statuses', async () => {
    const { json: notified } = await served.as('Alice').get('/notifications?all=true');
    assert.ok(notified.some(({ subject }: { subject: { title: string } }) => subject.title === 'Notifies'));
    const { json: feed } = await served.as('Alice').get(`${demo}/activities/feeds?limit=50`);
    const kinds = new Set(feed.map(({ op_type }: { op_type: string }) => op_type));
    for (const kind of ['create_repo', 'commit_repo', 'create_issue', 'merge_pull_request', 'publish_release'])
      assert.ok(kinds.has(kind), kind);
    const { json: own } = await served.as('bob').get('/users/bob/activities/feeds?only-performed-by=true&limit=50');
    assert.ok(own.length > 0 && own.every(({ act_user }: { act_user: { login: string } }) => act_user.login === 'bob'));
    const [commit] = (await served.as('').get(`${demo}/commits?limit=1`)).json;
    const { json: status } = await served.as('').get(`${demo}/commits/${commit.sha}/status`);
    assert.deepEqual([status.state, status.statuses[0].context, status.statuses[0].creator.login], ['success', 'ci', 'Alice']);
  });

  it('keeps notices of the system, and counts the same ones', async () => {
    const { db } = served.server.services.database;
    const rows = await db.selectFrom('notices').selectAll().where('subject', '=', 'Gitea').orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ kind, text, count, created_at, updated_at }) => [kind, text.length, count, created_at, updated_at]),
      [
        ['task', 19, 2, 1_700_000_000, 1_700_000_002],
        ['repository', 2000, 1, 1_700_000_001, 1_700_000_001],
      ],
    );
    assert.doesNotMatch(said, /notices of the system \(/);
  });

  it('keeps secrets and variables of automation', async () => {
    const { database, secrets } = served.server.services;
    const rows = await database.db.selectFrom('action_secrets').selectAll().execute();
    assert.deepEqual(
      rows.map(({ name, description }) => [name, description]),
      [['TOKEN', 'For tests']],
    );
    const context = sealContext({ repositoryId: 2 }, 'TOKEN');
    assert.equal(secrets.decrypt(rows[0]?.sealed_value ?? '', context).toString(), 'of the repository');
    assert.equal((await served.as('Alice').get('/user/actions/variables/COLOR')).json.data, 'blue');
    assert.match(said, /secret \d+ \(GITHUB_X\): invalid variable or secret name: it is left out/);
    assert.match(said, /secret \d+ \(BROKEN\): it cannot be decrypted with SECRET_KEY/);
  });
});
