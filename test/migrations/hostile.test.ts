// On SQLite alone: what a migration writes is asked of both by gitea.test.ts and services.test.ts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { giteaStub, pageOfIssues, respond, stubIssue } from './gitea-stub.ts';
import { assetAt, migrating, releaseWith } from './refusals.ts';
import type { Json } from './snapshot.ts';
import { sendJson, sourceStub } from './stub.ts';

const migrations = { maxAttempts: 2, retryBackoff: 0, maxIssues: 120, maxAssetSize: 1000, maxRateLimitWait: 5000 };
const t = await testServer({ outgoing: { allowedHosts: ['loopback'] }, migrations });
const bob = await t.user('bob');
const stub = await giteaStub();
const elsewhere = await sourceStub('/x.git', []);
const { migrate, refused } = migrating(t, bob, stub);
const raw = (text: string) => (_: unknown, response: Json) => response.end(text);
for (let number = 1; number <= 200; number++) respond(stub, `issues/${number}/reactions`, []);

describe('a hostile source', () => {
  it('is refused for wrong types, and for texts that are not JSON', async () => {
    await refused('labels', [{ name: 7 }], /labels\.name in the response of the server has an unexpected value/);
    await refused('milestones', (_: unknown, response: Json) => response.end('<html>'), /did not send JSON/);
  });

  it('is refused for more items than a list may have, before they are written', async () => {
    const labels = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `l${index}`, color: '00ff00' }));
    await refused('labels', labels(20_001), /more than 20000 labels/);
    await refused('labels', labels(100_000), /JSON of more than 250000 parts/);
    await refused('labels', raw('['.repeat(1_000_000)), /more than 250000 parts/);
    await refused('labels', raw('"\\"'), /did not send JSON/);
    respond(stub, 'labels?page=1&limit=50', labels(2000));
    respond(stub, 'issues', [stubIssue(1, { labels: labels(2000) })]);
    const { status, json } = await migrate('labels');
    assert.equal(status, 201, json.message);
    assert.deepEqual((await bob.get('/repos/bob/labels/labels?limit=1')).headers.get('x-total-count'), '2000');
    assert.equal((await bob.must('GET', '/repos/bob/labels/issues/1')).labels.length, 1000);
    stub.responses.delete('/api/v1/repos/o/r/labels?page=1&limit=50');
    respond(stub, 'issues', []);
  });

  it('names things as it likes, which are stored as texts', async () => {
    stub.responses.set('/small', raw('abc'));
    const odd = ['<script>alert(1)</script>', '\u202egpj.exe', 'a\u0000b', '\ud800', "'; drop table labels; --", '../../x'];
    respond(
      stub,
      'labels',
      odd.map((name) => ({ name, color: '#"><script>' })),
    );
    const body = '<img src=x onerror=alert(1)>[a](javascript:alert(1))<a href="data:text/html,x">b</a>';
    const assets = [{ ...assetAt(`${stub.url}/small`, '"><script>.svg\r\nX: y'), uuid: '../../x' }];
    respond(stub, 'issues', [stubIssue(1, { title: '<script>', body, assets, user: { id: 7, login: '../admin' } })]);
    const { status, json } = await migrate('odd');
    assert.equal(status, 201, json.message);
    const names = (await bob.must('GET', '/repos/bob/odd/labels')).map(({ name, color }: Json) => [name, color]);
    assert.deepEqual(names.sort(), odd.map((name) => [name.replace('\u0000', '').toWellFormed(), 'ffffff']).sort());
    const issue = await bob.must('GET', '/repos/bob/odd/issues/1');
    assert.deepEqual([issue.body, issue.original_author, issue.user.login], [body, '../admin', 'bob']);
    const rendered = await bob.post('/markdown', { Text: issue.body, Mode: 'gfm', Context: 'bob/odd' });
    assert.doesNotMatch(rendered.text, /onerror|javascript:|data:/);
    const file = await bob.get(`//${new URL(issue.assets[0].browser_download_url).pathname.slice(1)}`);
    assert.equal(file.headers.get('x'), null);
    assert.match(file.headers.get('content-disposition') ?? '', /; filename="\\"><script>\.svgX: y"$/);
    respond(stub, 'labels', []);
    respond(stub, 'issues', []);
  });

  it('leads to no other host', async () => {
    const away = (url: string) => (_: unknown, response: Json) => response.writeHead(302, { location: url }).end();
    await refused('labels', away('http://169.254.169.254/latest/meta-data'), /disallowed hosts/);
    await refused('releases', releaseWith(assetAt('http://10.0.0.1/a.bin')), /disallowed hosts/);
    elsewhere.responses.set('/labels', []);
    elsewhere.responses.set('/a.bin', (_: unknown, response: Json) => response.end('abc'));
    respond(stub, 'labels', away(`${elsewhere.url}/labels`));
    respond(stub, 'releases', releaseWith(assetAt(`${elsewhere.url}/a.bin`)));
    assert.equal((await migrate('elsewhere')).status, 201);
    assert.deepEqual(
      elsewhere.requests.map(({ authorization }) => authorization),
      [undefined, undefined],
    );
    respond(stub, 'labels', []);
  });

  it('is refused for files that are too large, and names no paths', async () => {
    stub.responses.set('/large', (_: unknown, response: Json) => response.end('x'.repeat(1001)));
    await refused('releases', releaseWith(assetAt(`${stub.url}/large`)), /the file a\.bin has more than 1000 bytes/);
    const closed = new Promise<void>((resolve) => {
      stub.responses.set('/endless', (_: unknown, response: Json) => {
        const write = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', write).on('close', resolve);
        write();
      });
    });
    await refused('releases', releaseWith(assetAt(`${stub.url}/endless`)), /the file a\.bin has more than 1000 bytes/);
    await closed;
    respond(stub, 'releases', releaseWith(assetAt(`${stub.url}/small`, '../../../etc/pass\u0000wd')));
    assert.equal((await migrate('names')).status, 201);
    const [release] = await bob.must('GET', '/repos/bob/names/releases?draft=true');
    assert.deepEqual([release.assets[0].name, release.assets[0].size, release.draft], ['passwd', 3, true]);
    respond(stub, 'releases', []);
  });

  it('is waited for when it limits its requests, but not for ever', async () => {
    let refusals = 2;
    const limited =
      (headers: Record<string, string>, status = 429) =>
      (_: unknown, response: Json) =>
        refusals-- > 0 ? sendJson(response, {}, status, headers) : sendJson(response, []);
    respond(stub, 'labels', limited({ 'retry-after': '0' }));
    assert.equal((await migrate('limited')).status, 201);
    assert.equal(refusals, -1);
    refusals = 1000;
    await refused('labels', limited({ 'retry-after': '0' }), /^Remote visit addressed rate limitation\.$/);
    refusals = 1;
    respond(stub, 'labels', limited({}, 502));
    assert.equal((await migrate('unavailable')).status, 201);
  });

  it('gets the errors that clients know for its refusals', async () => {
    await refused('labels', (_: unknown, response: Json) => sendJson(response, {}, 401), /^Authentication failed: /);
    await refused('labels', (_: unknown, response: Json) => sendJson(response, {}, 401, { 'x-gitea-otp': 'required; app' }), /two factors/);
    const none = await migrate('none', { clone_addr: `${stub.url}/r.git` });
    assert.match(none.json.message, /^Migration failed: the URL is not that of a repository/);
  });

  it('cannot use a number twice, write refs elsewhere, or approve in the name of others', async () => {
    respond(stub, pageOfIssues(1), [stubIssue(1), stubIssue(1, { title: 'Again' }), stubIssue(2, { ref: '../../x' })]);
    const side = (ref: string, sha: string) => ({ label: ref, ref, sha, repo: { full_name: 'o/r', owner: { login: 'o' } } });
    const head = side('../../../HEAD', `${stub.id('one').slice(0, 39)}0`);
    const fork = { ...side('x/../..', stub.id('one')), repo: { full_name: 'e/r', owner: { login: '../e' } } };
    respond(stub, 'pulls', [
      stubIssue(1, { title: 'As an issue', head, base: side('main', '') }),
      stubIssue(3, { head, base: side('-x', ''), merged: true, merge_commit_sha: 'HEAD' }),
      stubIssue(4, { head: fork, base: side('main', '') }),
      stubIssue(5, { head: { ...fork, ref: 'topic' }, base: side('main', ''), user: { id: 0, login: 'bob' } }),
    ]);
    for (const number of [3, 4, 5]) respond(stub, `pulls/${number}/reviews`, []);
    const review = { id: 1, user: { id: 0, login: 'bob' }, state: 'APPROVED', body: '', commit_id: stub.id('one'), official: true };
    respond(stub, 'pulls/5/reviews', [review]);
    const { status, json } = await migrate('numbers');
    assert.equal(status, 201, json.message);
    await t.settled();
    const issues = await bob.must('GET', '/repos/bob/numbers/issues?state=all');
    assert.deepEqual(
      issues.map(({ number, title }: Json) => [number, title]).sort(),
      [1, 2, 3, 4, 5].map((number) => [number, `Issue ${number}`]),
    );
    const branches = await bob.must('GET', '/repos/bob/numbers/branches');
    assert.deepEqual(branches.map(({ name }: Json) => name).sort(), ['head-pr-4', 'head-pr-5', 'main']);
    for (const number of [3, 4, 5]) {
      assert.equal((await bob.must('GET', `/repos/bob/numbers/pulls/${number}`)).number, number);
      assert.deepEqual(await bob.must('GET', `/repos/bob/numbers/pulls/${number}/commits`), []);
      assert.equal((await bob.get(`/repos/bob/numbers/pulls/${number}.diff`)).status, 200);
    }
    const row = await t.context.db.selectFrom('reviews').select(['original_author', 'original_author_id']).executeTakeFirst();
    assert.deepEqual(row, { original_author: 'bob', original_author_id: -1 });
  });
});
