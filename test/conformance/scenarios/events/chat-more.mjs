import { hookTo } from './_deliveries.mjs';
import { chatted } from './_chat.mjs';

// What chat services are told of pull requests, reviews, releases, packages and statuses.
export default async function (t) {
  const [owner, other] = [await t.user('owner', { full_name: 'Olga Owner' }), await t.user('other')];
  const name = `${owner.name}/demo`;
  const repo = `/repos/${name}`;
  await owner.repo('demo');
  await owner.must('PUT', `${repo}/collaborators/${other.name}`, { permission: 'write' });
  const label = await owner.must('POST', `${repo}/labels`, { name: 'bug', color: '#ff0000' });
  const milestone = await owner.must('POST', `${repo}/milestones`, { title: 'v1' });
  await other.must('POST', `${repo}/issues`, { title: 'Broken & <bent>' });
  const { sha } = await other.push(name, { branch: 'topic', from: 'main', files: { 'b.txt': 'b\n' } });
  const kinds = ['assign', 'label', 'milestone', 'comment', 'review_approved', 'review_rejected', 'review_comment', 'review_request'];
  const events = ['issue_assign', 'issue_label', 'issue_milestone', 'release', 'package', 'status', 'pull_request', ...kinds.map((kind) => `pull_request_${kind}`)];
  const types = ['slack', 'msteams', 'telegram', 'dingtalk', 'feishu', 'wechatwork'];
  const hooks = {};
  for (const type of types) {
    const slack = type === 'slack' ? { channel: '#general', username: 'bot' } : {};
    hooks[type] = await hookTo(t, owner, `${repo}/hooks`, { type, events, config: slack });
  }
  const told = async (what, act) => {
    await act();
    for (const type of types) t.record(`${type}: ${what}`, chatted(await hooks[type].next(), sha));
  };

  await told('label', () => owner.must('POST', `${repo}/issues/1/labels`, { labels: [label.id] }));
  await told('no label', () => owner.must('DELETE', `${repo}/issues/1/labels/${label.id}`));
  await told('milestone', () => owner.must('PATCH', `${repo}/issues/1`, { milestone: milestone.id }));
  await told('assignee', () => owner.must('PATCH', `${repo}/issues/1`, { assignees: [other.name] }));
  await told('pull request', () => other.must('POST', `${repo}/pulls`, { head: 'topic', base: 'main', title: 'Change <it>', body: 'Some *text*' }));
  await told('pull request edited', () => other.must('PATCH', `${repo}/pulls/2`, { title: 'Change it' }));
  await told('pull request labelled', () => owner.must('POST', `${repo}/issues/2/labels`, { labels: [label.id] }));
  await told('review wanted', () => other.must('POST', `${repo}/pulls/2/requested_reviewers`, { reviewers: [owner.name] }));
  await told('comment', () => other.must('POST', `${repo}/issues/2/comments`, { body: 'Please & thanks' }));
  await told('rejected', () => owner.must('POST', `${repo}/pulls/2/reviews`, { event: 'REQUEST_CHANGES', body: 'No <no>' }));
  await told('approved', () => owner.must('POST', `${repo}/pulls/2/reviews`, { event: 'APPROVED', body: 'Yes' }));
  await told('closed', () => owner.must('PATCH', `${repo}/pulls/2`, { state: 'closed' }));
  await told('reopened', () => owner.must('PATCH', `${repo}/pulls/2`, { state: 'open' }));
  await told('status', () => owner.must('POST', `${repo}/statuses/${sha}`, { state: 'failure', context: 'ci/test', description: 'It failed', target_url: 'http://example.com/1' }));
  await told('release', () => owner.must('POST', `${repo}/releases`, { tag_name: 'v1', name: 'One', body: 'Notes & more' }));
  await owner.send('PUT', `//api/packages/${owner.name}/generic/tool/1.0/a.bin`, { raw: 'x' });
  await owner.must('POST', `/packages/${owner.name}/generic/tool/-/link/demo`);
  await told('package', () => owner.send('PUT', `//api/packages/${owner.name}/generic/tool/2.0/a.bin`, { raw: 'x' }));
}
