import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { refsOf, servers } from './servers.ts';

const { t, bob, other, alice, source, mirror, urlOf } = await servers();
const FIRST = [{ label: 'one', files: { 'a.txt': '1\n', 'x.py': 'print(1)\n' } }];
const migrate = (fields: Record<string, unknown>) => bob.post('/repos/migrate', { repo_name: 'x', clone_addr: urlOf('x'), ...fields });
const rows = () => t.context.db.selectFrom('repositories').select('name').execute();

describe('migration', () => {
  it('brings a repository over, with its wiki', async () => {
    const demo = await source('demo', FIRST);
    await alice.must('POST', `${demo.path}/wiki/new`, { title: 'Home', content_base64: 'SG9tZQ==' });
    const { status, json } = await migrate({ repo_name: 'demo', clone_addr: urlOf('demo'), wiki: true, description: 'Copied' });
    assert.equal(status, 201);
    assert.deepEqual([json.mirror, json.empty, json.description, json.original_url], [false, false, 'Copied', urlOf('demo')]);
    assert.equal((await bob.must('GET', '/repos/bob/demo/wiki/page/Home')).title, 'Home');
    await bob.must('POST', '/repos/bob/demo/contents/mine.txt', { content: 'eA==' });
    await t.settled();
    assert.ok((await bob.must('GET', '/repos/bob/demo/languages')).Python > 0);
    const feed = await bob.must('GET', '/repos/bob/demo/activities/feeds');
    assert.deepEqual(
      feed.map(({ op_type }: { op_type: string }) => op_type),
      ['commit_repo'],
    );
  });

  it('keeps the format of objects', async () => {
    const wide = await source('wide', FIRST, { object_format_name: 'sha256' });
    const copy = await mirror('wide');
    assert.equal((await copy.row()).object_format, 'sha256');
    assert.equal(await copy.refs(), await refsOf(alice, other.context.git.locate(wide.row).path));
  });

  it('mirrors the wiki as well', async () => {
    const pages = await source('pages', FIRST);
    await alice.must('POST', `${pages.path}/wiki/new`, { title: 'Home', content_base64: 'SG9tZQ==' });
    const copy = await mirror('pages', { wiki: true });
    await alice.must('POST', `${pages.path}/wiki/new`, { title: 'Second', content_base64: 'SG9tZQ==' });
    await copy.sync();
    assert.equal((await bob.must('GET', `${copy.path}/wiki/page/Second`)).title, 'Second');
  });

  it('signs in where the source is private, and shows the credentials nowhere', async () => {
    await source('private', FIRST, { private: true });
    assert.equal((await migrate({ repo_name: 'private', clone_addr: urlOf('private') })).status, 422);
    const wrong = await migrate({ repo_name: 'private', clone_addr: urlOf('private'), auth_username: 'alice', auth_password: 'Wr0ng-one' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.json.message, /^Authentication failed: /);
    assert.ok(!wrong.text.includes('Wr0ng'));
    const copy = await mirror('private', { auth_username: 'alice', auth_password: alice.password });
    await copy.sync();
    const row = await t.context.db
      .selectFrom('mirrors')
      .selectAll()
      .where('repository_id', '=', (await copy.row()).id)
      .executeTakeFirstOrThrow();
    assert.equal(row.last_error, '');
    assert.ok(row.credentials !== null && !JSON.stringify(row).includes(alice.password));
    assert.ok(!JSON.stringify(await bob.must('GET', copy.path)).includes(alice.password));
    const { path } = t.context.git.locate(await copy.row());
    for (const name of await readdir(path)) {
      const content = await readFile(join(path, name), 'utf8').catch(() => '');
      assert.ok(!content.includes(alice.password) && !content.includes('http'), name);
    }
    // In the URL they are taken out of it.
    const inUrl = await migrate({ repo_name: 'in-url', clone_addr: alice.remote('alice/private') });
    assert.equal(inUrl.status, 201);
    assert.equal(inUrl.json.original_url, urlOf('private'));
    const token = await alice.token(['read:repository']);
    assert.equal((await migrate({ repo_name: 'token', clone_addr: urlOf('private'), auth_token: token.password })).status, 201);
  });

  it('refuses what is not of another server, and leaves nothing', async () => {
    const before = (await rows()).length;
    for (const clone_addr of [
      '/etc',
      'file:///etc',
      'ext::sh -c id',
      '-u',
      'ssh://git@127.0.0.1/x',
      'http://10.0.0.1/x.git',
      'http://169.254.169.254/x',
    ])
      assert.equal((await migrate({ clone_addr })).status, 422, clone_addr);
    assert.equal((await migrate({ clone_addr: urlOf('none') })).status, 422);
    assert.equal((await migrate({ clone_addr: urlOf('demo'), auth_username: 'a', auth_password: 'b\nhost=x' })).status, 422);
    assert.equal((await migrate({ clone_addr: urlOf('demo'), mirror: true, mirror_interval: '1s' })).status, 422);
    assert.equal((await migrate({ clone_addr: urlOf('demo'), service: 'gitlab' })).status, 422);
    assert.equal((await rows()).length, before);
  });

  it('reads the interval of mirrors alone', async () => {
    await source('interval', FIRST);
    const { status, json } = await migrate({ repo_name: 'interval', clone_addr: urlOf('interval'), mirror_interval: 'soon' });
    assert.deepEqual([status, json.mirror, json.mirror_interval], [201, false, '']);
  });

  it('ends where an owner has as many repositories as they may have', async () => {
    await source('limit', FIRST);
    const limit = (max_repo_creation: number) =>
      t.admin.must('PATCH', '/admin/users/bob', { source_id: 0, login_name: 'bob', max_repo_creation });
    await limit(0);
    const { status, json } = await migrate({ repo_name: 'limit', clone_addr: urlOf('limit') });
    assert.deepEqual([status, json.message], [422, 'You have already reached your limit of 0 repositories.']);
    await limit(-1);
  });
});
