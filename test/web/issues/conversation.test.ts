import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser, type PageResponse } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const mallory = await t.user('mallory');
const HOSTILE = '<img src=x onerror=alert(1)>';
await alice.must('POST', '/user/repos', { name: 'forge' });
const label = (await alice.must('POST', '/repos/alice/forge/labels', { name: HOSTILE, color: '#00ff00' })).id;
const milestone = (await alice.must('POST', '/repos/alice/forge/milestones', { title: HOSTILE })).id;
const open = async (who: typeof alice, title: string, body = ''): Promise<number> =>
  (await who.must('POST', '/repos/alice/forge/issues', { title, body })).number;
const number = await open(mallory, `Title ${HOSTILE}`, 'Ä\n\n- [ ] one\n- [x] two');
const other = await open(alice, `Other ${HOSTILE}`);
const PATH = `/alice/forge/issues/${number}`;
const API = `/repos/alice/forge/issues/${number}`;

const owner = new Browser(t.url);
await owner.signIn('alice', PASSWORD);
const reporter = new Browser(t.url);
await reporter.signIn('mallory', PASSWORD);

async function send(who: Browser, fields: Record<string, string>, query = ''): Promise<PageResponse> {
  return who.submit(await who.get(PATH + query), fields, PATH);
}

describe('comments', () => {
  it('are written, rendered, edited and deleted', async () => {
    const done = await send(reporter, { do: 'comment', text: `**bold** ${HOSTILE} #${other}` });
    assert.equal(done.status, 303);
    const [comment] = await alice.must('GET', `${API}/comments`);
    assert.equal(done.location, `${PATH}#issuecomment-${comment.id}`);
    const page = await reporter.get(PATH);
    assert.match(page.text, new RegExp(`id="issuecomment-${comment.id}"`));
    assert.match(page.text, /<strong>bold<\/strong>/);
    assert.ok(!page.text.includes('onerror=alert(1)>') || !/<img[^>]*onerror/.test(page.text));

    const editor = await reporter.get(`${PATH}?edit=${comment.id}`);
    assert.match(editor.text, /name="body"[^>]*>\n\*\*bold\*\*/);
    await reporter.submit(editor, { do: 'edit-comment', comment: String(comment.id), version: '0', body: 'changed' }, PATH);
    assert.equal((await alice.must('GET', `/repos/alice/forge/issues/comments/${comment.id}`)).body, 'changed');
    assert.match((await owner.get(PATH)).text, /<summary><span[^>]*>edited<\/span>/);

    const stale = await send(reporter, { do: 'edit-comment', comment: String(comment.id), version: '0', body: 'typed in vain' });
    assert.equal(stale.status, 422);
    assert.match(stale.text, /typed in vain/);
    await send(reporter, { do: 'delete-comment', comment: String(comment.id) });
    assert.deepEqual(await alice.must('GET', `${API}/comments`), []);
  });

  it('close and reopen together with a text', async () => {
    await send(reporter, { do: 'comment', text: 'done', state: 'closed' });
    assert.equal((await alice.must('GET', API)).state, 'closed');
    await send(reporter, { do: 'comment', text: '', state: 'open' });
    assert.equal((await alice.must('GET', API)).state, 'open');
    const empty = await send(reporter, { do: 'comment', text: ' ' });
    assert.equal(empty.status, 422);
    assert.match(empty.text, /Write something first/);
  });

  it('have a preview without scripts, and one for scripts', async () => {
    const page = await send(reporter, { do: 'comment', text: '*slanted*', preview: '1' });
    assert.equal(page.status, 200);
    assert.match(page.text, /<em>slanted<\/em>/);
    assert.match(page.text, />\n\*slanted\*<\/textarea>/);
    const token = /name="_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const preview = await reporter.send('POST', '/alice/forge/markup', { fields: { text: HOSTILE, _token: token } });
    assert.equal(preview.status, 200);
    assert.ok(!preview.text.includes('onerror'));
    const anonymous = await new Browser(t.url).send('POST', '/alice/forge/markup', { fields: { text: 'x' } });
    assert.notEqual(anonymous.status, 200);
  });

  it('are not for who may not write, once the conversation is locked', async () => {
    await send(owner, { do: 'lock', reason: 'Spam' });
    assert.match((await reporter.get(PATH)).text, /This conversation is locked/);
    const page = await reporter.get(PATH);
    const token = /name="_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const refused = await reporter.send('POST', PATH, { fields: { do: 'comment', text: 'still here', _token: token } });
    assert.equal(refused.status, 422);
    assert.ok(!(await alice.must('GET', `${API}/comments`)).some(({ body }: { body: string }) => body === 'still here'));
    await send(owner, { do: 'unlock' });
    assert.equal((await alice.must('GET', API)).is_locked, false);
  });
});

describe('an issue', () => {
  it('shows all that happened, as texts', async () => {
    await alice.must('PATCH', API, { milestone, assignees: ['alice'], due_date: '2030-01-02T00:00:00Z' });
    await alice.must('POST', `${API}/labels`, { labels: [label] });
    await alice.must('PATCH', API, { title: `Changed ${HOSTILE}` });
    await alice.must('POST', `${API}/dependencies`, { owner: 'alice', repo: 'forge', index: other });
    const { text } = await owner.get(PATH);
    assert.ok(!/<img[^>]*onerror/.test(text));
    for (const words of ['added <span class="label"', 'set the due date to', 'changed the title from', 'added a dependency']) {
      assert.ok(text.includes(words), words);
    }
  });

  it('has its title, text and tasks changed by who may', async () => {
    await reporter.submit(await reporter.get(`${PATH}?edit=title`), { title: 'Better' }, PATH);
    assert.equal((await alice.must('GET', API)).title, 'Better');
    const page = await reporter.get(PATH);
    const position = /name="position" value="(\d+)"[^>]*aria-checked="false"/.exec(page.text)?.[1] ?? '';
    await reporter.submit(page, { do: 'task', comment: '0', position }, PATH);
    assert.equal((await alice.must('GET', API)).body, 'Ä\n\n- [x] one\n- [x] two');
    const wrong = await send(reporter, { do: 'task', comment: '0', position: '1' });
    assert.equal(wrong.status, 422);
  });

  it('has everything of its side bar changed', async () => {
    await send(owner, { do: 'labels' });
    await send(owner, { do: 'milestone', milestone: '0' });
    await send(owner, { do: 'assignees' });
    await send(owner, { do: 'deadline', date: '' });
    await send(owner, { do: 'remove-dependency', issue: `#${other}` });
    const bare = await alice.must('GET', API);
    assert.deepEqual([bare.labels, bare.milestone, bare.assignees, bare.due_date], [[], null, null, null]);
    await send(owner, { do: 'labels', label: String(label) });
    await send(owner, { do: 'milestone', milestone: String(milestone) });
    await send(owner, { do: 'assignees', assignee: 'alice' });
    await send(owner, { do: 'deadline', date: '2031-05-06' });
    await send(owner, { do: 'add-dependency', issue: `alice/forge#${other}` });
    const full = await alice.must('GET', API);
    assert.deepEqual([full.labels[0].id, full.milestone.id, full.assignee.login], [label, milestone, 'alice']);
    assert.equal(full.due_date, '2031-05-06T23:59:59Z');
    const blocked = await send(owner, { do: 'comment', text: 'keep me', state: 'closed' });
    assert.equal(blocked.status, 422);
    assert.match(blocked.text, /keep me/);
    await send(owner, { do: 'add-time', hours: '1', minutes: '30' });
    assert.equal((await alice.must('GET', `${API}/times`))[0].time, 5400);
    assert.equal((await send(owner, { do: 'add-time', hours: 'x' })).status, 422);
    await send(owner, { do: 'start-timer' });
    assert.match((await owner.get(PATH)).text, /Stop timer/);
    await send(owner, { do: 'cancel-timer' });
    await send(owner, { do: 'pin' });
    assert.equal((await alice.must('GET', API)).pin_order, 1);
    await send(owner, { do: 'unsubscribe' });
    assert.match((await owner.get(PATH)).text, /You receive no notifications/);
    const reactions = [...(await owner.get(PATH)).text.matchAll(/<button name="content"[^>]*>([^<]*)</g)].map(([, shown]) => shown);
    assert.deepEqual(reactions.slice(0, 8), ['👍', '👎', '😆', '🎉', '😕', '❤️', '🚀', '👀']);
    await send(owner, { do: 'react', comment: '0', content: 'heart' });
    assert.equal((await alice.must('GET', `${API}/reactions`)).length, 1);
    await send(owner, { do: 'react', comment: '0', content: 'heart' });
    assert.equal(await alice.must('GET', `${API}/reactions`), null);
  });

  it('refuses all of that to who may not', async () => {
    const page = await reporter.get(PATH);
    assert.ok(!page.text.includes('value="milestone"') && !page.text.includes('value="delete"'));
    const token = /name="_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const before = await alice.must('GET', API);
    const changes: Record<string, string>[] = [
      { do: 'labels' },
      { do: 'milestone', milestone: '0' },
      { do: 'assignees' },
      { do: 'deadline', date: '' },
      { do: 'lock' },
      { do: 'pin' },
      { do: 'delete', confirm: String(number) },
      { do: 'remove-dependency', issue: `#${other}` },
      { do: 'constructor' },
    ];
    for (const fields of changes) {
      const { status } = await reporter.send('POST', PATH, { fields: { ...fields, _token: token } });
      assert.ok([403, 404, 422].includes(status), `${fields.do}: ${status}`);
    }
    assert.deepEqual(await alice.must('GET', API), before);
    assert.equal((await owner.send('POST', PATH, { fields: { do: 'pin', _token: 'x' } })).status, 403);
    assert.match((await new Browser(t.url).get(PATH)).text, /Sign in to comment/);
  });

  it('is deleted by who types its number', async () => {
    const gone = await open(alice, 'Gone');
    const at = `/alice/forge/issues/${gone}`;
    assert.equal((await owner.submit(await owner.get(at), { do: 'delete', confirm: '0' }, at)).status, 422);
    const done = await owner.submit(await owner.get(at), { do: 'delete', confirm: String(gone) }, at);
    assert.equal(done.location, '/alice/forge/issues');
    assert.equal((await owner.get(at)).status, 404);
  });
});

describe('files', () => {
  it('that are uploaded for a text belong to it once it is sent, and to nobody else before', async () => {
    const form = new FormData();
    form.append('attachment', new Blob(['hello']), 'note.txt');
    const cookie = [...reporter.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL('/alice/forge/issues/attachments', t.url), {
      method: 'POST',
      body: form,
      headers: { cookie, origin: new URL(t.url).origin },
    });
    assert.equal(response.status, 200);
    const { uuid } = (await response.json()) as { uuid: string };
    assert.equal((await owner.get(`/attachments/${uuid}`)).status, 404);
    assert.equal((await reporter.get(`/attachments/${uuid}`)).text, 'hello');
    // Somebody else's text does not take it over.
    await send(owner, { do: 'comment', text: `[x](/attachments/${uuid})` });
    assert.equal((await owner.get(`/attachments/${uuid}`)).status, 404);
    await send(reporter, { do: 'comment', text: `[note](/attachments/${uuid})` });
    assert.equal((await owner.get(`/attachments/${uuid}`)).text, 'hello');
    assert.match((await owner.get(PATH)).text, />note\.txt<\/a>/);
    const foreign = await fetch(new URL('/alice/forge/issues/attachments', t.url), {
      method: 'POST',
      body: form,
      headers: { cookie, origin: 'https://evil.example' },
    });
    assert.equal(foreign.status, 403);
  });
});

describe('suggestions', () => {
  it('complete people, issues and emoji for who is signed in', async () => {
    const suggest = async (kind: string, q: string) =>
      JSON.parse((await owner.get(`/alice/forge/issues/suggestions?${new URLSearchParams({ kind, q })}`)).text) as { value: string }[];
    assert.deepEqual(
      (await suggest('@', 'al')).map(({ value }) => value),
      ['@alice'],
    );
    assert.equal((await suggest('#', String(other)))[0]?.value, `#${other}`);
    assert.equal((await suggest(':', 'tada'))[0]?.value, ':tada:');
    assert.match((await new Browser(t.url).get('/alice/forge/issues/suggestions?kind=@&q=a')).location, /login/);
  });
});
