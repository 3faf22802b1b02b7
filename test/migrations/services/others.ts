import type { Json } from '../snapshot.ts';
import { type Stub, sendJson, sourceStub } from '../stub.ts';

const COMMITS = [
  { label: 'one', files: { 'a.txt': '1\n2\n' } },
  { label: 'two', branch: 'topic', files: { 'a.txt': '1\ntwo\n' } },
];

/** A Gogs server. https://github.com/gogs/docs-api has the shapes. */
export async function gogsStub(): Promise<Stub> {
  const stub = await sourceStub('/o/r.git', COMMITS);
  const set = (path: string, json: Json) => stub.responses.set(`/api/v1/repos/o/r${path}`, json);
  const dora = { id: 7, username: 'dora', login: 'dora' };
  const times = { created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-02T00:00:00Z' };
  set('', { description: 'A project', default_branch: 'main' });
  set('/milestones', [{ id: 1, title: 'Next', description: '', state: 'open', closed_at: null, due_on: null }]);
  set('/labels', [{ id: 1, name: 'bug', color: 'ee0701' }]);
  const issue = {
    user: dora,
    title: 'First',
    body: 'Text',
    labels: [{ name: 'bug' }],
    milestone: { title: 'Next' },
    pull_request: null,
    ...times,
  };
  set('/issues', []);
  set('/issues?state=open&page=1', [
    { ...issue, number: 1, state: 'open', comments: 2 },
    { ...issue, number: 3, state: 'open', comments: 0, pull_request: { merged: false } },
  ]);
  set('/issues?state=closed&page=1', [{ ...issue, number: 2, title: 'Second', state: 'closed', comments: 0 }]);
  set('/issues/1/comments', [
    { id: 1, user: dora, body: 'Hello', ...times },
    { id: 2, user: dora, body: '', ...times },
  ]);
  return stub;
}

/** A OneDev server. https://code.onedev.io/~help/api has the shapes. */
export async function onedevStub(): Promise<Stub> {
  const stub = await sourceStub('/team/r', COMMITS, { 'refs/pulls/1/head': 'two' });
  const set = (path: string, json: Json) => stub.responses.set(`/~api/${path}`, json);
  set('projects', [{ id: 5, name: 'r', path: 'team/r', description: 'A project' }]);
  set('projects/5/iterations', [{ id: 3, name: 'Next', description: null, dueDay: 21915, closed: false }]);
  set('users/7', { id: 7, name: 'dora' });
  const issue = { id: 41, number: 1, title: 'First', description: 'Text', submitterId: 7, submitDate: '2024-01-01T00:00:00Z' };
  set('issues', [
    { ...issue, state: 'Open', fields: [{ name: 'Type', value: 'Bug' }] },
    { ...issue, id: 42, number: 2, title: 'Second', state: 'Released', submitterId: 9, fields: [] },
  ]);
  const last = new URLSearchParams({ query: '"Project" is "team/r" order by "Number" desc', offset: '0', count: '1' });
  set(`issues?${last}`, [{ number: 2 }]);
  set('issues/41/iterations', [{ id: 3 }]);
  set('issues/41/comments', [{ id: 1, date: '2024-01-02T00:00:00Z', userId: 7, content: 'Hello' }]);
  set('issues/41/changes', [{ id: 1, date: '2024-01-03T00:00:00Z', userId: 7, data: { comment: 'Because' } }]);
  const pull = { ...issue, id: 51, title: 'Merge', targetBranch: 'main', sourceBranch: 'topic', baseCommitHash: stub.id('one') };
  set('pulls', [{ ...pull, status: 'MERGED', closeDate: '2024-01-05T00:00:00Z' }]);
  set('pulls/51/merge-preview', { headCommitHash: stub.id('two'), mergeCommitHash: stub.id('two') });
  set('pulls/51/reviews', [{ id: 1, userId: 7, status: 'APPROVED' }]);
  return stub;
}

/** Codebase. https://support.codebasehq.com/kb has the shapes. */
export async function codebaseStub(): Promise<Stub> {
  const stub = await sourceStub('/project/r.git', COMMITS);
  const set = (path: string, xml: string) =>
    stub.responses.set(path, (_: unknown, response: Json) => response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`));
  const number = (name: string, value: number) => `<${name} type="integer">${value}</${name}>`;
  const time = (name: string) => `<${name} type="datetime">2024-01-01T00:00:00Z</${name}>`;
  const note = (id: number, content: string) =>
    `<ticket-note>${number('id', id)}${number('user-id', 7)}<content>${content}</content>${time('created-at')}${time('updated-at')}</ticket-note>`;
  set('/project/r', '<repository><name>r</name><description>A &amp; B</description></repository>');
  set('/users', `<users type="array"><user>${number('id', 7)}<username>dora</username></user></users>`);
  set(
    '/project/milestones',
    `<ticketing-milestone type="array"><ticketing-milestone>${number('id', 1)}<name>Next</name><deadline type="date">2030-01-01</deadline><status>active</status></ticketing-milestone></ticketing-milestone>`,
  );
  set(
    '/project/tickets/types',
    `<ticketing-types type="array"><ticketing-type>${number('id', 1)}<name>Bug</name></ticketing-type></ticketing-types>`,
  );
  const ticket = `<ticket>${number('ticket-id', 3)}<summary>First</summary>${number('reporter-id', 7)}<type><name>Bug</name></type><status><treat-as-closed type="boolean">true</treat-as-closed></status><milestone><name>Next</name></milestone>${time('updated-at')}${time('created-at')}</ticket>`;
  set('/project/tickets?page=1', `<tickets type="array">${ticket}</tickets>`);
  set('/project/tickets', '<tickets type="array"/>');
  set('/project/tickets/3/notes', `<ticket-notes type="array">${note(1, 'Text')}${note(2, '')}${note(3, 'Hello')}</ticket-notes>`);
  set('/project/r/merge_requests', `<merge-requests type="array"><merge-request>${number('id', 11)}</merge-request></merge-requests>`);
  const comment = `<comment><content/>${number('id', 1)}${number('user-id', 7)}<action>merging</action>${time('created-at')}</comment>`;
  set(
    '/project/r/merge_requests/11',
    `<merge-request>${number('id', 11)}<source-ref>topic</source-ref><target-ref>main</target-ref><subject>Merge</subject><status>merged</status>${number('user-id', 8)}${time('created-at')}${time('updated-at')}<comments type="array">${comment}</comments></merge-request>`,
  );
  set('/project/r/commits/topic', `<commits type="array"><commit><ref>${stub.id('two')}</ref></commit></commits>`);
  return stub;
}

/** AWS CodeCommit. https://docs.aws.amazon.com/codecommit/latest/APIReference/ has the shapes. */
export async function codecommitStub(): Promise<Stub> {
  const stub = await sourceStub('/v1/repos/r', COMMITS);
  const comment = { commentId: 'c', authorArn: 'arn:aws:iam::1:user/ed', creationDate: 1_704_100_000.5, lastModifiedDate: 1_704_100_000 };
  const target = {
    sourceReference: 'refs/heads/topic',
    destinationReference: 'refs/heads/main',
    sourceCommit: stub.id('two'),
    destinationCommit: stub.id('one'),
    mergeBase: stub.id('one'),
    mergeMetadata: { isMerged: false },
  };
  const pull = {
    pullRequestId: '17',
    title: 'Merge',
    authorArn: 'arn:aws:iam::1:user/dora',
    creationDate: 1_704_000_000,
    lastActivityDate: 1_704_200_000.25,
  };
  const location = { filePath: 'a.txt', filePosition: 2, relativeFileVersion: 'AFTER' };
  const answers: Record<string, Json> = {
    GetRepository: { repositoryMetadata: { repositoryName: 'r', repositoryDescription: 'A project', defaultBranch: 'main' } },
    ListPullRequests: { pullRequestIds: ['17', '../1'] },
    GetPullRequest: { pullRequest: { ...pull, pullRequestStatus: 'OPEN', pullRequestTargets: [target] } },
    GetCommentsForPullRequest: {
      commentsForPullRequestData: [
        { comments: [{ ...comment, content: 'Hello' }] },
        { afterCommitId: stub.id('two'), location, comments: [{ ...comment, content: 'Why?' }] },
      ],
    },
  };
  stub.responses.set('/', (request: Json, response: Json) => {
    const action = String(request.headers['x-amz-target']).replace('CodeCommit_20150413.', '');
    sendJson(response, answers[action] ?? {}, answers[action] ? 200 : 400);
  });
  return stub;
}
