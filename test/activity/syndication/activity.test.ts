import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../../support/client.ts';
import { testServer } from '../../support/server.ts';
import { repository } from '../feed.ts';

const t = await testServer();
const alice = await t.user('alice', { full_name: 'Alice <A>' });
const bob = await t.user('bob');
const RSS = 'application/rss+xml;charset=utf-8';
const ATOM = 'application/atom+xml;charset=utf-8';

/** The feed at an address, once everything is in it. */
async function read(client: Client, address: string) {
  await t.settled();
  return client.get(`/${address.startsWith('/') ? address : `/${address}`}`);
}

const titles = (text: string) => [...text.matchAll(/<(?:item|entry)>\s*<title>(.*?)<\/title>/gs)].map(([, title = '']) => title);

describe('activity for feed readers', () => {
  it('of a user has what the user did', async () => {
    const repo = await repository(alice, 'first');
    await alice.must('POST', `${repo}/issues`, { title: 'A <b> & \u0007bell', body: '**bold** <script>x</script> #1' });
    await bob.must('POST', `${repo}/issues/1/comments`, { body: 'Of *bob*' });
    const rss = await read(t.anonymous, 'alice.rss');
    assert.deepEqual([rss.status, rss.headers.get('content-type')], [200, RSS]);
    assert.match(rss.text, /^<\?xml version="1.0" encoding="UTF-8"\?><rss version="2.0"/);
    assert.match(rss.text, /<title>Feed of &#34;Alice &lt;A&gt;&#34;<\/title>/);
    assert.match(
      rss.text,
      /<title>alice opened issue &lt;a href=&#34;http[^ ]+\/alice\/first\/issues\/1&#34;&gt;alice\/first#1&lt;\/a&gt;/,
    );
    assert.match(rss.text, /<description>1#A &amp;lt;b&amp;gt; &amp;amp; bell<\/description>/);
    assert.match(rss.text, /&lt;strong&gt;bold&lt;\/strong&gt;/);
    assert.match(rss.text, /<pubDate>\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000<\/pubDate>/);
    assert.doesNotMatch(rss.text, /script&gt;|commented on/);
    const atom = await read(t.anonymous, 'alice.atom');
    assert.deepEqual([atom.status, atom.headers.get('content-type')], [200, ATOM]);
    assert.match(atom.text, /<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">/);
    assert.deepEqual(titles(atom.text), titles(rss.text));
    assert.equal((await t.anonymous.send('HEAD', '//alice.rss')).status, 200);
  });

  it('is where readers are sent from the pages of users and repositories', async () => {
    await repository(alice, 'pages');
    const led = async (path: string, accept: string) => {
      const { status, headers } = await t.anonymous.get(`//${path}`, { headers: { accept } });
      return [status, headers.get('location')];
    };
    assert.deepEqual(await led('alice', 'application/rss+xml, */*'), [303, '/alice.rss']);
    assert.deepEqual(await led('alice/pages', 'application/atom+xml'), [303, '/alice/pages.atom']);
    assert.deepEqual(await led('nobody/nothing', 'application/rss+xml'), [303, '/nobody/nothing.rss'], 'says nothing about what is there');
    assert.equal((await led('nobody/nothing.rss', 'application/rss+xml'))[0], 404);
    assert.equal((await led('alice', 'text/html, application/xml'))[0], 200);
  });

  it('of a repository has what everybody did there', async () => {
    const repo = await repository(alice, 'all.kinds');
    await alice.must('POST', `${repo}/contents/a`, { content: '', message: 'Add <a>\n\nMore', branch: 'main' });
    await alice.must('POST', `${repo}/branches`, { new_branch_name: 'topic', old_branch_name: 'main' });
    await alice.must('POST', `${repo}/contents/b`, { content: '', message: 'On topic', branch: 'topic' });
    await alice.must('POST', `${repo}/pulls`, { title: 'Take it', head: 'topic', base: 'main' });
    await bob.must('POST', `${repo}/issues`, { title: 'Of bob' });
    const { id } = await bob.must('POST', `${repo}/issues/2/comments`, { body: 'Said *so*' });
    await alice.must('PATCH', `${repo}/issues/2`, { state: 'closed' });
    await alice.must('PATCH', `${repo}/issues/2`, { state: 'open' });
    await bob.must('POST', `${repo}/pulls/1/reviews`, { event: 'APPROVED', body: 'Good' });
    await alice.must('POST', `${repo}/pulls/1/merge`, { Do: 'merge' });
    await alice.must('POST', `${repo}/releases`, { tag_name: 'v1', name: 'One & only' });
    await alice.must('POST', `${repo}/releases`, { tag_name: 'v2', name: '' });
    await alice.must('DELETE', `${repo}/branches/topic`);
    const { text } = await read(t.anonymous, 'alice/all.kinds.atom');
    const words = titles(text).map((title) => title.replace(/&lt;.*?&gt;/g, ''));
    for (const expected of [
      'alice created repository alice/all.kinds',
      'alice pushed to main at alice/all.kinds',
      'alice created branch topic in alice/all.kinds',
      'alice created pull request alice/all.kinds#1',
      'bob opened issue alice/all.kinds#2',
      'bob commented on issue alice/all.kinds#2',
      'alice closed issue alice/all.kinds#2',
      'alice reopened issue alice/all.kinds#2',
      'bob approved alice/all.kinds#1',
      'alice merged pull request alice/all.kinds#1',
      'alice released One &amp;amp; only at alice/all.kinds',
      'alice released v2 at alice/all.kinds',
      'alice deleted branch topic from alice/all.kinds',
    ]) {
      assert.ok(words.includes(expected), `${expected} in\n${words.join('\n')}`);
    }
    assert.match(text, new RegExp(`/alice/all.kinds/issues/2#issuecomment-${id}"`));
    assert.match(text, /Add &amp;lt;a&amp;gt;<\/summary>/);
    assert.match(text, /Said &lt;em&gt;so&lt;\/em&gt;/);
  });
});

describe('who reads it', () => {
  it('nobody to whom it is hidden: it is like what is not there', async () => {
    await repository(alice, 'hidden', { private: true });
    await alice.must('POST', '/orgs', { username: 'closed', visibility: 'private' });
    await t.user('hermit', { visibility: 'private' });
    for (const client of [t.anonymous, bob]) {
      for (const [hidden, missing] of [
        ['alice/hidden.rss', 'alice/missing.rss'],
        ['closed.atom', 'nowhere.atom'],
        ['hermit.rss', 'nobody-here.rss'],
      ] as const) {
        const [a, b] = [await read(client, hidden), await read(client, missing)];
        assert.deepEqual([a.status, a.text, a.headers.get('content-type')], [404, b.text, b.headers.get('content-type')]);
        assert.equal(b.status, 404);
      }
      assert.doesNotMatch((await read(client, 'alice.rss')).text, /hidden/);
    }
    assert.match((await read(alice, 'alice.rss')).text, /alice\/hidden/);
    assert.match((await read(alice, 'alice/hidden.rss')).text, /created repository/);
    assert.equal((await read(alice, 'closed.rss')).status, 200);
  });

  it('tokens with the scope that the API needs for it', async () => {
    const misc = await alice.token(['read:misc']);
    for (const address of ['alice.rss', 'closed.rss', 'alice/first.rss']) assert.equal((await read(misc, address)).status, 403, address);
    const reading = await alice.token(['read:user', 'read:repository', 'read:organization']);
    for (const address of ['alice.rss', 'closed.rss', 'alice/hidden.rss'])
      assert.equal((await read(reading, address)).status, 200, address);
    const publicOnly = await alice.token(['public-only', 'all']);
    assert.doesNotMatch((await read(publicOnly, 'alice.rss')).text, /hidden/);
    for (const address of ['closed.rss', 'alice/hidden.rss']) assert.equal((await read(publicOnly, address)).status, 403, address);
  });

  it('members of an organization, as far as they may read', async () => {
    await alice.must('POST', '/orgs', { username: 'club' });
    await alice.must('POST', '/orgs/club/repos', { name: 'inside', private: true });
    await alice.must('POST', '/orgs/club/repos', { name: 'outside' });
    assert.deepEqual(titles((await read(bob, 'club.rss')).text).length, 1);
    assert.deepEqual(titles((await read(alice, 'club.rss')).text).length, 2);
    assert.deepEqual(titles((await read(alice, 'club.rss?date=2020-01-01')).text), []);
  });

  it('under the present name', async () => {
    await t.user('former');
    await t.admin.must('POST', '/admin/users/former/rename', { new_username: 'present' });
    const { status, headers } = await read(t.anonymous, 'former.atom');
    assert.deepEqual([status, headers.get('location')?.replace(/^https?:\/\/[^/]+/, '')], [307, '/present.atom']);
  });
});
