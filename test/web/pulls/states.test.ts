import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commit, open } from '../../pulls/open.ts';
import { testServer } from '../../support/server.ts';
import { signedIn } from './forms.ts';

const t = await testServer();
const [alice, bob, carol] = [await t.user('alice'), await t.user('bob'), await t.user('carol')];
const demo = 'alice/demo';
const repo = `/repos/${demo}`;
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
for (const name of ['bob', 'carol']) await alice.must('PUT', `${repo}/collaborators/${name}`, { permission: 'write' });
await commit(alice, demo, { path: 'shared.txt', text: 'one\n' });
const owner = await signedIn(t, 'alice');

const head = async (number: number): Promise<string> => (await alice.must('GET', `${repo}/pulls/${number}`)).head.sha;
const report = async (number: number, context: string, state: string) =>
  alice.must('POST', `${repo}/statuses/${await head(number)}`, { state, context });
const review = (who: typeof bob, number: number, event: string) =>
  who.must('POST', `${repo}/pulls/${number}/reviews`, { event, body: 'A word' });
const words = (markup: string) =>
  markup
    .replaceAll(/<[^>]*aria-label="([^"]*)"[^>]*>/g, ' [$1] ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
/** What the list of pull requests says of one. */
async function row(number: number, path = `/${demo}/pulls`): Promise<string> {
  const { text } = await owner.get(path);
  return words(/<li>[\s\S]*?<\/li>/g[Symbol.match](text)?.find((one) => one.includes(`/pulls/${number}"`)) ?? '');
}
const summary = async (number: number) =>
  words(/id="merge-summary"[\s\S]*?<\/section>/.exec((await owner.get(`/${demo}/pulls/${number}`)).text)?.[0] ?? '');

describe('how far a pull request is', () => {
  it('is said in lists: by the checks, the latest word of each reviewer, and conflicts', async () => {
    const number = await open(bob, demo, 'first', { path: 'shared.txt', text: 'two\n' });
    const plain = await open(bob, demo, 'plain');
    await alice.must('POST', `${repo}/pulls/${number}/requested_reviewers`, { reviewers: ['carol'] });
    assert.match(await row(number), /Review requested/);
    await review(carol, number, 'REQUEST_CHANGES');
    await review(alice, number, 'APPROVED');
    await report(number, 'build', 'success');
    await report(number, 'lint', 'failure');
    assert.match(await row(number), /Requested changes.*\[Some checks have failed\].*Checks/);
    await review(carol, number, 'APPROVED');
    await report(number, 'lint', 'success');
    assert.match(await row(number), /Approved.*\[All checks have passed\].*Checks/);
    assert.doesNotMatch(await row(plain), /Approved|Requested|Checks|Conflicts/);
    assert.match(await row(number, '/pulls?type=reviewed_by'), /Approved/);
    await commit(alice, demo, { path: 'shared.txt', text: 'three\n' });
    await t.settled();
    assert.match(await row(number), /Conflicts/);
    assert.doesNotMatch(await row(plain), /Conflicts/);
  });

  it('is said at the top of its page, as long as it is open', async () => {
    const number = await open(bob, demo, 'second');
    await t.settled();
    assert.match(await summary(number), /Merging Ready to merge Details/);
    await report(number, 'build', 'success');
    await report(number, 'lint', 'pending');
    await alice.must('POST', `${repo}/branch_protections`, { rule_name: 'main', required_approvals: 1 });
    assert.match(await summary(number), /1 of 2 checks passed.* 1 requirement is not met/);
    await alice.must('PATCH', `${repo}/pulls/${number}`, { title: 'WIP: second' });
    assert.match(await summary(number), /Draft/);
    await alice.must('PATCH', `${repo}/pulls/${number}`, { state: 'closed' });
    assert.equal(await summary(number), '');
    assert.doesNotMatch(await row(number, `/${demo}/pulls?state=closed`), /Checks/);
  });
});
