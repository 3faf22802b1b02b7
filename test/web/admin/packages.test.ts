import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const { admin } = t;
await t.user('alice');
const chief = new Browser(t.url);
await chief.signIn('admin', PASSWORD);
const other = new Browser(t.url);
await other.signIn('alice', PASSWORD);
const ROOT = '/-/admin/packages';

async function upload(name: string, version: string, bytes: number): Promise<void> {
  const headers = { authorization: `Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}` };
  const url = new URL(`/api/packages/alice/generic/${name}/${version}/file.bin`, t.url);
  const { status } = await fetch(url, { method: 'PUT', headers, body: 'x'.repeat(bytes) });
  assert.equal(status, 201);
}

describe('the packages of the administration', () => {
  it('are those of all owners, the newest first, also where the owner is private', async () => {
    assert.match((await chief.get(ROOT)).text, /There are no packages yet/);
    await upload('tool_a', '1.0', 2048);
    await upload('toolxa', '2.0', 1);
    await admin.must('PATCH', '/admin/users/alice', { login_name: 'alice', source_id: 0, visibility: 'private' });
    const { text } = await chief.get(ROOT);
    assert.ok(text.indexOf('>toolxa<') > 0 && text.indexOf('>toolxa<') < text.indexOf('>tool_a<'));
    assert.ok(text.includes('<td>2 KiB</td>') && text.includes('href="/alice/-/packages"'));
    const [, settings = ''] = /href="([^"]+)\/settings#danger" aria-label="Delete: tool_a 1.0"/.exec(text) ?? [];
    assert.equal((await chief.get(`${settings}/settings`)).status, 200);
    const found = (await chief.get(`${ROOT}?q=TOOL_&type=generic`)).text;
    assert.ok(found.includes('>tool_a<') && !found.includes('>toolxa<'));
    const order = async (sort: string) =>
      [...(await chief.get(`${ROOT}?sort=${sort}`)).text.matchAll(/>(tool[_x]a)</g)].map(([, name]) => name).join();
    for (const sort of ['name_asc', 'version_asc', 'created_asc']) assert.equal(await order(sort), 'tool_a,toolxa');
    for (const sort of ['name_desc', 'version_desc', 'created_desc']) assert.equal(await order(sort), 'toolxa,tool_a');
    assert.match(
      (await chief.get(`${ROOT}?q=tool&sort=name_asc`)).text,
      /aria-sort="ascending"><a href="[^"]*q=tool&#38;sort=name_desc|aria-sort="ascending"><a href="[^"]*q=tool&amp;sort=name_desc/,
    );
    for (const query of ['q=none', 'type=npm']) assert.match((await chief.get(`${ROOT}?${query}`)).text, /No package matches/);
  });

  it('come with what their contents take, and what is left of those that were deleted', async () => {
    assert.match((await chief.get(ROOT)).text, /2 versions · 2 KiB in use by all packages · 0 B unreferenced/);
    await upload('gone', '1.0', 1024);
    await admin.must('DELETE', '/packages/alice/generic/gone/1.0');
    assert.match((await chief.get(ROOT)).text, /2 versions · 2 KiB in use by all packages · 1 KiB unreferenced/);
  });

  it('are cleaned up on demand, with an entry in the audit log', async () => {
    const runs = async () =>
      (await admin.must('GET', '/admin/cron?limit=50')).find(({ name }: { name: string }) => name === 'cleanup_packages').exec_times;
    const before = await runs();
    assert.equal((await chief.submit(await chief.get(ROOT), {}, `${ROOT}/cleanup`)).location, `${ROOT}?cleaned=1`);
    assert.equal(await runs(), before + 1);
    assert.equal((await admin.must('GET', '/admin/audit?actor=admin&action=task.run')).length, 1);
    assert.match((await chief.get(`${ROOT}?cleaned=1`)).text, /The cleanup has started/);
  });

  it('are for site administrators alone, and nowhere without packages', async () => {
    assert.equal((await other.get(ROOT)).status, 403);
    const token = /name="_token" value="([^"]+)"/.exec((await other.get('/user/settings')).text)?.[1] ?? '';
    assert.equal((await other.send('POST', `${ROOT}/cleanup`, { fields: { _token: token } })).status, 403);
    const closed = await testServer({ packages: { enabled: false } });
    const without = new Browser(closed.url);
    await without.signIn('admin', PASSWORD);
    assert.equal((await without.get(ROOT)).status, 404);
    assert.ok(!(await without.get('/-/admin')).text.includes(ROOT));
  });
});
