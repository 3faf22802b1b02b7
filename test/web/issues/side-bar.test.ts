// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser, type PageResponse } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const mallory = await t.user('mallory');
await alice.must('POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' });
await alice.must('POST', '/user/repos', { name: 'hidden', private: true });
await alice.must('POST', '/repos/alice/hidden/issues', { title: 'Secret plan' });
await alice.must('POST', '/orgs', { username: 'guild' });
for (const title of ['Shown', 'Other']) await mallory.must('POST', '/repos/alice/forge/issues', { title });
const PATH = '/alice/forge/issues/1';
const API = '/repos/alice/forge/issues/1';

const owner = new Browser(t.url);
await owner.signIn('alice', PASSWORD);
const reporter = new Browser(t.url);
await reporter.signIn('mallory', PASSWORD);

async function send(who: Browser, fields: Record<string, string>): Promise<PageResponse> {
  const token = /name="_token" value="([^"]+)"/.exec((await who.get(PATH)).text)?.[1] ?? '';
  return who.send('POST', PATH, { fields: { ...fields, _token: token } });
}
const numbers = async (list: string) => (await alice.must('GET', `${API}/${list}`)).map((issue: { number: number }) => issue.number);

describe('dependencies', () => {
  it('are added and removed in both directions', async () => {
    assert.equal((await send(owner, { do: 'add-dependency', relation: 'blocks', issue: '2' })).status, 303);
    assert.deepEqual([await numbers('blocks'), await numbers('dependencies')], [[2], []]);
    const { text } = await owner.get(PATH);
    assert.match(text, /<h3>Blocks<\/h3>[\s\S]*?name="relation" value="blocks"[\s\S]*?value="alice\/forge#2"/);
    await send(owner, { do: 'remove-dependency', relation: 'blocks', issue: 'alice/forge#2' });
    await send(owner, { do: 'add-dependency', relation: 'blockedBy', issue: '#2' });
    assert.deepEqual([await numbers('blocks'), await numbers('dependencies')], [[], [2]]);
  });

  it('are refused with the page, to who may not too', async () => {
    const circle = await send(owner, { do: 'add-dependency', relation: 'blocks', issue: '2' });
    assert.equal(circle.status, 422);
    const missing = await send(owner, { do: 'add-dependency', relation: 'blocks', issue: '99' });
    assert.equal(missing.status, 422);
    assert.match(missing.text, /This issue does not exist/);
    for (const issue of ['2', 'alice/hidden#1']) {
      const refused = await send(reporter, { do: 'add-dependency', relation: 'blocks', issue });
      assert.equal(refused.status, 422);
      assert.ok(!refused.text.includes('Secret plan'));
    }
    assert.deepEqual(await numbers('blocks'), []);
  });
});

describe('the branch', () => {
  it('is set to one that there is by the author, and removed', async () => {
    assert.match((await reporter.get(PATH)).text, /data-names="\S*\/branches\/list \S*\/tags\/list"/);
    await send(reporter, { do: 'ref', ref: 'main' });
    assert.equal((await alice.must('GET', API)).ref, 'refs/heads/main');
    for (const ref of ['nothing', '../main', '<img src=x onerror=alert(1)>']) {
      const { status, text } = await send(reporter, { do: 'ref', ref });
      assert.equal(status, 422);
      assert.ok(!/<img[^>]*onerror/.test(text));
    }
    await send(reporter, { do: 'ref', ref: '' });
    assert.equal((await alice.must('GET', API)).ref, '');
    const stranger = await t.user('stranger');
    const other = new Browser(t.url);
    await other.signIn(stranger.name, PASSWORD);
    assert.equal((await send(other, { do: 'ref', ref: 'main' })).status, 422);
    assert.equal((await send(other, { do: 'time-estimate', time_estimate: '1h' })).status, 422);
    assert.deepEqual([(await alice.must('GET', API)).ref, (await alice.must('GET', API)).time_estimate], ['', 0]);
  });
});

describe('time', () => {
  it('is estimated in hours, minutes and seconds', async () => {
    await send(reporter, { do: 'time-estimate', time_estimate: ' 1H 30m5s ' });
    assert.equal((await alice.must('GET', API)).time_estimate, 5405);
    await send(reporter, { do: 'time-estimate', time_estimate: '1h 30m 5s' });
    const { text } = await owner.get(PATH);
    assert.match(text, /name="time_estimate"[^>]*value="1h 30m 5s"/);
    for (const wrong of ['x', '1d', '1h x', '-1h', '9999999999h', '1h'.repeat(60)]) {
      assert.equal((await send(owner, { do: 'time-estimate', time_estimate: wrong })).status, 422, wrong);
    }
    await send(owner, { do: 'time-estimate', time_estimate: '' });
    assert.equal((await alice.must('GET', API)).time_estimate, 0);
    const events = (await alice.must('GET', `${API}/timeline`)).filter(({ type }: { type: string }) => type === 'change_time_estimate');
    assert.deepEqual(
      events.map(({ body }: { body: string }) => body),
      ['1h 30m 5s', ''],
    );
    assert.match((await owner.get(PATH)).text, /removed the time estimate/);
  });

  it('that was logged is deleted entry by entry, by who logged it and by administrators', async () => {
    const log = async (who: typeof alice, time: number) => (await who.must('POST', `${API}/times`, { time })).id as number;
    const [own, foreign, kept] = [await log(alice, 60), await log(mallory, 120), await log(alice, 180)];
    const deletable = async (who: Browser) =>
      [...(await who.get(PATH)).text.matchAll(/name="time" value="(\d+)"/g)].map(([, id]) => Number(id));
    assert.deepEqual([await deletable(owner), await deletable(reporter)], [[kept, own], [foreign]]);
    assert.equal((await send(reporter, { do: 'delete-time', time: String(own) })).status, 422);
    assert.equal((await send(owner, { do: 'delete-time', time: String(own) })).status, 303);
    const admin = new Browser(t.url);
    await admin.signIn(t.admin.name, PASSWORD);
    assert.deepEqual(await deletable(admin), [kept, foreign]);
    await send(admin, { do: 'delete-time', time: String(foreign) });
    assert.deepEqual(
      (await alice.must('GET', `${API}/times`)).map(({ id }: { id: number }) => id),
      [kept],
    );
  });
});

describe('milestones of everything', () => {
  it('are linked from the top of every page and from the page of an organization', async () => {
    assert.match((await owner.get('/issues')).text, /<a href="\/milestones">Milestones<\/a>/);
    assert.match((await owner.get('/guild')).text, /href="\/org\/guild\/milestones"/);
    assert.ok(!(await new Browser(t.url).get('/guild')).text.includes('/org/guild/milestones'));
  });
});
