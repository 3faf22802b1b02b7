import type { Json } from '../snapshot.ts';
import { sendJson, sourceStub } from '../stub.ts';

const API = '/api/v3/repos/o/r';
const TIMES = { created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-02T00:00:00Z' };
const dora = { id: 7, login: 'dora' };
const ed = { id: 8, login: 'ed' };

/**
 * A GitHub Enterprise server, or a GitBucket server, which has no reviews and reactions.
 * https://docs.github.com/en/rest has the shapes.
 * @param git where git finds the repository
 */
export async function githubStub(git: string) {
  const commits = [
    { label: 'one', files: { 'a.txt': '1\n2\n3\n' } },
    { label: 'two', branch: 'topic', files: { 'a.txt': '1\ntwo\n3\n' } },
  ];
  const stub = await sourceStub(git, commits, { 'refs/pull/2/head': 'two', 'refs/pull/3/head': 'two', 'refs/pull/3/merge': 'two' });
  const set = (path: string, json: Json) => stub.responses.set(`${API}${path}`, json);
  set('', { full_name: 'o/r', description: 'A project', default_branch: 'main', topics: ['one', 'Not a topic'] });
  set('/milestones', [
    { number: 1, title: 'Next', description: null, state: 'open', due_on: '2030-01-01T00:00:00Z', closed_at: null, ...TIMES },
  ]);
  const labels = [{ id: 1, name: 'bug', color: 'ee0701', description: null, default: true }];
  const limit = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4000000000' };
  set('/labels', ({ headers }: Json, response: Json) =>
    headers.authorization === 'token one' ? sendJson(response, {}, 403, limit) : sendJson(response, labels),
  );
  set('/releases', [
    {
      id: 5,
      tag_name: 'v1',
      target_commitish: 'refs/heads/main',
      name: null,
      body: '# One',
      draft: true,
      prerelease: false,
      author: dora,
      published_at: null,
      created_at: TIMES.created_at,
      assets: [{ id: 9, name: 'a.bin', size: 3, download_count: 4, browser_download_url: `${stub.url}/page/a.bin`, ...TIMES }],
    },
  ]);
  set('/releases/assets/9', (_: unknown, response: Json) => response.writeHead(302, { location: '/files/a.bin' }).end());
  stub.responses.set('/files/a.bin', (_: unknown, response: Json) => response.end('abc'));
  const milestone = { title: 'Next' };
  const reacted = { total_count: 1, '+1': 1 };
  const issue = {
    number: 1,
    user: dora,
    title: 'First',
    body: null,
    state: 'closed',
    locked: true,
    milestone,
    labels: [{ name: 'bug' }],
    ...TIMES,
  };
  const pull = { number: 2, user: null, title: 'Second', body: 'Text', state: 'open', locked: false, labels: [], ...TIMES };
  set('/issues', [
    { ...issue, assignees: [dora], comments: 1, reactions: reacted, closed_at: TIMES.updated_at },
    { ...pull, pull_request: { url: 'x' }, comments: 0 },
  ]);
  set('/issues/1/reactions', [{ id: 1, user: ed, content: '+1' }]);
  set('/issues/1/comments', [{ id: 11, user: ed, body: 'Hello', reactions: { total_count: 0 }, ...TIMES }]);
  const side = (ref: string, sha: string, full_name: string) => ({
    ref,
    sha,
    user: { login: full_name.split('/')[0] },
    repo: { full_name },
  });
  const [own, base] = [side('topic', stub.id('two'), 'o/r'), side('main', stub.id('one'), 'o/r')];
  set('/pulls', [
    { ...pull, draft: true, requested_reviewers: [dora], merged_at: null, merge_commit_sha: null, head: own, base },
    {
      ...pull,
      number: 3,
      user: ed,
      title: 'Third',
      state: 'closed',
      closed_at: TIMES.updated_at,
      merged_at: TIMES.updated_at,
      merge_commit_sha: stub.id('two'),
      head: { ...side('patch', stub.id('two'), 'ed/r'), repo: null },
      base,
    },
  ]);
  for (const number of [2, 3]) {
    set(`/issues/${number}/reactions`, []);
    set(`/issues/${number}/comments`, []);
    set(`/pulls/${number}/reviews`, []);
  }
  const submitted = { commit_id: stub.id('two'), submitted_at: TIMES.updated_at };
  set('/pulls/2/reviews', [
    { id: 21, user: ed, body: 'No', state: 'CHANGES_REQUESTED', ...submitted },
    { id: 22, user: dora, body: '', state: 'PENDING', ...submitted },
  ]);
  const hunk = '@@ -1,3 +1,3 @@\n 1\n-2\n+two';
  const place = {
    path: 'a.txt',
    line: null,
    original_line: 2,
    side: 'RIGHT',
    commit_id: stub.id('two'),
    original_commit_id: stub.id('two'),
  };
  set('/pulls/2/comments', [{ id: 31, pull_request_review_id: 21, user: ed, body: 'Why?', diff_hunk: hunk, ...place, ...TIMES }]);
  return stub;
}
