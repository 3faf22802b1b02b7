import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Browser } from '../support/browser.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'open' });
await alice.must('POST', '/user/repos', { name: 'hidden', private: true });
const mallory = await t.user('mallory');
await mallory.must('POST', '/user/repos', { name: 'of-a-private-owner' });
await t.admin.must('PATCH', '/admin/users/mallory', { login_name: 'mallory', source_id: 0, visibility: 'private' });
const reader = new Browser(t.url);

describe('/sitemap.xml', () => {
  it('names the maps of public repositories and people, and nothing else', async () => {
    const index = await reader.get('/sitemap.xml');
    assert.equal(index.headers.get('content-type'), 'application/xml; charset=utf-8');
    const maps = [...index.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
    assert.deepEqual(maps, ['/explore/repos/sitemap-1.xml', '/explore/users/sitemap-1.xml']);
    const [repositories = '', people = ''] = await Promise.all(maps.map(async (path) => (await reader.get(path)).text));
    assert.match(repositories, /<loc>[^<]+\/alice\/open<\/loc><lastmod>\d{4}-/);
    assert.ok(!repositories.includes('hidden') && !repositories.includes('of-a-private-owner'));
    assert.match(people, /<loc>[^<]+\/alice<\/loc>/);
    assert.ok(!people.includes('mallory'));
    for (const path of ['/explore/repos/sitemap-2.xml', '/explore/repos/sitemap-0.xml', '/explore/users/sitemap-1001.xml'])
      assert.equal((await reader.get(path)).status, 404, path);
  });

  it('shows nothing more to who is signed in as an administrator', async () => {
    const admin = new Browser(t.url);
    await admin.signIn('admin', PASSWORD);
    assert.ok(!(await admin.get('/explore/repos/sitemap-1.xml')).text.includes('hidden'));
  });

  it('is nowhere that exploring needs a sign-in', async () => {
    for (const access of [{ requireSignInView: true }, { requireSignInExplore: true }]) {
      const closed = await testServer({ access });
      for (const path of ['/sitemap.xml', '/explore/repos/sitemap-1.xml', '/explore/users/sitemap-1.xml'])
        assert.equal((await new Browser(closed.url).get(path)).status, 404, path);
    }
  });
});

describe('/robots.txt', () => {
  it('leads to the site map, and away from what costs much', async () => {
    const { text, headers } = await reader.get('/robots.txt');
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    assert.ok(text.startsWith('User-agent: *\n') && text.includes('Disallow: /*/*/archive/\n'));
    assert.match(text, /Sitemap: https?:\/\/[^\n]+\/sitemap\.xml\n$/);
  });

  it('keeps crawlers out where everything needs a sign-in', async () => {
    const closed = await testServer({ access: { requireSignInView: true } });
    assert.equal((await new Browser(closed.url).get('/robots.txt')).text, 'User-agent: *\nDisallow: /\n');
  });

  it('is the file of the settings, at most 64 KiB of it; without the file crawlers learn nothing', async () => {
    const file = join(t.context.settings.server.dataDir, 'robots.txt');
    const own = await testServer({ ui: { robotsFile: file } });
    assert.equal((await new Browser(own.url).get('/robots.txt')).status, 500);
    writeFileSync(file, `User-agent: x\nDisallow: /\n${'#'.repeat(70_000)}`);
    const { text } = await new Browser(own.url).get('/robots.txt');
    assert.ok(text.startsWith('User-agent: x\nDisallow: /\n'));
    assert.equal(text.length, 64 * 1024);
  });
});

describe('/avatar/{hash}', () => {
  it('leads to the same picture whether an account has the address or not', async () => {
    const { email } = await alice.must('GET', '/user');
    for (const address of [email, 'nobody@example.com']) {
      const md5 = createHash('md5').update(address).digest('hex');
      const found = await reader.get(`/avatar/${md5.toUpperCase()}?size=64`);
      assert.deepEqual([found.status, found.location], [302, `/avatars/${md5}`]);
      assert.equal((await reader.get(found.location)).headers.get('content-type'), 'image/png');
      const sha256 = createHash('sha256').update(address).digest('hex');
      assert.equal((await reader.get(`/avatar/${sha256}`)).location, `/avatars/${sha256.slice(0, 32)}`);
    }
    for (const path of ['/avatar/x', `/avatar/${'0'.repeat(33)}`]) assert.equal((await reader.get(path)).status, 404, path);
  });

  it('leads to the service of the settings', async () => {
    const own = await testServer({ avatars: { gravatarEnabled: true, gravatarUrl: 'https://pictures.example/avatar/' } });
    const hash = '0'.repeat(32);
    assert.equal((await new Browser(own.url).get(`/avatar/${hash}`)).location, `https://pictures.example/avatar/${hash}?d=identicon`);
  });
});

describe('the icon of the screens of phones', () => {
  it('is where they look for it', async () => {
    for (const name of ['apple-touch-icon', 'apple-touch-icon-precomposed'])
      assert.deepEqual(await reader.get(`/${name}.png`).then(({ status, headers }) => [status, headers.get('content-type')]), [
        200,
        'image/png',
      ]);
  });
});

describe('/.well-known/passkey-endpoints', () => {
  it('tells password managers where passkeys are', async () => {
    const { text, headers } = await reader.get('/.well-known/passkey-endpoints');
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    const url = new URL('/user/settings/security', t.context.settings.server.rootUrl).href;
    assert.deepEqual(JSON.parse(text), { enroll: url, manage: url });
  });
});
