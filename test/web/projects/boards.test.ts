import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { columnIds, idOf, newBoard, put, readBoard, send } from './boards.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('bob');
await t.user('mallory');
const HOSTILE = '<img src=x onerror=alert(1)>';
await alice.must('POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' });
await alice.must('POST', '/orgs', { username: 'acme' });
for (const isPrivate of [true, false]) {
  await alice.must('POST', '/orgs/acme/repos', { name: isPrivate ? 'hidden' : 'open', auto_init: true, private: isPrivate });
}
const issues: number[] = [];
for (const title of ['One', 'Two', 'Three']) issues.push((await alice.must('POST', '/repos/alice/forge/issues', { title })).id);
const [one = 0, two = 0, three = 0] = issues;

async function signedIn(name: string): Promise<Browser> {
  const browser = new Browser(t.url);
  await browser.signIn(name, PASSWORD);
  return browser;
}
const [browser, other, stranger] = [await signedIn('alice'), await signedIn('bob'), await signedIn('mallory')];
const anonymous = new Browser(t.url);
const REPO = '/alice/forge';
const ISSUE = `${REPO}/issues/`;

describe('boards of a repository', () => {
  it('begin with the columns of their template, and are edited, closed and deleted', async () => {
    const board = await newBoard(browser, REPO, { title: `Plan ${HOSTILE}`, content: `**why** ${HOSTILE}`, template_type: 'bug_triage' });
    assert.deepEqual(Object.keys(await readBoard(browser, board)), ['Backlog', 'Needs Triage', 'High Priority', 'Low Priority', 'Closed']);
    const page = await anonymous.get(board);
    assert.match(page.text, /<strong>why<\/strong>/);
    assert.ok(!/<img[^>]*onerror/.test(page.text + (await browser.get(`${REPO}/projects`)).text));
    const refused = await send(browser, `${board}/edit`, { title: ' ', content: 'kept' });
    assert.deepEqual([refused.status, refused.text.includes('\nkept</textarea>')], [422, true]);
    await send(browser, `${board}/edit`, { title: 'Renamed', content: '', card_type: 'images' });
    assert.match((await browser.get(`${board}/edit`)).text, /value="Renamed"[\s\S]*value="images" selected/);
    await send(browser, `${board}/change`, { do: 'close' });
    assert.ok(!(await browser.get(`${REPO}/projects`)).text.includes('Renamed'));
    assert.match((await browser.get(`${REPO}/projects?state=closed&q=rena`)).text, /Renamed/);
    await send(browser, `${board}/change`, { do: 'open' });
    assert.equal((await send(browser, `${board}/change`, { do: 'delete' })).location, `${REPO}/projects`);
    assert.equal((await browser.get(board)).status, 404);
  });

  it('have columns that are added, renamed, coloured, ordered and deleted, twenty at most', async () => {
    assert.match((await browser.get(`${REPO}/projects/new`)).text, /<option value="basic_kanban" selected>/);
    const board = await newBoard(browser, REPO, { template_type: 'none' });
    const first = /<div class="empty">[\s\S]*?<div class="board"/.exec((await browser.get(board)).text)?.[0] ?? '';
    assert.match(first, /no columns yet[\s\S]*name="do" value="add-column"/);
    const change = (fields: Record<string, string>) => send(browser, `${board}/change`, fields);
    await change({ do: 'add-column', title: `A${HOSTILE}`, colored: 'on', color: '#FF0000' });
    await change({ do: 'add-column', title: 'B' });
    assert.match((await browser.get(board)).text, /fill="#ff0000"/);
    assert.ok(!/<img[^>]*onerror/.test((await browser.get(board)).text));
    const [a = '', b = ''] = await columnIds(browser, board);
    assert.equal((await change({ do: 'edit-column', column: a, title: 'A', colored: 'on', color: 'red"' })).status, 422);
    await change({ do: 'edit-column', column: a, title: 'A' });
    await change({ do: 'move-column', column: b, position: '0' });
    assert.deepEqual(Object.keys(await readBoard(browser, board)), ['B', 'A']);
    await put(browser, `${REPO}/issues/1`, board);
    assert.deepEqual(await readBoard(browser, board), { B: [], A: ['One'] });
    assert.equal((await change({ do: 'delete-column', column: a })).status, 422);
    await change({ do: 'default-column', column: b });
    await change({ do: 'delete-column', column: a });
    assert.deepEqual(await readBoard(browser, board), { B: ['One'] });
    for (let more = 1; more < 20; more++) assert.equal((await change({ do: 'add-column', title: `${more}` })).status, 303);
    assert.equal((await change({ do: 'add-column', title: 'too many' })).status, 422);
    assert.equal((await change({ do: 'edit-column', column: '999999', title: 'x' })).status, 404);
    await change({ do: 'delete' });
    assert.ok(!(await browser.get(`${ISSUE}1`)).text.includes(board));
  });

  it('take cards that are moved by place, before and after others, and say so in timelines', async () => {
    const board = await newBoard(browser, REPO, { title: 'Moves' });
    for (const number of [1, 2, 3]) await put(browser, `${REPO}/issues/${number}`, board);
    const [backlog = '', todo = ''] = await columnIds(browser, board);
    const move = (issue: number, fields: Record<string, string>, who = browser) =>
      send(who, `${board}/change`, { do: 'move-card', issue: String(issue), column: backlog, ...fields });
    assert.deepEqual((await readBoard(browser, board)).Backlog, ['One', 'Two', 'Three']);
    await move(three, { position: '1' });
    assert.deepEqual((await readBoard(browser, board)).Backlog, ['Three', 'One', 'Two']);
    await move(three, { after: String(one) });
    assert.deepEqual((await readBoard(browser, board)).Backlog, ['One', 'Three', 'Two']);
    await move(two, { before: String(one) });
    assert.deepEqual((await readBoard(browser, board)).Backlog, ['Two', 'One', 'Three']);
    await move(two, { column: todo });
    await move(one, { column: todo, position: '1' });
    assert.deepEqual(await readBoard(browser, board), { Backlog: ['Three'], 'To Do': ['One', 'Two'], 'In Progress': [], Done: [] });
    const events = await alice.must('GET', '/repos/alice/forge/issues/1/timeline');
    const shown = events.filter(({ type }: { type: string }) => type.startsWith('project')).slice(-2);
    assert.deepEqual(
      shown.map(({ type, project_id: id, old_project_id: before }: Record<string, unknown>) => [type, id, before]),
      [
        ['project', Number(idOf(board)), 0],
        ['project_board', Number(idOf(board)), 0],
      ],
    );
    assert.match((await anonymous.get(`${ISSUE}1`)).text, /moved this to <strong>To Do<\/strong> in the project <a[^>]*>Moves/);
    assert.equal((await move(one, { position: '0' })).status, 422);
    assert.equal((await move(one, { column: '999999' })).status, 404);
    assert.equal((await move(one, {}, stranger)).status, 403);
    assert.equal((await send(browser, `${ISSUE}1`, { do: 'project-column', column: backlog })).status, 303);
    assert.deepEqual((await readBoard(browser, board)).Backlog, ['Three', 'One']);
  });

  it('have each card once, when two people move it at the same time', async () => {
    await alice.must('PUT', '/repos/alice/forge/collaborators/bob', { permission: 'write' });
    const board = await newBoard(browser, REPO, { title: 'Race' });
    for (const number of [1, 2, 3]) await put(browser, `${REPO}/issues/${number}`, board);
    const ids = await columnIds(browser, board);
    const moves = [browser, other, browser, other].map((who, index) =>
      send(who, `${board}/change`, { do: 'move-card', issue: String(one), column: ids[index] ?? '', before: String(two) }),
    );
    for (const { status } of await Promise.all(moves)) assert.equal(status, 303);
    const cards = Object.values(await readBoard(browser, board)).flat();
    assert.deepEqual(cards.toSorted(), ['One', 'Three', 'Two']);
  });

  it('narrow the list of issues, and are set for several at once and for a new one', async () => {
    const board = await newBoard(browser, REPO, { title: 'Narrow' });
    const token = /name="_token" value="([^"]+)"/.exec((await browser.get('/user/settings')).text)?.[1] ?? '';
    assert.equal(
      (await browser.send('POST', `${REPO}/issues`, { fields: { _token: token, issue: '2', project: idOf(board) } })).status,
      303,
    );
    const list = (await anonymous.get(`${REPO}/issues?project=${idOf(board)}`)).text;
    assert.deepEqual([list.includes('>Two<'), list.includes('>Three<')], [true, false]);
    const without = (await anonymous.get(`${REPO}/issues?project=-1`)).text;
    assert.ok(!without.includes('>Two<'));
    const made = await send(browser, `${REPO}/issues/new`, { title: 'Four', body: '', project: idOf(board) });
    assert.deepEqual((await readBoard(browser, board)).Backlog, ['Two', 'Four']);
    assert.match((await browser.get(made.location)).text, /added this to the project/);
    await alice.must('DELETE', `/repos/alice/forge/issues/${made.location.split('/').at(-1)}`);
    assert.deepEqual((await readBoard(browser, board)).Backlog, ['Two']);
    assert.match((await browser.get(`${board}?q=two`)).text, />Two</);
    assert.deepEqual((await readBoard(browser, `${board}?q=three`)).Backlog, []);
  });

  it('show the first cards of long columns, and the rest on a page of the column', async () => {
    await alice.must('POST', '/user/repos', { name: 'many', auto_init: true });
    const board = await newBoard(browser, '/alice/many');
    for (let number = 1; number <= 32; number++) {
      await alice.must('POST', '/repos/alice/many/issues', { title: `Nr ${number}` });
      await put(browser, `/alice/many/issues/${number}`, board);
    }
    const page = await browser.get(board);
    assert.match(page.text, /Show 2 more cards/);
    assert.equal((await readBoard(browser, board)).Backlog?.length, 30);
    const [backlog] = await columnIds(browser, board);
    assert.equal((await readBoard(browser, `${board}?column=${backlog}`)).Backlog?.length, 32);
  });
});

describe('access to boards', () => {
  it('of a repository is that of its unit', async () => {
    const board = await newBoard(browser, REPO);
    assert.equal((await anonymous.get(board)).status, 200);
    assert.equal((await send(stranger, `${REPO}/projects/new`, { title: 'x' })).status, 403);
    assert.equal((await stranger.get(`${board}/edit`)).status, 403);
    assert.match((await anonymous.get(`${board}/edit`)).location, /login/);
    assert.equal((await browser.get(`/alice/-/projects/${idOf(board)}`)).status, 404);
    assert.equal((await browser.get(`${REPO}/projects/99999999999999999999`)).status, 404);
    await alice.must('PATCH', '/repos/alice/forge', { has_projects: true, projects_mode: 'owner' });
    assert.equal((await browser.get(board)).status, 404);
    assert.equal((await put(browser, `${REPO}/issues/1`, board)).status, 404);
    await alice.must('PATCH', '/repos/alice/forge', { has_projects: false });
    assert.equal((await browser.get(`${REPO}/projects`)).status, 404);
    await alice.must('PATCH', '/repos/alice/forge', { has_projects: true, projects_mode: 'all' });
  });

  it('of accounts is for their owners to write; issues come from their repositories alone', async () => {
    const board = await newBoard(browser, '/alice/-');
    assert.equal((await anonymous.get(board)).status, 200);
    assert.equal((await send(stranger, '/alice/-/projects/new', { title: 'x' })).status, 403);
    assert.equal((await put(browser, `${REPO}/issues/1`, board)).status, 303);
    assert.match((await browser.get(board)).text, /alice\/forge#1/);
    assert.equal((await put(browser, `/acme/open/issues/1`, board)).status, 404);
  });

  it('of organizations follows the teams; what a reader may not see is neither shown nor counted', async () => {
    for (const repo of ['hidden', 'open']) await alice.must('POST', `/repos/acme/${repo}/issues`, { title: `Of ${repo}` });
    const board = await newBoard(browser, '/acme/-', { title: 'Ours' });
    for (const repo of ['hidden', 'open']) assert.equal((await put(browser, `/acme/${repo}/issues/1`, board)).status, 303);
    assert.deepEqual((await readBoard(browser, board)).Backlog, ['Of hidden', 'Of open']);
    for (const who of [anonymous, stranger]) {
      assert.deepEqual((await readBoard(who, board)).Backlog, ['Of open']);
      assert.match((await who.get(board)).text, /aria-label="1 card"/);
      assert.match((await who.get('/acme/-/projects')).text, /<span>1 open<\/span>/);
    }
    const hidden = (await alice.must('GET', '/repos/acme/hidden/issues/1')).id;
    const [backlog = ''] = await columnIds(browser, board);
    const team = await alice.must('POST', '/orgs/acme/teams', {
      name: 'boards',
      units_map: { 'repo.projects': 'write' },
      permission: 'read',
    });
    assert.equal((await send(other, `${board}/change`, { do: 'close' })).status, 403);
    await alice.must('PUT', `/teams/${team.id}/members/bob`);
    const move = await send(other, `${board}/change`, { do: 'move-card', issue: String(hidden), column: backlog });
    assert.deepEqual([move.status, (await readBoard(other, board)).Backlog], [404, ['Of open']]);
    assert.equal((await send(other, `${board}/change`, { do: 'edit-column', column: backlog, title: 'First' })).status, 303);
    await alice.must('PATCH', '/orgs/acme', { visibility: 'private' });
    for (const who of [anonymous, stranger]) assert.equal((await who.get(board)).status, 404);
    await alice.must('PATCH', '/orgs/acme', { visibility: 'public' });
  });

  it('stays with the owner when a repository is transferred, and boards go with their repository', async () => {
    const ours = await newBoard(browser, '/acme/-', { title: 'Left' });
    const own = await newBoard(browser, '/acme/open', { title: 'Taken along' });
    await alice.must('POST', '/repos/acme/open/issues', { title: 'Second' });
    await put(browser, `/acme/open/issues/1`, ours);
    await put(browser, `/acme/open/issues/2`, own);
    await alice.must('POST', '/repos/acme/open/transfer', { new_owner: 'alice' });
    assert.deepEqual((await readBoard(browser, ours)).Backlog, []);
    assert.deepEqual((await readBoard(browser, `/alice/open/projects/${idOf(own)}`)).Backlog, ['Second']);
    await alice.must('DELETE', '/repos/alice/open');
    await t.settled();
    assert.equal(
      await t.context.db
        .selectFrom('projects')
        .select('id')
        .where('id', '=', Number(idOf(own)))
        .executeTakeFirst(),
      undefined,
    );
  });
});
