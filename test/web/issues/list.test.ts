import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('mallory');
const HOSTILE = '<img src=x onerror=alert(1)>';
await alice.must('POST', '/user/repos', { name: 'forge' });
await alice.must('POST', '/user/repos', { name: 'closed', private: true });
await alice.must('POST', '/repos/alice/closed/issues', { title: 'A secret' });
const label = async (name: string) =>
  (await alice.must('POST', '/repos/alice/forge/labels', { name, color: '#ff0000', description: HOSTILE })).id;
const bug = await label(`bug ${HOSTILE}`);
const wish = await label('wish');
const milestone = (await alice.must('POST', '/repos/alice/forge/milestones', { title: `1.0 ${HOSTILE}` })).id;
const open = async (fields: object): Promise<number> => (await alice.must('POST', '/repos/alice/forge/issues', fields)).number;
const first = await open({ title: `First ${HOSTILE}`, labels: [bug, wish], body: '- [x] a\n- [ ] b', milestone });
const second = await open({ title: 'Second', labels: [bug], assignees: ['alice'], body: 'a needle' });
const third = await open({ title: 'Third', labels: [wish] });
const fourth = await open({ title: 'Fourth', closed: true });

const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const stranger = new Browser(t.url);
await stranger.signIn('mallory', PASSWORD);
const LIST = '/alice/forge/issues';

/** The numbers of the rows in their order. */
async function shown(query: string): Promise<number[]> {
  const { text } = await new Browser(t.url).get(LIST + query);
  return [...text.matchAll(/class="issue-title" href="\/alice\/forge\/issues\/(\d+)"/g)].map(([, number]) => Number(number));
}

describe('archived labels', () => {
  it('are in the menu when they are asked for, and no choice for issues', async () => {
    const old = await label('old one');
    await alice.must('PATCH', `/repos/alice/forge/labels/${old}`, { is_archived: true });
    const inMenu = async (query: string) => (await browser.get(LIST + query)).text.includes(`labels=${old}`);
    assert.deepEqual([await inMenu(''), await inMenu('?archived_labels=true')], [false, true]);
    assert.match((await browser.get(`${LIST}?archived_labels=true&state=closed`)).text, /href="\/alice\/forge\/issues\?state=closed"/);
    for (const page of ['new', String(first)]) {
      const { text } = await browser.get(`${LIST}/${page}`);
      assert.ok(!text.includes(`name="label" value="${old}"`) && text.includes(`name="label" value="${wish}"`), page);
    }
    await alice.must('DELETE', `/repos/alice/forge/labels/${old}`);
  });
});

describe('the list of issues', () => {
  it('shows titles, labels, milestones and tasks as texts, with counts of both states', async () => {
    const page = await new Browser(t.url).get(LIST);
    assert.equal(page.status, 200);
    assert.ok(!page.text.includes('<img src=x'));
    assert.match(page.text, /First &lt;img/);
    assert.match(page.text, /1 of 2 tasks/);
    assert.match(page.text, / 3 open\n/);
    assert.match(page.text, / 1 closed\n/);
    assert.match(page.text, /application\/atom\+xml" href="\/alice\/forge\.atom"/);
    // Who is not signed in changes nothing.
    assert.ok(!page.text.includes('method="post"'));
  });

  it('follows each filter of its URL', async () => {
    assert.deepEqual(await shown(''), [third, second, first]);
    assert.deepEqual(await shown('?state=closed'), [fourth]);
    assert.deepEqual(await shown('?state=all&sort=oldest'), [first, second, third, fourth]);
    assert.deepEqual(await shown(`?labels=${bug},${wish}`), [first]);
    assert.deepEqual(await shown(`?labels=${bug},-${wish}`), [second]);
    assert.deepEqual(await shown(`?labels=-${bug}`), [third]);
    assert.deepEqual(await shown(`?milestone=${milestone}`), [first]);
    assert.deepEqual(await shown('?milestone=-1'), [third, second]);
    assert.deepEqual(await shown('?assignee=alice'), [second]);
    assert.deepEqual(await shown('?assignee=(none)'), [third, first]);
    assert.deepEqual(await shown('?poster=mallory'), []);
    assert.deepEqual(await shown('?poster=nobody-of-this-name'), []);
    assert.deepEqual(await shown('?mentioned=alice'), []);
    assert.deepEqual(await shown('?q=needle'), [second]);
    assert.deepEqual(await shown('?sort=x&labels=x&milestone=x&page=x&state=x'), [third, second, first]);
  });

  it('understands the links of Gitea', async () => {
    const later = await open({ title: 'Later', due_date: '2030-01-01T00:00:00Z' });
    const sooner = await open({ title: 'Sooner', due_date: '2029-01-01T00:00:00Z' });
    await alice.must('PATCH', `/repos/alice/forge/milestones/${milestone}`, { due_on: '2028-01-01T00:00:00Z' });
    await alice.must('POST', `/repos/alice/forge/issues/${second}/comments`, { body: 'More' });
    const { id } = await alice.must('GET', '/user');
    assert.deepEqual(await shown('?sort=latest&labels=0'), [sooner, later]);
    assert.deepEqual(await shown('?sort=recentupdate&assignee=(any)'), [second]);
    assert.deepEqual(await shown(`?sort=leastupdate&assignee=${id}`), [second]);
    assert.equal((await shown('?sort=mostcomment'))[0], second);
    assert.equal((await shown('?sort=leastcomment')).at(-1), second);
    assert.deepEqual((await shown('?sort=nearduedate')).slice(0, 3), [first, sooner, later]);
    assert.deepEqual((await shown('?sort=farduedate')).slice(0, 3), [later, sooner, first]);
    const own = async (query: string) =>
      [...(await browser.get(LIST + query)).text.matchAll(/class="issue-title" href="\/alice\/forge\/issues\/(\d+)"/g)].length;
    assert.deepEqual([await own('?type=assigned'), await own('?type=mentioned'), await own('?type=created_by')], [1, 0, 5]);
    assert.match((await browser.get(`${LIST}?type=assigned`)).text, /Assignee: alice/);
    assert.match((await browser.get(`${LIST}?type=mentioned`)).text, /Mentioned: alice/);
    assert.equal(await own('?type=review_requested'), 0);
    for (const number of [later, sooner]) await alice.must('DELETE', `/repos/alice/forge/issues/${number}`);
  });

  it('says when nothing matches, and when there is nothing', async () => {
    assert.match((await browser.get(`${LIST}?q=nowhere`)).text, /No issue matches these filters/);
    assert.match((await browser.get('/alice/closed/issues?state=closed')).text, /No issue is open/);
    await alice.must('POST', '/user/repos', { name: 'none' });
    assert.match((await browser.get('/alice/none/issues')).text, /There are no issues yet/);
  });

  it('has pinned issues on top', async () => {
    await alice.must('POST', `/repos/alice/forge/issues/${second}/pin`);
    assert.match((await browser.get(LIST)).text, /class="pinned"><li>[\s\S]{0,400}Second/);
    await alice.must('DELETE', `/repos/alice/forge/issues/${second}/pin`);
  });

  it('is not there for who may not see the repository, or where issues are disabled', async () => {
    const mallory = new Browser(t.url);
    await mallory.signIn('mallory', PASSWORD);
    assert.equal((await mallory.get('/alice/closed/issues')).status, 404);
    assert.equal((await mallory.get('/alice/closed/issues/1')).status, 404);
    await alice.must('POST', '/user/repos', { name: 'off' });
    await alice.must('PATCH', '/repos/alice/off', { has_issues: false });
    assert.notEqual((await new Browser(t.url).get('/alice/off/issues')).status, 200);
  });
});

describe('changes of several issues', () => {
  const send = async (who: Browser, fields: Record<string, string>) => who.submit(await who.get(LIST), fields, LIST);

  it('are made for those that are selected', async () => {
    const done = await send(browser, {
      issue: String(third),
      state: 'closed',
      add_label: String(bug),
      remove_label: String(wish),
      milestone: String(milestone),
      assignee: '@alice',
    });
    assert.deepEqual([done.status, done.location], [303, `${LIST}?changed=1`]);
    const issue = await alice.must('GET', `/repos/alice/forge/issues/${third}`);
    assert.equal(issue.state, 'closed');
    assert.deepEqual(
      issue.labels.map(({ id }: { id: number }) => id),
      [bug],
    );
    assert.equal(issue.milestone.id, milestone);
    assert.equal(issue.assignees[0].login, 'alice');
    await send(browser, { issue: String(third), state: 'open', milestone: '0', assignee: '0' });
    const again = await alice.must('GET', `/repos/alice/forge/issues/${third}`);
    assert.deepEqual([again.state, again.milestone, again.assignees], ['open', null, null]);
  });

  it('are only for who may write, and for forms of this instance', async () => {
    const mallory = new Browser(t.url);
    await mallory.signIn('mallory', PASSWORD);
    const { text } = await mallory.get(LIST);
    assert.ok(!text.includes('id="bulk"'));
    const token = /name="_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const fields = { issue: String(first), state: 'closed', _token: token };
    assert.equal((await mallory.send('POST', LIST, { fields })).status, 403);
    assert.equal((await browser.send('POST', LIST, { fields: { ...fields, _token: 'x' } })).status, 403);
    assert.equal((await alice.must('GET', `/repos/alice/forge/issues/${first}`)).state, 'open');
  });
});

describe('changes of several pull requests', () => {
  it('are made in their list, and change no issue', async () => {
    await alice.must('POST', '/user/repos', { name: 'pulls', auto_init: true, default_branch: 'main' });
    await alice.must('POST', '/repos/alice/pulls/issues', { title: 'An issue' });
    const file = { content: '', message: 'Add', new_branch: 'next' };
    await alice.must('POST', '/repos/alice/pulls/contents/a.txt', file);
    await alice.must('POST', '/repos/alice/pulls/pulls', { title: 'A change', head: 'next', base: 'main' });
    const path = '/alice/pulls/pulls';
    const page = await browser.get(path);
    assert.match(page.text, /type="checkbox" form="bulk" name="issue" value="2"/);
    assert.equal((await browser.submit(page, { issue: '1', state: 'closed' }, path)).location, `${path}?changed=0`);
    assert.equal((await browser.submit(page, { issue: '2', state: 'closed', assignee: '@alice' }, path)).location, `${path}?changed=1`);
    const [issue, pull] = [1, 2].map((number) => alice.must('GET', `/repos/alice/pulls/issues/${number}`));
    assert.deepEqual([(await issue)?.state, (await pull)?.state, (await pull)?.assignee.login], ['open', 'closed', 'alice']);
    assert.equal((await stranger.send('POST', path, { fields: { issue: '2' } })).status, 403);
  });
});

describe('the issues of the signed-in user', () => {
  it('are those of all repositories, by what they have to do with them', async () => {
    const page = await browser.get('/issues');
    assert.match(page.text, /alice\/closed/);
    assert.match(page.text, /A secret/);
    const assigned = await browser.get('/issues?type=assigned');
    assert.match(assigned.text, /Second/);
    assert.ok(!assigned.text.includes('A secret'));
    assert.match((await browser.get('/pulls?type=review_requested')).text, /There is nothing here/);
  });

  it('are those of the repositories of their own, and of an organization', async () => {
    const own = (await browser.get('/issues?type=your_repositories')).text;
    assert.ok(own.includes('A secret') && own.includes('Third'));
    await alice.must('POST', '/orgs', { username: 'acme' });
    await alice.must('POST', '/orgs/acme/repos', { name: 'tools', private: true });
    await alice.must('POST', '/repos/acme/tools/issues', { title: 'Of the organization' });
    const { text } = await browser.get('/org/acme/issues');
    assert.match(text, /Issues of acme[\s\S]* 1 open\n[\s\S]*Of the organization/);
    assert.ok(!text.includes('Third') && text.includes('href="/org/acme/issues?type=assigned"'));
    assert.match((await browser.get('/org/acme/issues?type=assigned')).text, / No open\n/);
    assert.match((await browser.get('/org/acme/pulls')).text, /Pull requests of acme[\s\S]*There is nothing here/);
    assert.ok(!(await stranger.get('/org/acme/issues')).text.includes('Of the organization'));
    assert.match((await new Browser(t.url).get('/org/acme/pulls')).location, /\/user\/login/);
  });

  it('show nothing of others, and need a sign-in', async () => {
    const mallory = new Browser(t.url);
    await mallory.signIn('mallory', PASSWORD);
    assert.ok(!(await mallory.get('/issues?q=secret')).text.includes('A secret'));
    assert.match((await new Browser(t.url).get('/issues')).location, /\/user\/login/);
  });
});

describe('filters of lists', () => {
  it('are saved by each user under a name, shown with the list and at home, and deleted', async () => {
    const page = await browser.get(`${LIST}?state=closed&poster=alice`);
    const save = (name: string) => browser.submit(page, { name }, '/issues/saved');
    assert.equal((await save(`Mine ${HOSTILE}`)).status, 303);
    assert.equal((await save(' ')).status, 422);
    const link = /href="\/alice\/forge\/issues\?state=closed&amp;poster=alice"[^>]*>Mine/;
    for (const path of [`${LIST}`, '/issues/saved', '/']) {
      const { text } = await browser.get(path);
      assert.match(text, link);
      assert.ok(!/<img[^>]*onerror/.test(text));
    }
    assert.ok(!link.test((await stranger.get(`${LIST}`)).text));
    const [, id = ''] = /name="id" value="(\d+)"/.exec((await browser.get('/issues/saved')).text) ?? [];
    const token = /name="_token" value="([^"]+)"/.exec((await stranger.get('/user/settings')).text)?.[1] ?? '';
    assert.equal((await stranger.send('POST', '/issues/saved', { fields: { _token: token, do: 'delete', id } })).status, 404);
    for (let more = 1; more < 50; more++) await save(`${more}`);
    assert.equal((await save('one too many')).status, 422);
    await browser.submit(await browser.get('/issues/saved'), { do: 'delete', id }, '/issues/saved');
    assert.ok(!(await browser.get('/issues/saved')).text.includes('Mine'));
    await alice.must('PATCH', '/repos/alice/forge', { private: true });
    const hidden = await alice.must('GET', '/repos/alice/forge');
    const fields = { _token: token, do: 'save', name: 'x', repository: String(hidden.id), kind: 'issues', query: '' };
    assert.equal((await stranger.send('POST', '/issues/saved', { fields })).status, 404);
    await alice.must('PATCH', '/repos/alice/forge', { private: false });
  });
});
