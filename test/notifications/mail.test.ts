import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { write } from '../actions/files.ts';
import { SimulatedRunner } from '../actions/simulated-runner.ts';
import { mailbox } from '../support/mailbox.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const box = await mailbox();
const t = await testServer({
  mail: { enabled: true, host: '127.0.0.1', port: box.port, security: 'none', from: 'Copse <copse@example.com>' },
});
const alice = await t.user('alice', { email_notifications: 'enabled' });
const bob = await t.user('bob', { email_notifications: 'onmention' });
const carol = await t.user('carol', { email_notifications: 'andyourown' });
const dave = await t.user('dave', { email_notifications: 'disabled' });
await alice.must('POST', '/user/repos', { name: 'demo' });
for (const client of [bob, carol, dave]) await client.must('PUT', '/repos/alice/demo/subscription');
const demo = '/repos/alice/demo';

/** What came since, by receiver. */
async function mails(): Promise<Record<string, string>> {
  await t.settled();
  const came = box.mails.splice(0);
  return Object.fromEntries(came.map(({ to, text }) => [(to[0] ?? '').replace('@example.com', ''), text]));
}
const header = (mail: string | undefined, name: string) =>
  new RegExp(`^${name}: (.*(?:\r?\n[ \t].*)*)`, 'mi').exec(mail ?? '')?.[1]?.trim();

describe('mails of notifications', () => {
  it('go to those who want them', async () => {
    await carol.must('POST', `${demo}/issues`, { title: 'One <b>', body: 'It **breaks**, @bob' });
    const came = await mails();
    assert.deepEqual(Object.keys(came).sort(), ['alice', 'bob', 'carol']);
    assert.match(came.alice ?? '', /carol opened this:\r?\n\r?\nIt \*\*breaks\*\*, @bob/);
    assert.match(came.alice ?? '', /<strong>breaks<\/strong>/);
    assert.equal(header(came.alice, 'Subject'), '[alice/demo] One <b> (#1)');
    assert.equal(header(came.alice, 'X-Gitea-Reason'), 'subscribed');
    assert.equal(header(came.bob, 'X-Gitea-Reason'), 'mention');
    assert.deepEqual(
      ['From', 'X-GitHub-Reason', 'X-GitHub-Recipient-Address', 'X-GitLab-Issue-IID', 'X-Auto-Response-Suppress'].map((name) =>
        header(came.bob, name),
      ),
      ['carol <copse@example.com>', 'mention', 'bob@example.com', '1', 'All'],
    );
    await alice.must('PATCH', '/user/settings', { full_name: 'Alice "A" <root@example.com>' });
    await alice.must('POST', `${demo}/issues/1/comments`, { body: 'Seen' });
    const seen = await mails();
    assert.deepEqual(Object.keys(seen), ['carol']);
    assert.match(header(seen.carol, 'From') ?? '', /^"Alice .*" <copse@example.com>$/);
    await alice.must('PATCH', '/user/settings', { full_name: '' });
  });

  it('of one issue are one conversation', async () => {
    await alice.must('POST', `${demo}/issues`, { title: 'Two' });
    const first = (await mails()).carol;
    const { id } = await alice.must('POST', `${demo}/issues/2/comments`, { body: 'More' });
    const second = (await mails()).carol;
    const thread = header(first, 'Message-ID') ?? '';
    assert.match(thread, /^<alice\/demo\/issues\/2@.+>$/);
    assert.equal(header(second, 'Message-ID'), thread.replace('@', `/comment/${id}@`));
    assert.deepEqual([header(second, 'In-Reply-To'), header(second, 'References')], [thread, thread]);
    assert.match(header(second, 'Subject') ?? '', /^Re: /);
  });

  it('are sent for releases, but for neither drafts nor prereleases', async () => {
    await carol.must('POST', '/user/repos', { name: 'released', auto_init: true });
    await alice.must('PUT', '/repos/carol/released/subscription');
    const kinds: [string, object][] = [
      ['v1', { draft: true }],
      ['v2', { prerelease: true }],
      ['v3', {}],
    ];
    for (const [tag_name, kind] of kinds) await carol.must('POST', '/repos/carol/released/releases', { tag_name, ...kind });
    const came = await mails();
    assert.deepEqual(Object.keys(came), ['alice']);
    assert.match(header(came.alice, 'Subject') ?? '', /v3/);
  });

  it('reach who is assigned, but nobody who lost access', async () => {
    await alice.must('POST', `${demo}/issues`, { title: 'Three' });
    await mails();
    await alice.must('PATCH', `${demo}/issues/3`, { assignees: ['bob'] });
    assert.match((await mails()).bob ?? '', /alice assigned you to this/);
    await alice.must('PATCH', demo, { private: true });
    await alice.must('POST', `${demo}/issues/3/comments`, { body: 'Secret, @bob @carol' });
    assert.deepEqual(await mails(), {});
    await alice.must('PATCH', demo, { private: false });
  });
});

describe('a repository that is to be taken over', () => {
  it('is announced to the user, or to those of the organization who can take it', async () => {
    await mails();
    await carol.must('POST', '/orgs', { username: 'acme' });
    await carol.must('POST', '/orgs/acme/teams', { name: 'idle', permission: 'read', units: ['repo.code'] });
    await alice.must('POST', `${demo}/transfer`, { new_owner: 'bob' });
    const came = await mails();
    assert.deepEqual(Object.keys(came), ['bob']);
    assert.equal(header(came.bob, 'Subject'), 'alice wants to transfer alice/demo to you');
    assert.match(came.bob ?? '', /\/alice\/demo/);
    await bob.must('POST', `${demo}/transfer/reject`);
    await alice.must('POST', `${demo}/transfer`, { new_owner: 'acme' });
    const told = await mails();
    assert.deepEqual(Object.keys(told), ['carol']);
    assert.equal(header(told.carol, 'Subject'), 'alice wants to transfer alice/demo to acme');
  });
});

describe('mails of pull requests', () => {
  it('are sent for commits, drafts that are ready and merges, to assignees too', async () => {
    const work = '/repos/alice/work';
    await alice.must('POST', '/user/repos', { name: 'work', auto_init: true, default_branch: 'main' });
    const erin = await t.user('erin', { email_notifications: 'enabled' });
    await alice.must('PUT', `${work}/collaborators/erin`, { permission: 'write' });
    await erin.must('DELETE', `${work}/subscription`);
    await carol.must('PUT', `${work}/subscription`);
    const write = (file: string) =>
      alice.must('POST', `${work}/contents/${file}`, { content: 'eA==', message: `Write ${file}\n\nAt length`, branch: 'topic' });
    await alice.must('POST', `${work}/branches`, { new_branch_name: 'topic' });
    await write('one.txt');
    await t.settled();
    await alice.must('POST', `${work}/pulls`, { head: 'topic', base: 'main', title: 'WIP: Work', assignees: ['erin'] });
    assert.deepEqual(Object.keys(await mails()).sort(), ['carol', 'erin']);
    await write('two.txt');
    const pushed = await mails();
    assert.deepEqual(Object.keys(pushed), ['erin'], 'watchers hear nothing of drafts');
    assert.match(pushed.erin ?? '', /alice pushed a commit to this:\r?\n\r?\n- `[0-9a-f]{10}` Write two.txt\r?\n/);
    await alice.must('PATCH', `${work}/pulls/1`, { title: 'Work' });
    const ready = await mails();
    assert.deepEqual(Object.keys(ready).sort(), ['carol', 'erin']);
    assert.match(ready.carol ?? '', /alice says that this is ready for a review/);
    assert.match(header(ready.carol, 'Message-ID') ?? '', /^<alice\/work\/pulls\/1\/ready\/\d+@/);
    assert.match(header(ready.carol, 'In-Reply-To') ?? '', /^<alice\/work\/pulls\/1@/);
    assert.match(header(ready.carol, 'List-Unsubscribe') ?? '', /\/alice\/work\/pulls\/1>$/);
    await alice.must('POST', `${work}/pulls/1/merge`, { Do: 'merge' });
    const merged = await mails();
    assert.deepEqual(Object.keys(merged).sort(), ['carol', 'erin']);
    assert.match(merged.carol ?? '', /alice merged this/);
    assert.ok(
      (await carol.must('GET', '/notifications?subject-type=pull')).some(
        ({ subject }: { subject: { title: string } }) => subject.title === 'Work',
      ),
    );
  });
});

describe('the mail of a run', () => {
  it('goes to who triggered it, by what they want', async () => {
    const content = 'on: push\njobs:\n  build:\n    runs-on: linux\n    steps:\n      - run: make\n';
    const want = (name: string, wish: string) =>
      t.context.db.updateTable('users').set({ run_mails: wish }).where('name', '=', name).execute();
    await want('bob', 'disabled');
    await want('carol', 'all');
    for (const name of ['bob', 'carol', 'dave']) await alice.must('PUT', `${demo}/collaborators/${name}`, { permission: 'write' });
    await write(alice, demo, { '.gitea/workflows/ci.yml': content });
    const runner = await SimulatedRunner.at(t, alice, demo);
    await mails();
    await runner.finish((await runner.fetch()).id, 'RESULT_FAILURE');
    const came = await mails();
    assert.deepEqual(Object.keys(came), ['alice']);
    assert.match(header(came.alice, 'Subject') ?? '', /^Run failed: ci\.yml \([0-9a-f]{10}\)$/);
    assert.match(came.alice ?? '', /All jobs have failed in alice\/demo: Change/);
    for (const [client, result, subject] of [
      [alice, 'RESULT_SUCCESS', undefined],
      [bob, 'RESULT_FAILURE', undefined],
      [carol, 'RESULT_SUCCESS', 'Run succeeded'],
      [carol, 'RESULT_CANCELLED', 'Run cancelled'],
      [dave, 'RESULT_FAILURE', 'Run failed'],
    ] as const) {
      await write(client, demo, { [`${client.name}-${result}.txt`]: 'x' });
      await mails();
      await runner.finish((await runner.fetch()).id, result);
      const came = await mails();
      assert.deepEqual(Object.keys(came), subject ? [client.name] : [], `${client.name} ${result}`);
      if (subject) assert.ok(header(came[client.name], 'Subject')?.startsWith(`${subject}: ci.yml`));
    }
  });
});
