import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../support/browser.ts';
import { PASSWORD } from '../support/server.ts';
import { servers } from './servers.ts';

const { t, bob, other, alice, source, mirror, urlOf } = await servers();
const closed = await source('closed', [{ label: 'one', files: { 'a.txt': '1\n' } }], { private: true });
const copy = await mirror('closed', { auth_username: 'alice', auth_password: PASSWORD });
const browser = new Browser(t.url);
await browser.signIn('bob', PASSWORD);
const PAGE = '/bob/closed/settings/mirrors';
const rowOf = () => t.context.db.selectFrom('mirrors').selectAll().executeTakeFirstOrThrow();
const save = async (fields: Record<string, string> = {}) => {
  const usual = { mirror_address: urlOf('closed'), mirror_interval: '0', mirror_username: '', mirror_password: '' };
  return browser.submit(await browser.get(PAGE), { ...usual, ...fields }, `${PAGE}/pull`);
};
const commits = async () => (await bob.must('GET', `${copy.path}/commits`)).length;
const change = async () => alice.must('POST', `${closed.path}/contents/${await commits()}.txt`, { content: 'eA==', message: 'New' });

describe('the settings of a mirror', () => {
  it('keep the credentials, and never show them', async () => {
    const { text } = await browser.get(PAGE);
    assert.ok(text.includes(urlOf('closed')) && !text.includes(PASSWORD) && !text.includes('value="alice"'));
    assert.equal((await save({ mirror_interval: '9h0m0s', enable_prune: 'on' })).location, PAGE);
    await change();
    await copy.sync();
    assert.equal(await commits(), 2);
    const { interval, enable_prune, last_error } = await rowOf();
    assert.deepEqual([interval, Boolean(enable_prune), last_error], [9 * 3600, true, '']);
  });

  it('take others, and show what the last transfer said', async () => {
    await save({ mirror_username: 'alice', mirror_password: 'wrong-secret' });
    await change();
    await copy.sync();
    const shown = (await browser.get(PAGE)).text;
    assert.match(shown, /<pre class="fault">[^<]+<\/pre>/);
    assert.ok(!shown.includes('wrong-secret'));
    assert.ok(!JSON.stringify(await rowOf()).includes('wrong-secret'));
    await save({ mirror_address: urlOf('closed').replace('://', `://alice:${PASSWORD}@`) });
    await copy.sync();
    assert.equal(await commits(), 3);
    const { remote_url: url, failures } = await rowOf();
    assert.deepEqual([url, failures], [urlOf('closed'), 0]);
    await save({ forget_credentials: 'on' });
    assert.equal((await rowOf()).credentials, null);
  });

  it('read no other repository with the credentials', async () => {
    await save({ mirror_username: 'alice', mirror_password: PASSWORD });
    await save({ mirror_address: urlOf('closed').replace(/\.git$/, '/') });
    assert.notEqual((await rowOf()).credentials, null);
    await source('secret', [{ label: 'one', files: { 'a.txt': '1\n' } }], { private: true });
    await save({ mirror_address: urlOf('secret') });
    assert.equal((await rowOf()).credentials, null);
    await save();
  });

  it('read no large files of another repository with the credentials', async () => {
    await save({ mirror_username: 'alice', mirror_password: PASSWORD });
    for (const endpoint of [`${urlOf('closed')}/info/lfs`, 'http://localhost:1/other/info/lfs']) {
      await save({ mirror_lfs: 'on', mirror_lfs_endpoint: endpoint });
      assert.notEqual((await rowOf()).credentials, null, endpoint);
    }
    const elsewhere = { mirror_lfs: 'on', mirror_lfs_endpoint: `${urlOf('secret')}/info/lfs` };
    await save(elsewhere);
    assert.equal((await rowOf()).credentials, null);
    await save({ ...elsewhere, mirror_username: 'alice', mirror_password: PASSWORD });
    await save(elsewhere);
    assert.notEqual((await rowOf()).credentials, null);
    await save({ mirror_lfs: '', mirror_lfs_endpoint: '' });
  });

  it('send credentials to no other server', async () => {
    await save({ mirror_username: 'alice', mirror_password: PASSWORD });
    const elsewhere = urlOf('closed').replace('127.0.0.1', 'localhost');
    await save({ mirror_address: elsewhere });
    const { credentials, remote_url: url, remote_host: host } = await rowOf();
    assert.deepEqual([credentials, url, host], [null, elsewhere, 'localhost']);
    assert.equal((await bob.must('GET', copy.path)).original_url, elsewhere);
    await save();
  });

  it('refuse what cannot be, and change nothing then', async () => {
    const before = await rowOf();
    const secret = 'http://me:pass-word@';
    for (const [fields, message] of [
      [{ mirror_address: '/etc/passwd' }, /MirrorAddress: this is not a valid URL/],
      [{ mirror_address: `${secret}10.0.0.1/x.git` }, /\[MirrorAddress\]: the host is not allowed/],
      [{ mirror_lfs: 'on', mirror_lfs_endpoint: `${secret}127.0.0.1/lfs` }, /LFSEndpoint: this is not a valid URL/],
      [{ mirror_username: 'a', mirror_password: 'x'.repeat(5000) }, /MirrorPassword: this is not a valid URL/],
      [{ mirror_interval: 'soon', mirror_username: 'x' }, /soon/],
    ] as const) {
      const { status, text } = await save(fields);
      assert.equal(status, 422, text);
      assert.match(text, message);
      assert.ok(!text.includes('pass-word'));
    }
    assert.deepEqual(await rowOf(), before);
    assert.equal((await save({ mirror_lfs: 'on', mirror_lfs_endpoint: 'http://127.0.0.1/lfs' })).status, 303);
    assert.deepEqual([Boolean((await rowOf()).lfs), (await rowOf()).lfs_endpoint], [true, 'http://127.0.0.1/lfs']);
  });

  it('change and push to one push mirror', async () => {
    const target = await source('target', []);
    await bob.must('POST', '/user/repos', { name: 'own', auto_init: true, default_branch: 'main' });
    const page = '/bob/own/settings/mirrors';
    await bob.must('POST', '/repos/bob/own/push_mirrors', {
      remote_address: urlOf('target'),
      remote_username: 'alice',
      remote_password: PASSWORD,
      interval: '9h',
      sync_on_commit: false,
    });
    const edit = async (fields: Record<string, string>) => browser.submit(await browser.get(page), fields, `${page}/push/edit`);
    assert.equal((await edit({ interval: '1s' })).status, 422);
    assert.equal((await edit({ interval: '10h', sync_on_commit: 'on' })).location, page);
    await t.settled();
    const [made] = await bob.must('GET', '/repos/bob/own/push_mirrors');
    assert.deepEqual([made.interval, made.sync_on_commit, made.last_error], ['10h0m0s', true, '']);
    await other.settled();
    assert.equal((await alice.must('GET', `${target.path}/branches`)).length, 1);
    const sync = await browser.submit(await browser.get(page), {}, `${page}/push/sync`);
    assert.equal(sync.location, page);
    await t.settled();
  });
});
