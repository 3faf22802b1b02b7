import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { giteaStub, pageOfIssues, respond, stubIssue } from '../migrations/gitea-stub.ts';
import type { Json } from '../migrations/snapshot.ts';
import type { Stub } from '../migrations/stub.ts';
import { eventually } from '../support/eventually.ts';
import { waitUntilClean } from './kills/checks.ts';
import { KilledServer, type Kind } from './kills/server.ts';

/*
 * Kills a server in the middle of migrations, and looks whether each goes on after the next start and has everything once, whether one that
 * is killed again and again fails and can be begun again, and whether anything is left over.
 *
 *     node test/faults/migration-kills.ts [--database postgres://…]
 *
 * The database has to be empty; without one it is SQLite. It takes ten minutes: after its second kill a job waits for one.
 */

/** What a migration is doing when it is killed, such as a fetch of Git, a file that has come half, comments of the second page of issues. */
export const MOMENTS = ['git', 'topics', 'labels', 'file', 'issues', 'comments', 'pulls', 'reviews'] as const;
/** One of {@link MOMENTS}. */
export type Moment = (typeof MOMENTS)[number];

const KINDS: readonly Kind[] = ['process', 'group'];
/** Attempts after which a migration is given up. */
const ATTEMPTS = 5;
const COMMENTS = 3;
/** For the end of a migration that waits for a minute before it goes on. */
const PATIENCE_MS = 300_000;

/**
 * @param isLong whether it is the whole of it: with a migration that is given up, and what the doctor says
 * @throws AssertionError when a migration does not end as it would have without the kills
 */
export async function migrationKills(moments: readonly Moment[], database?: string, isLong = false): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'copse-migration-kills-'));
  const server = new KilledServer(folder, database, { COPSE_OUTGOING_ALLOWED_HOSTS: 'loopback' });
  const stub = await giteaStub();
  fill(stub);
  try {
    await server.start('process');
    await killAt(server, stub, 'killed', moments);
    await until(server, 'finished');
    await requireWhole(server, 'killed');
    if (isLong) await giveUp(server, stub);
    await waitUntilClean(server, performance.now());
    // The server goes on with what follows a migration, such as its search index, which it stores as well.
    await eventually(async () => (await unfinishedFiles(folder)).length === 0, 'the end of all unfinished files');
    if (isLong) await eventually(async () => (await server.command('doctor')).trim() === 'nothing is wrong', 'the end of all repairs');
  } finally {
    await server.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function unfinishedFiles(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'data', 'storage'), { recursive: true });
  return names.filter((name) => /tmp/.test(name) && !name.endsWith('tmp'));
}

/** One that ends its process each time is given up, leaves nothing, and can be begun again. */
async function giveUp(server: KilledServer, stub: Stub): Promise<void> {
  await killAt(
    server,
    stub,
    'again',
    Array.from({ length: ATTEMPTS }, () => 'comments'),
  );
  await until(server, 'failed');
  const { id, message } = await latest(server);
  assert.match(message, /interrupted too often/);
  assert.equal((await server.root.get('/repos/root/again')).status, 404);
  assert.equal((await server.root.post(`/user/migrations/${id}/retry`)).status, 202);
  await until(server, 'finished');
  await requireWhole(server, 'again');
}

/** Begins a migration, and kills the server at each of the moments. */
async function killAt(server: KilledServer, stub: Stub, name: string, moments: readonly Moment[]): Promise<void> {
  const fields = { labels: true, milestones: true, issues: true, pull_requests: true, releases: true, service: 'gitea' };
  let response: Promise<unknown> | undefined;
  for (const [index, moment] of moments.entries()) {
    const { arrived, restore } = hold(stub, moment);
    response ??= server.root.post('/repos/migrate', { ...fields, repo_name: name, clone_addr: `${stub.url}/o/r.git` }).catch(() => {});
    await arrived;
    await server.kill();
    restore();
    // A page that was held may be asked for by the next start at once.
    await server.start(KINDS[index % KINDS.length] ?? 'process');
  }
  await response;
}

/** Lets the response of a moment begin and not end. */
function hold(stub: Stub, moment: Moment): { arrived: Promise<void>; restore: () => void } {
  const path = {
    git: `/o/r.git/objects/${stub.id('one').slice(0, 2)}/${stub.id('one').slice(2)}`,
    topics: '/api/v1/repos/o/r/topics',
    labels: '/api/v1/repos/o/r/labels',
    file: '/files/a.bin',
    issues: `/api/v1/repos/o/r/${pageOfIssues(2)}`,
    comments: '/api/v1/repos/o/r/issues/52/comments',
    pulls: '/api/v1/repos/o/r/pulls',
    reviews: '/api/v1/repos/o/r/pulls/54/reviews',
  }[moment];
  const before = stub.responses.get(path);
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  stub.responses.set(path, (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write(moment === 'file' ? 'a'.repeat(1000) : ' ');
    resolve();
  });
  const restore = () => {
    if (before === undefined) stub.responses.delete(path);
    else stub.responses.set(path, before);
  };
  return { arrived, restore };
}

/** A project of 53 issues on two pages, two with comments, a pull request with a review, two releases and a file. */
function fill(stub: Stub): void {
  const user = { id: 7, login: 'dora' };
  const comments = (first: number) =>
    Array.from({ length: COMMENTS }, (_, index) => ({ id: first + index, body: `Comment ${first + index}`, user }));
  const first = Array.from({ length: 50 }, (_, index) => stubIssue(index + 1, { comments: index === 0 ? COMMENTS : 0 }));
  respond(stub, pageOfIssues(1), first);
  respond(stub, pageOfIssues(2), [stubIssue(51), stubIssue(52, { comments: COMMENTS }), stubIssue(53)]);
  for (const [number, id] of [
    [1, 1],
    [52, 11],
  ] as const) {
    respond(stub, `issues/${number}/comments`, comments(id));
    for (let one = id; one < id + COMMENTS; one++) respond(stub, `issues/comments/${one}/reactions`, null);
  }
  for (let number = 1; number <= 54; number++) respond(stub, `issues/${number}/reactions`, []);
  respond(
    stub,
    'labels',
    ['bug', 'idea'].map((name) => ({ name, color: 'ff0000' })),
  );
  respond(stub, 'milestones', [{ title: 'One', state: 'open' }]);
  const asset = { id: 1, name: 'a.bin', size: 2000, download_count: 0, browser_download_url: `${stub.url}/files/a.bin` };
  respond(stub, 'releases', [
    { id: 1, tag_name: 'v1', name: 'One', author: user, assets: [asset] },
    { id: 2, tag_name: 'v2', name: 'Two', author: user, assets: [] },
  ]);
  stub.responses.set('/files/a.bin', (_: unknown, response: Json) => response.end('a'.repeat(2000)));
  const side = { label: 'main', ref: 'main', sha: stub.id('one'), repo: { full_name: 'o/r', owner: { login: 'o' } } };
  respond(stub, 'pulls', [stubIssue(54, { head: side, base: side, state: 'closed' })]);
  respond(stub, 'pulls/54/reviews', [{ id: 1, user, state: 'COMMENT', body: 'Fine', commit_id: stub.id('one'), comments_count: 0 }]);
}

async function requireWhole({ root }: KilledServer, name: string): Promise<void> {
  const path = `/repos/root/${name}`;
  const list = (below: string) => root.must('GET', `${path}/${below}`);
  const { open_issues_count: open } = await root.must('GET', path);
  assert.equal(open, 53);
  const issues = (await Promise.all([1, 2].map((page) => list(`issues?state=all&limit=50&page=${page}`)))).flat();
  assert.deepEqual(
    issues.map(({ number }: Json) => number).sort((a: number, b: number) => a - b),
    Array.from({ length: 54 }, (_, index) => index + 1),
  );
  for (const number of [1, 52]) {
    const comments = await list(`issues/${number}/comments`);
    assert.deepEqual([comments.length, new Set(comments.map(({ body }: Json) => body)).size], [COMMENTS, COMMENTS]);
    assert.equal((await list(`issues/${number}`)).comments, COMMENTS);
  }
  assert.deepEqual((await list('labels')).map(({ name }: Json) => name).sort(), ['bug', 'idea']);
  assert.equal((await list('milestones')).length, 1);
  const releases = await list('releases?draft=true');
  assert.deepEqual(
    releases.flatMap(({ assets }: Json) => assets).map(({ size }: Json) => size),
    [2000],
  );
  assert.equal(releases.length, 2);
  assert.equal((await list('pulls/54/reviews')).length, 1);
  assert.equal((await list('branches')).length, 1);
}

async function until(server: KilledServer, status: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!['finished', 'failed'].includes((await latest(server)).status) && Date.now() < end) await sleep(50);
  const { status: found, message } = await latest(server);
  assert.equal(found, status, message);
}

const latest = async ({ root }: KilledServer) => (await root.must('GET', '/user/migrations'))[0];

if (import.meta.main) {
  const { values } = parseArgs({ options: { database: { type: 'string' } } });
  await migrationKills(['git', 'file', 'comments', 'reviews'], values.database, true);
  console.log(`${4 + ATTEMPTS} kills: each migration has everything once, and nothing is left`);
  process.exit();
}
