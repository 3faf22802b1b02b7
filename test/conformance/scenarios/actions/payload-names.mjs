// Workflows that name events as payloads of webhooks do, and those of packages.
const JOB = 'jobs:\n  a:\n    runs-on: nobody\n    steps:\n      - run: echo\n';

export default async function (t) {
  const owner = await t.user('owner');
  const name = `${owner.name}/demo`;
  const repo = `/repos/${name}`;
  await owner.repo('demo');
  const on = {
    package: 'package:',
    'package-published': 'package:\n    types: [published]',
    'registry-package': 'registry_package:',
    'registry-package-deleted': 'registry_package:\n    types: [deleted]',
    'registry-package-updated': 'registry_package:\n    types: [updated]',
    label: 'issue_label:',
    'label-types': 'issue_label:\n    types: [unlabeled]',
    assign: 'issue_assign:',
    milestone: 'issue_milestone:',
    wiki: 'wiki:',
    sync: 'pull_request_sync:',
    'sync-paths': "pull_request_sync:\n    paths: ['none']",
    'pull-label': 'pull_request_label:',
    'pull-label-types': 'pull_request_label:\n    types: [labeled]',
    'pull-comment': 'pull_request_comment:',
    repository: 'repository:',
    status: 'status:',
  };
  const files = Object.fromEntries(Object.entries(on).map(([file, text]) => [`.gitea/workflows/${file}.yml`, `on:\n  ${text}\n${JOB}`]));
  let seen = 0;
  const runs = async () => (await owner.send('GET', `${repo}/actions/runs?limit=50`)).json?.workflow_runs ?? [];
  await owner.push(name, { files, message: 'Add workflows' });
  /** What an event starts, of which there are so many. */
  const step = async (title, method, path, body, count = 1) => {
    const answer = await owner.send(method, path, path.startsWith('//') ? { raw: 'x' } : { json: body });
    const all = await t.eventually(runs, (list) => list.length >= seen + count);
    const fresh = all.slice(0, all.length - seen);
    seen = all.length;
    t.record(title, { status: answer.status, runs: fresh.map((run) => `${run.path} ${run.event} ${run.head_branch || '-'}: ${run.display_title}`).sort() });
    return answer.json;
  };
  const packages = `/packages/${owner.name}/generic/tool`;
  await step('package of no repository', 'PUT', `//api/packages/${owner.name}/generic/tool/1.0/file`, undefined, 0);
  await owner.must('POST', `${packages}/-/link/demo`);
  await step('package published', 'PUT', `//api/packages/${owner.name}/generic/tool/1.1/file`, undefined, 3);
  await step('another file of it', 'PUT', `//api/packages/${owner.name}/generic/tool/1.1/second`, undefined, 0);
  await step('package deleted', 'DELETE', `${packages}/1.1`, undefined, 3);
  const label = await owner.must('POST', `${repo}/labels`, { name: 'bug', color: '#ff0000' });
  const milestone = await owner.must('POST', `${repo}/milestones`, { title: 'one' });
  await step('issue opened', 'POST', `${repo}/issues`, { title: 'Broken' }, 0);
  await step('label added', 'POST', `${repo}/issues/1/labels`, { labels: [label.id] });
  await step('label removed', 'DELETE', `${repo}/issues/1/labels/${label.id}`, undefined, 2);
  await step('assigned', 'PATCH', `${repo}/issues/1`, { assignees: [owner.name] });
  await step('milestone set', 'PATCH', `${repo}/issues/1`, { milestone: milestone.id });
  await step('wiki page created', 'POST', `${repo}/wiki/new`, { title: 'Home', content_base64: Buffer.from('hi').toString('base64') });
  const { content } = await owner.must('POST', `${repo}/contents/a.txt`, { content: Buffer.from('a').toString('base64'), new_branch: 'topic', message: 'Add a' });
  await step('pull request opened', 'POST', `${repo}/pulls`, { title: 'Add a', head: 'topic', base: 'main' }, 0);
  await step('pull request labeled', 'POST', `${repo}/issues/2/labels`, { labels: [label.id] });
  await step('pull request commented', 'POST', `${repo}/issues/2/comments`, { body: 'Fine.' });
  await step('pull request changed', 'PUT', `${repo}/contents/a.txt`, { content: Buffer.from('b').toString('base64'), sha: content.sha, branch: 'topic', message: 'Change a' });
  const { head } = await owner.must('GET', `${repo}/pulls/2`);
  await owner.get(`${repo}/commits/${head.sha}/statuses`, { label: 'statuses of the pull request', body: (json) => json.map(({ context, status }) => `${context} ${status}`).sort() });
}
