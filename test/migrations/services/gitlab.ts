import type { FixtureCommit } from '../../git/fixture.ts';
import type { Json } from '../snapshot.ts';
import { sourceStub } from '../stub.ts';

const TIMES = { created_at: '2024-01-01T00:00:00.123Z', updated_at: '2024-01-02T00:00:00Z' };
const dora = { id: 7, username: 'dora' };
const ed = { id: 8, username: 'ed' };

/** A GitLab server below `/lab`, with the project `group/sub/r`. https://docs.gitlab.com/api/ has the shapes. */
export async function gitlabStub() {
  const commits: FixtureCommit[] = [
    { label: 'one', files: { 'a.txt': '1\n2\n3\n' } },
    { label: 'two', branch: 'topic', files: { 'a.txt': '1\ntwo\n3\n' } },
    { label: 'three', branch: 'fork', from: 'one', files: { 'b.txt': '1\n' } },
  ];
  const stub = await sourceStub('/lab/group/sub/r.git', commits, { 'refs/merge-requests/2/head': 'three' });
  const set = (path: string, json: Json) => stub.responses.set(`/lab/api/v4/projects/5${path}`, json);
  const project = { id: 5, description: 'A project', default_branch: 'main', topics: ['lab'] };
  stub.responses.set(`/lab/api/v4/projects/${encodeURIComponent('group/sub/r')}`, project);
  set('/milestones', [{ id: 1, title: 'Next', description: '', state: 'closed', due_date: '2030-01-01', ...TIMES }]);
  set('/labels', [{ id: 1, name: 'bug', color: '#DC143C', description: null }]);
  const links = [
    { id: 1, name: 'own.bin', url: `${stub.url}/own.bin`, direct_asset_url: `${stub.url}/own.bin` },
    { id: 2, name: 'other.bin', url: 'https://elsewhere.example/x' },
  ];
  stub.responses.set('/own.bin', (_: unknown, response: Json) => response.end('abc'));
  const release = { tag_name: 'v1', name: 'One', description: '# One', author: dora, commit: { id: stub.id('one') }, assets: { links } };
  set('/releases', [{ ...release, created_at: TIMES.created_at }]);
  const issue = {
    title: 'First',
    description: 'Text',
    author: dora,
    labels: ['bug'],
    milestone: { title: 'Next' },
    assignees: [],
    ...TIMES,
  };
  set('/issues', [
    { ...issue, iid: 1, state: 'opened', discussion_locked: null, due_date: '2031-01-01' },
    { ...issue, iid: 4, title: 'Second', state: 'closed', discussion_locked: true, closed_at: TIMES.updated_at },
  ]);
  set('/issues?state=all&scope=all&sort=desc&per_page=1', [{ iid: 4 }]);
  const merge = { ...issue, labels: [], target_branch: 'main', target_project_id: 5, diff_refs: { base_sha: stub.id('one') } };
  const requests = [
    { ...merge, iid: 1, title: 'Merge', state: 'merged', draft: false, source_branch: 'topic', source_project_id: 5, sha: stub.id('two') },
    { ...merge, iid: 2, title: 'Fork', state: 'opened', draft: true, source_branch: 'fork', source_project_id: 6, sha: stub.id('three') },
  ];
  set('/merge_requests', requests);
  for (const request of requests) {
    const merged = { merged_at: TIMES.updated_at, merge_commit_sha: null, squash_commit_sha: null };
    set(`/merge_requests/${request.iid}`, { ...request, ...(request.state === 'merged' && merged) });
  }
  for (const path of ['issues/1', 'issues/4', 'merge_requests/1', 'merge_requests/2'])
    for (const list of ['award_emoji', 'discussions', 'resource_state_events']) set(`/${path}/${list}`, []);
  set('/issues/1/award_emoji', [{ id: 1, name: 'thumbsup', user: ed }]);
  const note = { id: 11, type: null, body: 'Hello', author: ed, system: false, ...TIMES };
  set('/issues/1/discussions', [{ id: 'x', notes: [note, { ...note, id: 12, body: 'A reply' }] }]);
  set('/issues/4/resource_state_events', [{ id: 1, state: 'closed', user: ed, created_at: TIMES.updated_at }]);
  const position = {
    new_path: 'a.txt',
    old_path: 'a.txt',
    new_line: 2,
    old_line: null,
    head_sha: stub.id('two'),
    base_sha: stub.id('one'),
  };
  set('/merge_requests/1/discussions', [
    { id: 'y', notes: [{ ...note, id: 13, type: 'DiffNote', body: 'Why?', position }] },
    { id: 'z', notes: [{ ...note, id: 14, system: true, body: 'changed target branch from `old` to `main`' }] },
  ]);
  set('/merge_requests/1/approvals', { approved_by: [{ user: dora }], ...TIMES });
  return stub;
}
