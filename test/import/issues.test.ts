import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Browser } from '../support/browser.ts';
import { emptyTarget, recordedSource, SOURCE_PASSWORD } from './support.ts';

const source = await recordedSource();
// The tag v1.0 of a fork, as if a request had made it.
source.change('UPDATE `release` SET created_unix = ? WHERE id = 1', 1_800_000_000);
const VERSION =
  'INSERT INTO issue_content_history (poster_id, issue_id, comment_id, edited_unix, content_text, is_first_created, is_deleted) VALUES (?, ?, ?, ?, ?, ?, ?)';
for (const [at, text] of ['Before', 'gone', 'After'].entries())
  source.change(VERSION, 1, 1, 0, 1_700_000_000 + at, text, Number(at === 0), Number(at === 1));
for (const [at, text] of ['Nowhere', 'To be seen'].entries()) source.change(VERSION, 1, at === 0 ? 999 : 1, 999, 1_700_000_000, text, 0, 0);
const TOPIC = 'adecc1e65f46cd598ffbf889ffc0a6de68696fdc';
const VIEWED = 'INSERT INTO review_state (user_id, pull_id, commit_sha, updated_files, updated_unix) VALUES (2, 1, ?, ?, ?)';
source.change(VIEWED, TOPIC, '{"b.txt":2,"c.txt":1,"missing.txt":2}', 1_800_000_000);
source.change(VIEWED, 'e4d78313c07bf1b709d4b96f61ecf89fd6feb3d4', '{"c.txt":2}', 1_700_000_000);
for (const [name, deleted] of [
  ['gone', 1_800_000_000],
  ['-bad', 1_800_000_000],
  ['lost', 1_700_000_000],
] as const)
  source.change(
    'INSERT INTO branch (repo_id, name, commit_id, is_deleted, deleted_by_id, deleted_unix) VALUES (2, ?, ?, 1, 3, ?)',
    name,
    name === 'lost' ? 'f'.repeat(40) : TOPIC,
    deleted,
  );
// A bit for each of labels and added times of work; and what is not a number.
const HIDDEN = "INSERT INTO user_setting (user_id, setting_key, setting_value) VALUES (?, 'issue.hidden_comment_types', ?)";
source.change(HIDDEN, 3, String(2 ** 7 + 2 ** 14));
source.change(HIDDEN, 2, 'all');
const target = await emptyTarget();
let served: Awaited<ReturnType<typeof target.serve>>;
const demo = '/repos/Alice/Demo';

describe('an import of issues, pull requests and releases', () => {
  before(async () => {
    const { code, stderr } = await target.run('--config', source.config);
    assert.equal(code, 0, stderr);
    served = await target.serve();
  });

  it('keeps issues with their numbers, states and what hangs on them', async () => {
    const alice = served.as('Alice');
    const { json } = await alice.get(`${demo}/issues/1`);
    assert.deepEqual([json.number, json.title, json.state, json.user.login], [1, 'One, renamed', 'open', 'Alice']);
    assert.deepEqual([json.comments, json.pin_order, json.is_locked, json.due_date], [1, 1, false, '2030-01-02T23:59:59Z']);
    assert.deepEqual(
      json.labels.map(({ name, color }: { name: string; color: string }) => [name, color]),
      [['bug', 'ee0701']],
    );
    assert.deepEqual([json.milestone.title, json.milestone.open_issues, json.assignee.login], ['v1', 1, 'bob']);
    assert.equal((await alice.get(`${demo}/issues/2`)).json.is_locked, true);
    assert.deepEqual(
      (await alice.get(`${demo}/issues/1/dependencies`)).json.map(({ number }: { number: number }) => number),
      [2],
    );
    assert.deepEqual(
      (await alice.get(`${demo}/issues/1/times`)).json.map(({ time }: { time: number }) => time),
      [3600],
    );
    assert.deepEqual(
      (await alice.get(`${demo}/issues/1/reactions`)).json.map(({ content }: { content: string }) => content),
      ['+1'],
    );
    assert.equal((await alice.get('/user/stopwatches')).json[0].issue_index, 2);
    assert.deepEqual(
      (await alice.get('/orgs/Acme/labels')).json.map(({ name }: { name: string }) => name),
      ['shared'],
    );
  });

  it('keeps what edited texts were before, without what was deleted', async () => {
    const history = '//Alice/Demo/issues/1/content-history';
    const { text: list } = await served.as('').get(`${history}/list?comment_id=0`);
    assert.deepEqual(
      [...list.matchAll(/history_id=(\d+)/g)].map(([, id]) => id),
      ['3', '1'],
    );
    const { text: detail } = await served.as('').get(`${history}/detail?history_id=3`);
    assert.match(detail, /<td class="s">-<\/td><td class="c"><code>Before/);
    assert.match(detail, /<td class="s">\+<\/td><td class="c"><code>After/);
    assert.match(list, /\(deleted version\)/);
    assert.doesNotMatch((await served.as('').get(`${history}/detail?history_id=2`)).text, /gone/);
    assert.equal((await served.as('').get(`${history}/detail?history_id=5`)).status, 404);
  });

  it('keeps every kind of row of a timeline', async () => {
    const { json } = await served.as('Alice').get(`${demo}/issues/1/timeline?limit=50`);
    const kinds = json.map(({ type }: { type: string }) => type);
    for (const kind of [
      'comment',
      'change_title',
      'added_deadline',
      'milestone',
      'label',
      'assignees',
      'close',
      'reopen',
      'issue_ref',
      'pin',
    ])
      assert.ok(kinds.includes(kind), kind);
    assert.equal(json.find(({ type }: { type: string }) => type === 'add_time_manual').body, '1 hour');
    const { json: found } = await served.as('Alice').get('/repos/issues/search?q=renamed');
    assert.deepEqual(
      found.map(({ number }: { number: number }) => number),
      [1],
    );
    assert.equal((await served.as('').get('/repos/issues/search?q=comment')).json.length, 1);
  });

  it('keeps boards with their columns and cards', async () => {
    const page = async (path: string) => (await served.as('').get(`//${path}`)).text;
    const board = await page('Alice/Demo/projects/1');
    const columns = board.split('<section class="board-column"').slice(1);
    assert.deepEqual(
      columns.map((column) => [
        /data-column="(\d+)" aria-label="([^"]*)"/.exec(column)?.slice(1),
        /issue-title grow"[^>]*>([^<]*)/.exec(column)?.[1],
      ]),
      [
        [['1', 'Backlog'], 'Two'],
        [['2', 'Done'], 'One, renamed'],
      ],
    );
    assert.match(board, /fill="#aabbcc"/);
    assert.match(await page('Alice/-/projects?state=closed'), /Of Alice/);
  });

  it('keeps attachments with their bytes', async () => {
    const alice = served.as('Alice');
    const [asset] = (await alice.get(`${demo}/issues/1/assets`)).json;
    assert.deepEqual([asset.name, asset.size], ['log.txt', 6]);
    assert.equal((await alice.get(`//${new URL(asset.browser_download_url).pathname.slice(1)}`)).text, 'a log\n');
    const [comment] = (await alice.get(`${demo}/issues/1/comments`)).json;
    assert.equal(comment.assets[0].name, 'log.txt');
  });

  it('keeps pull requests, reviews and comments on code', async () => {
    const alice = served.as('Alice');
    const { json: pull } = await alice.get(`${demo}/pulls/3`);
    assert.deepEqual([pull.state, pull.merged, pull.head.ref, pull.base.ref, pull.changed_files], ['open', false, 'topic', 'main', 2]);
    assert.equal(pull.mergeable, true);
    const { json: merged } = await alice.get(`${demo}/pulls/4`);
    assert.deepEqual([merged.merged, merged.merged_by.login, merged.state], [true, 'Alice', 'closed']);
    assert.match(merged.merge_commit_sha, /^[0-9a-f]{40}$/);
    assert.equal((await alice.get(`${demo}/pulls/5`)).json.head.repo.full_name, 'bob/demo-fork');
    const { json: reviews } = await alice.get(`${demo}/pulls/3/reviews`);
    const brief = reviews.map(({ state, stale, comments_count }: Record<string, unknown>) => [state, stale, comments_count]);
    assert.deepEqual(brief, [
      ['REQUEST_CHANGES', true, 1],
      ['APPROVED', false, 0],
    ]);
    const [code] = (await alice.get(`${demo}/pulls/3/reviews/${reviews[0].id}/comments`)).json;
    assert.deepEqual([code.path, code.body, code.position], ['b.txt', 'Why?', 2]);
    assert.match(code.diff_hunk, /^@@ -0,0 \+1,3 @@\n\+one\n\+two/);
    assert.equal((await served.as('bob').post(`${demo}/pulls/3/merge`, { Do: 'squash' })).status, 200);
  });

  it('keeps which files were viewed, and deleted branches that git still has', async () => {
    const browser = new Browser(served.server.url);
    await browser.signIn('Alice', SOURCE_PASSWORD);
    const { text: files } = await browser.get('/Alice/Demo/pulls/3/files');
    assert.match(files, /data-viewed="1" data-files="2"/);
    assert.match(files, /is-viewed" id="[^"]*" aria-label="b.txt"/);
    assert.match(files, /Changed since you viewed it/);
    const { text: branches } = await browser.get('/Alice/Demo/branches');
    assert.deepEqual(
      [...branches.matchAll(/name="branch_id" value="\d+"><input[^>]* value="([^"]*)"/g)].map(([, name]) => name),
      ['gone'],
    );
  });

  it('keeps what people hide of timelines', async () => {
    const hidden = async (name: string) => {
      const browser = new Browser(served.server.url);
      await browser.signIn(name, SOURCE_PASSWORD);
      const { text } = await browser.get('/user/settings/appearance');
      return [...text.matchAll(/name="(\w+)" value="on" checked/g)].map(([, group]) => group);
    };
    assert.deepEqual(await hidden('bob'), ['label', 'time_tracking']);
    assert.deepEqual(await hidden('Alice'), []);
  });

  it('keeps releases with their files, and drafts', async () => {
    const { json } = await served.as('Alice').get(`${demo}/releases`);
    assert.deepEqual(json.map(({ tag_name, name, draft }: Record<string, unknown>) => [tag_name, name, draft]).sort(), [
      ['v1.0', 'One', false],
      ['v2.0', 'Two', true],
    ]);
    const [asset] = json.find(({ tag_name }: { tag_name: string }) => tag_name === 'v1.0').assets;
    assert.equal((await served.as('').get(`//${new URL(asset.browser_download_url).pathname.slice(1)}`)).text, 'binary');
  });

  it('keeps when tags were made', async () => {
    const { json } = await served.as('bob').post('/repos/bob/demo-fork/releases', { tag_name: 'v1.0' });
    assert.equal(json.created_at, '2027-01-15T08:00:00Z');
  });

  it('gives new issues the numbers and ids that come after', async () => {
    const made = await served.as('bob').post(`${demo}/issues`, { title: 'Afterwards' });
    assert.deepEqual([made.status, made.json.number], [201, 7]);
    const comment = await served.as('bob').post(`${demo}/issues/1/comments`, { body: 'Afterwards' });
    assert.equal(comment.status, 201);
    // The merge above has closed the second.
    assert.equal((await served.as('Alice').get(demo)).json.open_issues_count, 3);
  });
});
