import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { giteaStub, respond, stubIssue } from '../../migrations/gitea-stub.ts';
import { held } from '../../migrations/stub.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const bob = await t.user('bob');
await t.user('eve');
await bob.must('POST', '/orgs', { username: 'acme' });
const { id: org } = await bob.must('GET', '/orgs/acme');
const browser = new Browser(t.url);
await browser.signIn('bob', PASSWORD);
const eve = new Browser(t.url);
await eve.signIn('eve', PASSWORD);
const stub = await giteaStub();
const FORM = '/repo/migrate?service_type=3';
const SECRET = 'T0ken-secret';
const start = async (repo_name: string, fields: Record<string, string> = {}, query = '') =>
  browser.submit(
    await browser.get(FORM + query),
    { clone_addr: `${stub.url}/o/r.git`, auth_token: SECRET, repo_name, issues: 'on', ...fields },
    '/repo/migrate',
  );
for (const number of [1, 2]) respond(stub, `issues/${number}/reactions`, []);

describe('the pages of migrations', () => {
  it('offer the services, and the form of each', async () => {
    const choice = await browser.get(`/repo/migrate?org=${org}`);
    const forms = [...choice.text.matchAll(/href="(\/repo\/migrate\?[^"]*service_type=\d)"/g)].map(([, href = '']) => href);
    assert.equal(forms.length, 9);
    const pages = await Promise.all(forms.map((href) => browser.get(href.replaceAll('&amp;', '&'))));
    const having = (name: string) => pages.filter(({ text }) => text.includes(`name="${name}"`)).length;
    assert.deepEqual(['clone_addr', 'auth_token', 'auth_password', 'aws_secret_access_key', 'pull_requests', 'wiki'].map(having), [
      ...[9, 4, 5, 1, 7, 6],
    ]);
    assert.ok(pages.every(({ status, text }) => status === 200 && text.includes(`<option value="${org}" selected>acme`)));
    assert.equal((await new Browser(t.url).get(FORM)).status, 303);
    for (const page of ['/repo/create', '/acme', '/']) assert.match((await browser.get(page)).text, /href="\/repo\/migrate(\?org=\d+)?"/);
  });

  it('show how far one is, to who asked for it alone, until the repository is there', async () => {
    const waiting = held([stubIssue(1)]);
    respond(stub, 'issues', waiting.response);
    const started = await start('shown', { uid: String(org), description: 'From elsewhere' });
    assert.deepEqual([started.status, started.location], [303, '/acme/shown']);
    await waiting.arrived;
    const { text } = await browser.get('/acme/shown');
    assert.match(text, /data-live="m\d+"/);
    assert.match(text, /<li class="done">[\s\S]*Git[\s\S]*<li class="current">[\s\S]*Issues/);
    assert.match(text, /http-equiv="refresh"/);
    assert.ok(!text.includes(SECRET) && text.includes(`${stub.url}/o/r.git`));
    const { text: json } = await browser.get('/acme/shown/-/migrate/status');
    assert.equal(JSON.parse(json).status, 1);
    for (const path of ['/acme/shown', '/acme/shown/-/migrate/status']) assert.equal((await eve.get(path)).status, 404);
    for (const act of ['retry', 'cancel']) {
      const own = await eve.get('/repo/migrate?service_type=1');
      assert.equal((await eve.submit(own, {}, '/repo/migrate')).status, 422);
      const token = /name="_token" value="([^"]*)"/.exec(own.text)?.[1] ?? '';
      assert.equal((await eve.send('POST', `/acme/shown/-/migrate/${act}`, { fields: { _token: token } })).status, 404);
    }
    waiting.release();
    await t.settled();
    const home = await browser.get('/acme/shown');
    assert.ok(!home.text.includes('id="migration"'));
    const repository = await bob.must('GET', '/repos/acme/shown');
    assert.deepEqual([repository.description, repository.open_issues_count], ['From elsewhere', 1]);
    assert.equal((await browser.get('/acme/shown/-/migrate/status')).status, 404);
  });

  it('cancel one, begin it again, and forget it', async () => {
    const waiting = held([]);
    respond(stub, 'issues', waiting.response);
    await start('stopped');
    await waiting.arrived;
    const running = await browser.get('/bob/stopped');
    assert.equal((await browser.get('/bob/stopped/-/migrate/cancel')).status, 405);
    const early = await browser.submit(running, { do: 'delete' }, '/bob/stopped/-/migrate/cancel');
    assert.match(early.text, /The migration has not ended yet/);
    assert.equal((await browser.submit(running, {}, '/bob/stopped/-/migrate/cancel')).location, '/bob/stopped');
    waiting.release();
    await t.settled();
    const cancelled = await browser.get('/bob/stopped');
    assert.match(cancelled.text, /The migration was cancelled/);
    respond(stub, 'issues', { message: 'not a list' });
    assert.equal((await browser.submit(cancelled, {}, '/bob/stopped/-/migrate/retry')).location, '/bob/stopped');
    await t.settled();
    const failed = await browser.get('/bob/stopped');
    assert.match(failed.text, /The migration failed[\s\S]*role="alert"[^>]*>Migration failed: issues in the response/);
    assert.ok(!failed.text.includes(SECRET));
    assert.equal((await browser.submit(failed, {}, '/bob/stopped/-/migrate/cancel')).location, '/repo/migrate');
    assert.equal((await browser.get('/bob/stopped')).status, 404);
  });

  it('shows a refused form again, without credentials', async () => {
    const fields = { clone_addr: `http://bob:${SECRET}@169.254.169.254/x`, description: '"><script>', auth_token: SECRET };
    const { status, text } = await start('a b', fields);
    assert.equal(status, 422);
    assert.ok(!text.includes(SECRET) && text.includes('value="a b"') && text.includes('&#34;&gt;&lt;script&gt;'));
    assert.match((await start('x', { clone_addr: '/etc/passwd' })).text, /not allowed to import local repositories/);
    assert.equal((await start('x', { uid: '1' })).status, 422);
    assert.equal((await start('shown', { uid: String(org) })).status, 422);
  });
});
