import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { columnIds, newBoard, put, readBoard, send } from './boards.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('mallory');
const HOSTILE = '<img src=x onerror=alert(1)>';
const REPO = '/alice/forge';
await alice.must('POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' });
const [browser, stranger, anonymous] = [new Browser(t.url), new Browser(t.url), new Browser(t.url)];
await browser.signIn('alice', PASSWORD);
await stranger.signIn('mallory', PASSWORD);

describe('the filter of a board', () => {
  it('shows the cards with a label, a milestone or an assignee, and keeps the choice', async () => {
    const board = await newBoard(browser, REPO, { title: 'Filtered' });
    for (const [at, title] of ['One', 'Two', 'Three'].entries()) {
      await alice.must('POST', '/repos/alice/forge/issues', { title });
      await put(browser, `${REPO}/issues/${at + 1}`, board);
    }
    const { id: label } = await alice.must('POST', '/repos/alice/forge/labels', { name: `bug ${HOSTILE}`, color: '#ff0000' });
    const { id: milestone } = await alice.must('POST', '/repos/alice/forge/milestones', { title: `v1 ${HOSTILE}` });
    await alice.must('PATCH', '/repos/alice/forge/issues/1', { milestone, assignees: ['alice'] });
    await alice.must('POST', '/repos/alice/forge/issues/2/labels', { labels: [label] });
    const cards = async (query: string, who = anonymous) => Object.values(await readBoard(who, board + query)).flat();
    assert.deepEqual(await cards(`?labels=${label}`), ['Two']);
    assert.deepEqual(await cards(`?labels=-${label}`), ['One', 'Three']);
    assert.deepEqual(await cards(`?milestone=${milestone}`), ['One']);
    assert.deepEqual(await cards('?milestone=-1'), ['Two', 'Three']);
    assert.deepEqual(await cards('?assignee=alice'), ['One']);
    assert.deepEqual(await cards('?assignee=(none)'), ['Two', 'Three']);
    assert.deepEqual(await cards('?assignee=nobody-at-all'), []);
    assert.deepEqual(await cards(`?assignee=alice&labels=${label}`), []);
    const { text } = await browser.get(`${board}?milestone=${milestone}&q=one`);
    assert.match(
      text,
      new RegExp(`<input type="hidden" name="milestone" value="${milestone}">\\s*<input type="search" name="q" value="one"`),
    );
    assert.match(text, new RegExp(`href="${board}\\?q=one&amp;labels=${label}&amp;milestone=${milestone}"`));
    assert.match(text, new RegExp(`class="badge" href="${board}\\?q=one">Milestone: v1`));
    assert.ok(!/<img[^>]*onerror/.test(text));
  });

  it('stays when a form moves a card, also where the form is refused', async () => {
    const board = await newBoard(browser, REPO, { title: 'Kept' });
    const { id, number } = await alice.must('POST', '/repos/alice/forge/issues', { title: 'Kept card' });
    await put(browser, `${REPO}/issues/${number}`, board);
    const [backlog = '', todo = ''] = await columnIds(browser, board);
    const query = `?column=${backlog}&q=kept`;
    const action = /<form method="post" action="([^"]*)" class="card-form">/.exec((await browser.get(board + query)).text)?.[1] ?? '';
    assert.equal(action, `${board}/change${query.replace('&', '&amp;')}`);
    const move = (fields: Record<string, string>) =>
      send(browser, `${board}/change${query}`, { do: 'move-card', issue: String(id), column: todo, ...fields });
    const refused = await move({ position: 'x' });
    assert.equal(refused.status, 422);
    assert.match(refused.text, new RegExp(`data-column="${backlog}"[\\s\\S]*Kept card`));
    assert.equal((await move({})).location, board + query);
    assert.deepEqual((await readBoard(browser, `${board}?q=kept`))['To Do'], ['Kept card']);
    assert.equal((await send(browser, `${board}/change${query}`, { do: 'delete' })).location, `${REPO}/projects`);
  });

  it('names nothing that the reader may not see', async () => {
    await alice.must('POST', '/orgs', { username: 'acme' });
    const board = await newBoard(browser, '/acme/-', { title: 'Ours' });
    const { id: label } = await alice.must('POST', '/orgs/acme/labels', { name: 'urgent', color: '#ff0000' });
    for (const name of ['open', 'hidden']) {
      await alice.must('POST', '/orgs/acme/repos', { name, auto_init: true, private: name === 'hidden' });
      await alice.must('POST', `/repos/acme/${name}/milestones`, { title: `m-${name}` });
      await alice.must('POST', `/repos/acme/${name}/issues`, { title: `Of ${name}` });
      await put(browser, `/acme/${name}/issues/1`, board);
    }
    await alice.must('PATCH', '/repos/acme/hidden/issues/1', { assignees: ['alice'] });
    await alice.must('POST', '/repos/acme/hidden/issues/1/labels', { labels: [label] });
    const offered = async (who: Browser) => {
      const menus = /<div class="row board-filters"[\s\S]*?<div class="board"/.exec((await who.get(board)).text)?.[0] ?? '';
      return new Set(menus.match(/urgent|m-hidden|m-open|assignee=alice/g));
    };
    assert.deepEqual(await offered(browser), new Set(['urgent', 'm-hidden', 'm-open', 'assignee=alice']));
    assert.deepEqual(await offered(stranger), new Set(['urgent', 'm-open']));
    assert.deepEqual((await readBoard(browser, `${board}?labels=${label}&assignee=alice`)).Backlog, ['Of hidden']);
    assert.deepEqual((await readBoard(stranger, `${board}?labels=${label}`)).Backlog, []);
  });
});
