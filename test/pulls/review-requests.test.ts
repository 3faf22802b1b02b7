import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mailbox } from '../support/mailbox.ts';
import { testServer } from '../support/server.ts';
import { reviewed } from './reviewed.ts';

const box = await mailbox();
const t = await testServer({ mail: { enabled: true, host: '127.0.0.1', port: box.port, security: 'none', from: 'copse@example.com' } });
const [alice, bob, carol, dave] = [await t.user('alice'), await t.user('bob'), await t.user('carol'), await t.user('dave')];
const demo = await reviewed(t, alice, 'demo', { bob: 'write', carol: 'read' });

async function opened(by = alice) {
  const number = await demo.open(by);
  const at = `${demo.path}/pulls/${number}`;
  return { number, at, requested: `${at}/requested_reviewers`, reviews: `${at}/reviews`, branch: `topic-${number}` };
}

interface Review {
  user: { login: string } | null;
  team: { name: string } | null;
  state: string;
  official: boolean;
}
const brief = ({ user, team, state, official }: Review) => `${user?.login ?? team?.name} ${state}${official ? ' official' : ''}`;

describe('requests for a review', () => {
  it('cause a notification and a mail, and are found by the reviewer until the review', async () => {
    const { number, requested, reviews } = await opened();
    box.mails.length = 0;
    await alice.must('POST', requested, { reviewers: ['carol'] });
    await t.settled();
    assert.equal((await carol.get('/notifications')).json.length, 1);
    assert.deepEqual(
      box.mails.map(({ to }) => to),
      [['carol@example.com']],
    );
    assert.match(box.mails[0]?.text ?? '', /asked you for a review of this/);
    const found = async (query: string) =>
      (await carol.get(`/repos/issues/search?${query}`)).json.map((issue: { number: number }) => issue.number);
    assert.deepEqual([await found('review_requested=true'), await found('reviewed=true')], [[number], []]);
    await carol.must('POST', reviews, { event: 'APPROVED', body: 'Fine' });
    assert.deepEqual([await found('review_requested=true'), await found('reviewed=true')], [[], [number]]);
    await t.settled();
    assert.match(box.mails.at(-1)?.text ?? '', /approved this/);
  });

  it('find people by the addresses that these show alone', async () => {
    const { requested } = await opened();
    const byAddress = async () => (await alice.post(requested, { reviewers: ['bob@example.com'] })).status;
    await bob.must('PATCH', '/user/settings', { hide_email: true });
    assert.equal(await byAddress(), 404);
    await bob.must('PATCH', '/user/settings', { hide_email: false });
    assert.equal(await byAddress(), 201);
  });

  it('are made and taken back all or none', async () => {
    const { requested, reviews } = await opened();
    const refused = await alice.post(requested, { reviewers: ['bob', 'alice'] });
    assert.deepEqual([refused.status, refused.json.message.split(' [')[0]], [422, "poster of pr can't be reviewer"]);
    assert.deepEqual((await alice.get(reviews)).json, []);
    assert.equal((await alice.post(requested, { reviewers: Array.from({ length: 101 }, () => 'bob') })).status, 422);
    await alice.must('POST', requested, { reviewers: ['bob', 'carol'] });
    // Each takes back what is asked of themselves, nobody else may from outside.
    assert.equal((await dave.delete(requested, { reviewers: ['bob'] })).status, 422);
    assert.equal((await carol.delete(requested, { reviewers: ['carol'] })).status, 204);
    assert.deepEqual((await alice.get(reviews)).json.map(brief), ['bob REQUEST_REVIEW official']);
  });

  it('are never official where they are made to a team', async () => {
    await alice.must('POST', '/orgs', { username: 'readers' });
    await alice.must('POST', '/orgs/readers/repos', { name: 'shared', auto_init: true, default_branch: 'main' });
    await alice.must('POST', '/orgs/readers/teams', { name: 'crew', permission: 'write', units: ['repo.code', 'repo.pulls'] });
    const path = '/repos/readers/shared';
    await alice.must('PUT', `${path}/teams/crew`);
    await alice.must('POST', `${path}/branch_protections`, { rule_name: 'main', enable_push: true });
    await alice.must('POST', `${path}/contents/a.txt`, { content: '', new_branch: 'topic' });
    const { number } = await alice.must('POST', `${path}/pulls`, { title: 'P', head: 'topic', base: 'main' });
    const at = `${path}/pulls/${number}`;
    const requests = await alice.must('POST', `${at}/requested_reviewers`, { team_reviewers: ['crew'] });
    assert.deepEqual(requests.map(brief), ['crew REQUEST_REVIEW']);
  });

  it('take the word of an earlier decision until they are taken back', async () => {
    const { requested, reviews } = await opened();
    await bob.must('POST', reviews, { event: 'APPROVED' });
    await alice.must('POST', requested, { reviewers: ['bob'] });
    assert.deepEqual((await alice.get(reviews)).json.map(brief), ['bob APPROVED', 'bob REQUEST_REVIEW official']);
    await alice.must('DELETE', requested, { reviewers: ['bob'] });
    assert.deepEqual((await alice.get(reviews)).json.map(brief), ['bob APPROVED official']);
  });

  it('are not made to who has blocked the caller', async () => {
    const { requested } = await opened();
    await dave.must('PUT', '/user/blocks/alice');
    assert.deepEqual((await alice.post(requested, { reviewers: ['dave'] })).status, 403);
    await dave.must('DELETE', '/user/blocks/alice');
  });

  it('end when the one who is asked no longer sees the pull request', async () => {
    const { requested, reviews } = await opened();
    await alice.must('POST', requested, { reviewers: ['bob', 'dave'] });
    await alice.must('PATCH', demo.path, { private: true });
    await t.settled();
    assert.deepEqual((await alice.get(reviews)).json.map(brief), ['bob REQUEST_REVIEW official']);
    await alice.must('PATCH', demo.path, { private: false });
  });

  it('end with the account, and so does what it has not submitted', async () => {
    const { requested, reviews } = await opened();
    const erin = await t.user('erin');
    await alice.must('POST', requested, { reviewers: ['erin'] });
    await erin.must('POST', reviews, { body: 'Draft', comments: [{ path: 'b.txt', body: 'x', new_position: 1 }] });
    await t.admin.must('DELETE', '/admin/users/erin');
    assert.deepEqual((await t.admin.get(reviews)).json, []);
  });

  it('block a merge if the rule says so, until the review', async () => {
    await alice.must('POST', `${demo.path}/branch_protections`, { rule_name: 'main', block_on_official_review_requests: true });
    const { at, requested, reviews } = await opened();
    await alice.must('POST', requested, { reviewers: ['bob'] });
    assert.equal((await alice.post(`${at}/merge`, { do: 'merge' })).status, 405);
    await bob.must('POST', reviews, { event: 'COMMENT', body: 'Seen' });
    await t.settled();
    assert.equal((await alice.post(`${at}/merge`, { do: 'merge' })).status, 200);
    await alice.must('DELETE', `${demo.path}/branch_protections/main`);
  });
});

describe('dismissing', () => {
  it('is for administrators, of decisions about what is open, and notifies followers', async () => {
    const { at, reviews } = await opened(bob);
    const approval = await alice.must('POST', reviews, { event: 'APPROVED' });
    const comment = await alice.must('POST', reviews, { event: 'COMMENT', body: 'x' });
    assert.equal((await carol.post(`${reviews}/${approval.id}/dismissals`, {})).status, 403);
    assert.equal((await alice.post(`${reviews}/${comment.id}/dismissals`, {})).status, 403);
    await t.settled();
    box.mails.length = 0;
    assert.equal((await alice.post(`${reviews}/${approval.id}/dismissals`, { message: 'Why' })).json.dismissed, true);
    await t.settled();
    assert.match(box.mails.find(({ to }) => to.includes('bob@example.com'))?.text ?? '', /dismissed the review of alice/);
    assert.equal((await alice.post(`${reviews}/${approval.id}/undismissals`)).json.dismissed, false);
    await alice.must('PATCH', at, { state: 'closed' });
    assert.equal((await alice.post(`${reviews}/${approval.id}/dismissals`, {})).status, 403);
    // Deleting the request of somebody is taking it back.
    assert.equal((await alice.post(`${at}/requested_reviewers`, { reviewers: ['carol'] })).status, 201);
    const request = (await t.admin.get(reviews)).json.at(-1);
    assert.equal((await t.admin.delete(`${reviews}/${request.id}`)).status, 422);
  });

  it('and deleting let a merge go on that has been waiting', async () => {
    await alice.must('POST', `${demo.path}/branch_protections`, {
      rule_name: 'main',
      required_approvals: 1,
      block_on_rejected_reviews: true,
    });
    for (const last of ['undismissals', 'delete']) {
      const { at, reviews } = await opened();
      const first = await bob.must('POST', reviews, { event: 'APPROVED' });
      const second = await t.admin.must('POST', reviews, { event: 'REQUEST_CHANGES', body: 'x' });
      const planned = await alice.post(`${at}/merge`, { do: 'merge', merge_when_checks_succeed: true });
      assert.equal(planned.status, 201, planned.text);
      if (last === 'delete') await t.admin.must('DELETE', `${reviews}/${second.id}`);
      else {
        await alice.must('POST', `${reviews}/${first.id}/dismissals`, {});
        await alice.must('POST', `${reviews}/${second.id}/dismissals`, {});
        await t.settled();
        assert.equal((await alice.get(at)).json.merged, false);
        await alice.must('POST', `${reviews}/${first.id}/undismissals`);
      }
      await t.settled();
      assert.equal((await alice.get(at)).json.merged, true, last);
    }
    await alice.must('DELETE', `${demo.path}/branch_protections/main`);
  });
});
