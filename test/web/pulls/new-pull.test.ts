// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await t.user('carol');
const REPO = '/repos/alice/forge';
const NEW = '/alice/forge/pulls/new';
await alice.must('POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' });
await alice.must('PUT', `${REPO}/collaborators/bob`, { permission: 'write' });
await write('.gitea/PULL_REQUEST_TEMPLATE.md', '## How <b>tested</b>\n', 'Add a template', {});
await write('a.txt', 'a', 'Count faster\n\nIt took an hour.', { new_branch: 'one' });
await write('a.txt', 'a', 'Begin', { new_branch: 'two' });
await write('b.txt', 'b', 'Go on', { branch: 'two' });
const { id: label } = await alice.must('POST', `${REPO}/labels`, { name: 'bug', color: '#b60205' });
const { id: milestone } = await alice.must('POST', `${REPO}/milestones`, { title: '1.0' });
await t.settled();

async function write(path: string, text: string, message: string, where: object): Promise<void> {
  await alice.must('POST', `${REPO}/contents/${path}`, { content: Buffer.from(text).toString('base64'), message, ...where });
}

async function signedIn(name: string): Promise<Browser> {
  const browser = new Browser(t.url);
  await browser.signIn(name, PASSWORD);
  return browser;
}

it('begins with the message of its first commit and the template', async () => {
  const browser = await signedIn('alice');
  const { text: one } = await browser.get(`${NEW}?base=main&head=one`);
  assert.match(one, /name="title"[^>]* value="Count faster"[^>]* autofocus/);
  assert.match(one, />\nIt took an hour\.\n\n## How &lt;b&gt;tested&lt;\/b&gt;\n<\/textarea>/);
  const { text: two } = await browser.get(`${NEW}?base=main&head=two`);
  assert.match(two, /name="title"[^>]* value="Begin"/);
  assert.match(two, />\n## How/);
  const { text: none } = await browser.get(`${NEW}?base=main&head=missing`);
  assert.match(none, /name="title"[^>]* value=""/);
  const { text: given } = await browser.get(`${NEW}?base=main&head=one&title=Mine&body=Own`);
  assert.match(given, /value="Mine"[\s\S]*>\nOwn<\/textarea>/);
});

it('is opened with reviewers, labels, assignees and a milestone', async () => {
  const browser = await signedIn('alice');
  const page = await browser.get(`${NEW}?base=main&head=one`);
  assert.ok(!page.text.includes('value="carol"'), 'a stranger is not a reviewer');
  const chosen = { reviewer: 'bob', label: String(label), assignee: 'bob', milestone: String(milestone) };
  const fields = { title: 'Count', body: '', base: 'main', head: 'one', ...chosen };
  const refused = await browser.submit(page, { ...fields, head: 'missing' }, NEW);
  assert.match(refused.text, /name="reviewer" value="bob" checked/);
  assert.match(refused.text, new RegExp(`name="label" value="${label}" checked`));
  const made = await browser.submit(page, fields, NEW);
  assert.equal(made.status, 303, made.text);
  const pull = await alice.must('GET', `${REPO}/pulls/1`);
  const names = (users: { login: string }[]) => users.map(({ login }) => login);
  assert.deepEqual(
    [names(pull.requested_reviewers), names(pull.assignees), pull.labels[0].name, pull.milestone.title],
    [['bob'], ['bob'], 'bug', '1.0'],
  );
});

it('has no choices of those who may not write, whatever they send', async () => {
  const carol = await signedIn('carol');
  const forked = await carol.get(`${NEW}?base=main&head=two`);
  assert.ok(!/name="(?:reviewer|label|assignee|milestone)"/.test(forked.text));
  const author = await t.user('dave');
  await author.must('POST', `${REPO}/forks`, {});
  await t.settled();
  await author.must('POST', '/repos/dave/forge/contents/d.txt', { content: 'ZA==', message: 'Add d', new_branch: 'topic' });
  const dave = await signedIn('dave');
  const page = await dave.get(`${NEW}?base=main&head=dave:topic`);
  assert.match(page.text, /name="title"[^>]* value="Add d"/);
  const sent = {
    title: 'Add d',
    body: '',
    base: 'main',
    head: 'dave:topic',
    label: String(label),
    assignee: 'bob',
    milestone: String(milestone),
  };
  const made = await dave.submit(page, sent, NEW);
  const pull = await bob.must('GET', `${REPO}/pulls/${made.location.split('/').at(-1)}`);
  assert.deepEqual([pull.labels, pull.assignees ?? [], pull.milestone], [[], [], null]);
});
