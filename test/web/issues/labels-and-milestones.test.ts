import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('mallory');
const HOSTILE = '<img src=x onerror=alert(1)>';
await alice.must('POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const stranger = new Browser(t.url);
await stranger.signIn('mallory', PASSWORD);
const REPO = '/alice/forge';

/** Sends a form that a page does not offer to this browser, with the token of another page. */
async function force(who: Browser, path: string, fields: Record<string, string>): Promise<number> {
  const token = /name="_token" value="([^"]+)"/.exec((await who.get(REPO)).text)?.[1] ?? '';
  return (await who.send('POST', path, { fields: { ...fields, _token: token } })).status;
}

describe('labels', () => {
  it('are created from a template, and one by one, edited and deleted', async () => {
    const path = `${REPO}/labels`;
    const send = async (fields: Record<string, string>) => browser.submit(await browser.get(path), fields, path);
    assert.match((await browser.get(path)).text, /There are no labels yet/);
    assert.equal((await send({ do: 'template', template: 'Default' })).status, 303);
    const labels = async (): Promise<{ id: number; name: string; color: string; exclusive: boolean }[]> =>
      alice.must('GET', '/repos/alice/forge/labels?limit=50');
    assert.ok((await labels()).length > 3);
    await send({ do: 'create', name: `a/${HOSTILE}`, description: HOSTILE, color: '#00ff00', exclusive: 'on' });
    const made = (await labels()).find(({ name }) => name.startsWith('a/'));
    assert.deepEqual([made?.color, made?.exclusive], ['00ff00', true]);
    const refused = await send({ do: 'create', name: 'kept', color: 'green' });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /value="kept"/);
    assert.ok(!/<img[^>]*onerror/.test((await browser.get(path)).text));
    await send({ do: 'edit', id: String(made?.id), name: 'renamed', color: '#0000ff' });
    assert.ok((await labels()).some(({ name, color }) => name === 'renamed' && color === '0000ff'));
    await send({ do: 'delete', id: String(made?.id) });
    assert.ok(!(await labels()).some(({ name }) => name === 'renamed'));
  });

  it('are changed by nobody who may not write', async () => {
    assert.ok(!(await new Browser(t.url).get(`${REPO}/labels`)).text.includes('method="post"'));
    assert.equal(await force(stranger, `${REPO}/labels`, { do: 'create', name: 'x', color: '#000000' }), 403);
  });
});

describe('milestones', () => {
  it('are created, shown with their issues, edited, closed and deleted', async () => {
    const form = await browser.get(`${REPO}/milestones/new`);
    const done = await browser.submit(
      form,
      { title: `1.0 ${HOSTILE}`, description: `**goal** ${HOSTILE}`, date: '2030-01-02' },
      `${REPO}/milestones/new`,
    );
    assert.equal(done.status, 303);
    const path = done.location;
    const id = Number(path.split('/').at(-1));
    const read = async () => alice.must('GET', `/repos/alice/forge/milestones/${id}`);
    assert.equal((await read()).due_on, '2030-01-02T23:59:59Z');
    await alice.must('POST', '/repos/alice/forge/issues', { title: 'In it', milestone: id });
    await alice.must('POST', '/repos/alice/forge/issues', { title: 'Done in it', milestone: id, closed: true });
    const page = await new Browser(t.url).get(path);
    assert.match(page.text, /50 % done/);
    assert.match(page.text, /In it/);
    assert.match(page.text, /<strong>goal<\/strong>/);
    assert.ok(!/<img[^>]*onerror/.test(page.text + (await browser.get(`${REPO}/milestones`)).text));
    assert.match((await browser.get(`${path}?state=closed`)).text, /Done in it/);
    const edit = `${REPO}/milestones/${id}/edit`;
    await browser.submit(await browser.get(edit), { title: '1.1', description: '', date: '' }, edit);
    assert.deepEqual([(await read()).title, (await read()).due_on], ['1.1', null]);
    const change = `${REPO}/milestones/${id}/change`;
    await browser.submit(await browser.get(path), { do: 'close' }, change);
    assert.equal((await read()).state, 'closed');
    assert.match((await browser.get(`${REPO}/milestones?state=closed`)).text, /1\.1/);
    await browser.submit(await browser.get(path), { do: 'delete' }, change);
    assert.equal((await browser.get(path)).status, 404);
  });

  it('show how far they came day by day, and are searched and ordered', async () => {
    const { id } = await alice.must('POST', '/repos/alice/forge/milestones', { title: 'Plotted', due_on: '2030-01-02T00:00:00Z' });
    await alice.must('POST', '/repos/alice/forge/milestones', { title: 'Another' });
    for (const day of [1, 3, 3]) {
      const { number } = await alice.must('POST', '/repos/alice/forge/issues', { title: 'Planned', milestone: id });
      const issue = t.context.db
        .updateTable('issues')
        .set({ created_at: day * 86_400, ...(day === 1 && { is_closed: true, closed_at: 5 * 86_400 }) });
      await issue.where('number', '=', number).execute();
    }
    const { text } = await stranger.get(`${REPO}/milestone/${id}`);
    assert.match(text, /<svg[^>]*role="img" aria-label="Since Jan 2, 1970: 2 open and 1 closed now\."/);
    const rows = [...text.matchAll(/<th scope="row">(.*?)<\/th><td>(\d+)<\/td><td>(\d+)<\/td>/g)].map(([, ...cells]) => cells);
    assert.deepEqual(rows, [
      ['Jan 2, 1970', '1', '0'],
      ['Jan 4, 1970', '3', '0'],
      ['Jan 6, 1970', '2', '1'],
    ]);
    const titles = async (query: string) =>
      [...(await browser.get(`${REPO}/milestones?${query}`)).text.matchAll(/class="issue-title"[^>]*>([^<]*)/g)].map(([, title]) => title);
    assert.deepEqual(await titles('sort=name'), ['Another', 'Plotted']);
    assert.deepEqual(await titles(''), ['Plotted', 'Another'], 'what has a date comes first');
    assert.deepEqual(await titles('sort=mostissues'), ['Plotted', 'Another']);
    assert.deepEqual(await titles('q=PLOT'), ['Plotted']);
    assert.match((await browser.get('/milestones?q=plot')).text, /alice\/forge<\/span> <a[^>]*>Plotted/);
    assert.ok(!(await stranger.get('/milestones')).text.includes('Plotted'));
    assert.match((await new Browser(t.url).get('/milestones')).location, /login/);
    await alice.must('POST', '/orgs', { username: 'acme' });
    await alice.must('POST', '/orgs/acme/repos', { name: 'hidden', private: true });
    await alice.must('POST', '/repos/acme/hidden/milestones', { title: 'Secret goal' });
    assert.match((await browser.get('/org/acme/milestones')).text, /Secret goal/);
    assert.ok(!(await stranger.get('/org/acme/milestones')).text.includes('Secret goal'));
  });

  it('keep what was typed where it is refused, and are made by nobody who may not write', async () => {
    const form = await browser.get(`${REPO}/milestones/new`);
    const refused = await browser.submit(form, { title: ' ', description: 'kept', date: '2030-01-02' }, `${REPO}/milestones/new`);
    assert.equal(refused.status, 422);
    assert.match(refused.text, />\nkept<\/textarea>/);
    const closed = await stranger.get(`${REPO}/milestones/new`);
    assert.deepEqual([closed.status, /role="alert"[^>]*>[^<]+<\/p>\s*<p><a href="\/">/.test(closed.text)], [403, true], closed.text);
    assert.equal((await browser.get(`${REPO}/milestone/999999999999999999999`)).status, 404);
  });
});

describe('a new issue', () => {
  it('begins with what the URL says', async () => {
    const { text } = await browser.get(`${REPO}/issues/new?title=T%22x&body=B%3C/textarea%3E&labels=bug`);
    assert.match(text, /value="T&#34;x"/);
    assert.match(text, />\nB&lt;\/textarea&gt;<\/textarea>/);
  });

  it('is opened with labels of who may write, and keeps what was typed where it is refused', async () => {
    const form = await browser.get(`${REPO}/issues/new`);
    const [label] = await alice.must('GET', '/repos/alice/forge/labels');
    const done = await browser.submit(
      form,
      { title: 'New', body: 'text', label: String(label.id), assignee: 'alice' },
      `${REPO}/issues/new`,
    );
    const issue = await alice.must('GET', `/repos/alice/forge/issues/${done.location.split('/').at(-1)}`);
    assert.deepEqual([issue.body, issue.labels[0].id, issue.assignees[0].login], ['text', label.id, 'alice']);
    const other = await stranger.submit(
      await stranger.get(`${REPO}/issues/new`),
      { title: 'Theirs', body: '', label: String(label.id) },
      `${REPO}/issues/new`,
    );
    const theirs = await alice.must('GET', `/repos/alice/forge/issues/${other.location.split('/').at(-1)}`);
    assert.deepEqual([theirs.labels, theirs.user.login], [[], 'mallory']);
    const refused = await browser.submit(form, { title: ' ', body: 'kept' }, `${REPO}/issues/new`);
    assert.equal(refused.status, 422);
    assert.match(refused.text, />\nkept<\/textarea>/);
    assert.match((await new Browser(t.url).get(`${REPO}/issues/new`)).location, /login/);
  });

  it('is made by templates and forms of the repository', async () => {
    assert.equal((await browser.get(`${REPO}/issues/new/choose`)).location, `${REPO}/issues/new`);
    const add = async (name: string, text: string) =>
      alice.must('POST', `/repos/alice/forge/contents/.gitea/ISSUE_TEMPLATE/${name}`, { content: Buffer.from(text).toString('base64') });
    await add('plain.md', `---\nname: Plain ${HOSTILE}\nabout: Words\ntitle: '[P] '\n---\nDear all`);
    await add(
      'form.yaml',
      `name: Form
about: A form
labels: [bug]
body:
  - {type: markdown, attributes: {value: "Hello **you** ${HOSTILE}"}}
  - {type: input, id: version, attributes: {label: Version}, validations: {required: true, regex: "^v"}}
  - {type: textarea, id: log, attributes: {label: Log, render: sh}}
  - {type: dropdown, id: os, attributes: {label: System, options: [Linux, "<b>"], multiple: true}}
  - {type: checkboxes, id: ok, attributes: {label: Terms, options: [{label: I agree, required: true}, {label: News}]}}
`,
    );
    await add(
      'config.yaml',
      'contact_links: [{name: Chat, url: "https://chat.example", about: Talk}, {name: Bad, url: "javascript:alert(1)", about: x}]',
    );
    const choice = await browser.get(`${REPO}/issues/new/choose`);
    assert.match(choice.text, /https:\/\/chat\.example/);
    assert.ok(!choice.text.includes('javascript:') && !/<img[^>]*onerror/.test(choice.text));
    const plain = await browser.get(`${REPO}/issues/new?template=.gitea/ISSUE_TEMPLATE/plain.md`);
    assert.match(plain.text, />\nDear all<\/textarea>/);
    const path = `${REPO}/issues/new?template=.gitea%2FISSUE_TEMPLATE%2Fform.yaml`;
    const form = await stranger.get(path);
    assert.match(form.text, /Hello <strong>you<\/strong>/);
    assert.ok(!/<img[^>]*onerror/.test(form.text));
    const fields = {
      title: 'By form',
      'form-field-version': 'v1',
      'form-field-log': 'a ``` b',
      'form-field-os': '1',
      'form-field-ok': '0',
    };
    for (const wrong of [{ 'form-field-version': '' }, { 'form-field-version': '1' }, { 'form-field-ok': '1' }]) {
      assert.equal((await stranger.submit(form, { ...fields, ...wrong }, path)).status, 422);
    }
    const done = await stranger.submit(form, fields, path);
    const issue = await alice.must('GET', `/repos/alice/forge/issues/${done.location.split('/').at(-1)}`);
    const body = '### Version\n\nv1\n\n### Log\n\n````sh\na ``` b\n````\n\n### System\n\n<b>\n\n### Terms\n\n- [x] I agree\n- [ ] News\n';
    assert.equal(issue.body, body);
    assert.ok(issue.labels.some(({ name }: { name: string }) => name === 'bug'));
  });
});
