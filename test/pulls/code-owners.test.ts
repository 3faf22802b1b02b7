import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matchingRules } from '../../src/pulls/code-owners/match.ts';
import { parseCodeOwners } from '../../src/pulls/code-owners/parse.ts';
import { processorTime } from '../support/processor-time.ts';
import { testServer } from '../support/server.ts';
import { reviewed } from './reviewed.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const [alice, bob, dave] = [await t.user('alice'), await t.user('bob'), await t.user('dave')];
await t.user('carol');

const matching = async (text: string, ...files: string[]) =>
  (await matchingRules(parseCodeOwners(text), files)).map(({ pattern }) => pattern);

describe('a file of code owners', () => {
  it('has a rule in each line', () => {
    const text = ['# nothing', '', 'alone', '/src/.*\\\\.ts\t@one  org/team # why', '!with\\ space x', 'a\\#b @c#d'].join('\n');
    assert.deepEqual(parseCodeOwners(text), [
      { pattern: 'src/.*\\.ts', isNegative: false, owners: ['one', 'org/team'] },
      { pattern: 'with space', isNegative: true, owners: ['x'] },
      { pattern: 'a#b', isNegative: false, owners: ['c'] },
    ]);
  });

  it('matches whole paths, or all but those', async () => {
    assert.deepEqual(await matching('src/.* a\nrc/.* b\n!src/.* c', 'src/x'), ['src/.*']);
    assert.deepEqual(await matching('!src/.* c', 'src/x', 'y'), ['src/.*']);
    assert.deepEqual(await matching('(?i)README.* a\nreadme.* b\n(?!docs/).*md c\n[ d', 'Readme.md'), ['(?i)README.*', '(?!docs/).*md']);
    assert.deepEqual(await matching('.* a'), []);
    assert.deepEqual(await matching('* a\n*.md b\n*.ts c\n!*.ts d\n** e\n(?i)*.md f\nx/*.md g\n?x.* h', 'x/Read.md'), [
      '*',
      '*.md',
      '*.ts',
      '?x.*',
    ]);
  });

  it('with expressions that take for ever costs little, and the other rules still count', async () => {
    const evil = '(a+)+b x';
    const time = await processorTime(async () => {
      assert.deepEqual(await matching(`${Array(5).fill(evil).join('\n')}\na* y`, 'a'.repeat(40)), ['a*']);
      assert.deepEqual(await matching(Array(2000).fill(evil).join('\n'), 'a'.repeat(40)), []);
    });
    assert.ok(time < 4000, `${time} ms`);
  });
});

describe('code owners', () => {
  it('are asked for what a pull request changes, once, and only those who may read it', async () => {
    const demo = await reviewed(t, alice, 'demo', { bob: 'write', carol: 'read' });
    await alice.must('PATCH', demo.path, { private: true });
    await demo.commit(alice, 'main', '.gitea/CODEOWNERS', 'a.* @bob @dave @alice\nlate.* @carol\n');
    const number = await demo.open(alice);
    const at = `${demo.path}/pulls/${number}`;
    await t.settled();
    const asked = async () => (await alice.get(at)).json.requested_reviewers.map(({ login }: { login: string }) => login);
    assert.deepEqual(await asked(), ['bob']);
    assert.equal((await dave.get('/notifications')).json.length, 0);
    await bob.must('POST', `${at}/reviews`, { event: 'COMMENT', body: 'Seen' });
    await demo.commit(alice, `topic-${number}`, 'late.txt', 'x');
    assert.deepEqual(await asked(), ['bob', 'carol']);
    const { json } = await alice.get(`${at}/reviews`);
    assert.deepEqual(
      json.map(({ user, state }: { user: { login: string }; state: string }) => `${user.login} ${state}`),
      ['bob COMMENT', 'carol REQUEST_REVIEW'],
    );
  });

  it('are not asked about drafts, until these are ready by whatever way', async () => {
    const demo = await reviewed(t, bob, 'drafts', { carol: 'read' });
    await demo.commit(bob, 'main', 'docs/CODEOWNERS', 'a.* @carol\n');
    const number = await demo.open(bob, { title: 'WIP: draft' });
    await t.settled();
    assert.deepEqual((await bob.get(`${demo.path}/pulls/${number}/reviews`)).json, []);
    await bob.must('PATCH', `${demo.path}/issues/${number}`, { title: 'Ready' });
    await t.settled();
    assert.equal((await bob.get(`${demo.path}/pulls/${number}/reviews`)).json.length, 1);
  });
});
