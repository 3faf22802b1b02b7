// Webhooks of a repository, an organization and an account: each type, events, filters, secrets, headers, wrong values; Git hooks.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  const org = await t.org(alice, 'org');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  for (const at of [`${repo}/hooks`, `/orgs/${org}/hooks`, '/user/hooks']) {
    const make = (fields) => alice.post(at, fields);
    const first = (await make({ type: 'gitea', config: { url: 'http://127.0.0.1:1/a', content_type: 'json', secret: 's', http_method: 'post' }, events: ['push', 'issues_only', 'pull_request'], branch_filter: 'main', authorization_header: 'Bearer x', active: true, name: 'Ä name' })).json;
    for (const type of ['gogs', 'slack', 'discord', 'dingtalk', 'telegram', 'msteams', 'feishu', 'matrix', 'wechatwork', 'packagist', 'bogus', '']) await make({ type, config: { url: 'http://127.0.0.1:1/', content_type: 'json', channel: '#general' }, events: [] });
    for (const events of [['create', 'delete', 'fork', 'push'], ['issues', 'issue_assign', 'issue_label', 'issue_milestone', 'issue_comment'], ['pull_request', 'pull_request_only', 'pull_request_assign', 'pull_request_label', 'pull_request_milestone', 'pull_request_comment', 'pull_request_review', 'pull_request_review_approved', 'pull_request_review_rejected', 'pull_request_review_comment', 'pull_request_sync', 'pull_request_review_request'], ['wiki', 'repository', 'release', 'package', 'status', 'workflow_run', 'workflow_job'], ['bogus'], ['*'], null]) {
      await alice.post(at, { type: 'gitea', config: { url: 'http://127.0.0.1:1/', content_type: 'json' }, events }, { body: ({ events, active }) => ({ events, active }) });
    }
    for (const config of [{}, { url: 'http://127.0.0.1:1/' }, { content_type: 'json' }, { url: 'no url', content_type: 'json' }, { url: 'http://127.0.0.1:1/', content_type: 'xml' }, { url: 'http://127.0.0.1:1/', content_type: 'form' }, { url: 'http://127.0.0.1:1/', content_type: 'json', http_method: 'GET' }, { url: '', content_type: 'json' }]) await alice.post(at, { type: 'gitea', config }, { body: ({ config: got, type }) => ({ got, type }) });
    await make({ type: 'gitea', config: { url: 'http://127.0.0.1:1/', content_type: 'json' }, branch_filter: '[' });
    await make({ type: 'gitea' });
    await make({});
    await make({ type: 'gitea', config: 'x' });
    const edit = (fields) => alice.patch(`${at}/${first.id}`, fields);
    await edit({});
    await edit({ active: false });
    await edit({ active: true, events: ['release'] });
    await edit({ config: { url: 'http://127.0.0.1:1/b' } });
    await edit({ config: { content_type: 'form' } });
    await edit({ config: { content_type: 'xml' } });
    await edit({ config: { url: 'no url' } });
    await edit({ branch_filter: '{main,dev}' });
    await edit({ branch_filter: '[' });
    await edit({ authorization_header: '' });
    await edit({ events: [] });
    await edit({ name: '' });
    await alice.get(`${at}/${first.id}`);
    await alice.get(`${at}?limit=2&page=2`, { body: (list) => list.length });
    await alice.get(`${at}?limit=50`, { body: (list) => list.map(({ type, active, branch_filter }) => [type, active, branch_filter]) });
    await bob.get(`${at}/${first.id}`);
    await t.anonymous.get(at);
    await alice.get(`${at}/999999999`);
    await alice.get(`${at}/x`);
    await alice.patch(`${at}/999999999`, { active: true });
    await alice.delete(`${at}/${first.id}`);
    await alice.delete(`${at}/${first.id}`);
  }
  await alice.get(`${repo}/hooks/git`);
  await t.admin.get(`${repo}/hooks/git`);
  for (const name of ['pre-receive', 'update', 'post-receive', 'nothing', 'pre-commit']) {
    await t.admin.get(`${repo}/hooks/git/${name}`);
    await t.admin.patch(`${repo}/hooks/git/${name}`, { content: '#!/bin/sh\nexit 0\n' });
    await t.admin.get(`${repo}/hooks/git/${name}`);
    await t.admin.delete(`${repo}/hooks/git/${name}`);
  }
  await t.admin.patch(`${repo}/hooks/git/update`, {});
  await bob.get(`${repo}/hooks/git/update`);
}
