// On SQLite alone: what the pages ask of the database, their own tests ask of both.
import assert from 'node:assert/strict';
import { write } from '../../actions/files.ts';
import type { Client } from '../../support/client.ts';
import { testServer } from '../../support/server.ts';
import { playJourneys } from './journey.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');

/** Makes a repository of alice that bob may write to; returns its path in the API. */
async function repository(name: string, owner: Client = alice): Promise<string> {
  await owner.must('POST', '/user/repos', { name, auto_init: true, default_branch: 'main' });
  const path = `/repos/${owner.name}/${name}`;
  await owner.must('PUT', `${path}/collaborators/bob`, { permission: 'write' });
  return path;
}

const FORM = `name: Bug
about: Something is wrong
labels: [bug]
body:
  - type: input
    id: version
    attributes:
      label: Version
    validations:
      required: true
  - type: textarea
    id: seen
    attributes:
      label: What was seen
`;

playJourneys('issues', t, [
  {
    name: 'opens an issue with a form, labels and assigns it, and closes it by a commit',
    as: alice,
    isMain: true,
    play: async (hands, key) => {
      const name = `forms-${key}`;
      const path = await repository(name);
      for (const label of ['bug', 'urgent']) await alice.must('POST', `${path}/labels`, { name: label, color: '#b60205' });
      await write(alice, path, { '.gitea/ISSUE_TEMPLATE/bug.yaml': FORM });
      await hands.visit(`alice/${name}/issues`);
      if (hands.manner === 'keys') await Promise.all([hands.page.waitForURL('**/choose'), hands.keys('c')]);
      else await hands.follow(hands.link('New issue').first());
      await hands.follow(hands.link(/Begin\s+Bug/));
      await hands.write(hands.field('Title'), 'It is too slow');
      await hands.write(hands.field(/^Version/), '1.2');
      await hands.write(hands.field('What was seen'), 'It **waits**.');
      await hands.follow(hands.button('Create issue'));
      await hands.sees('It waits.', '.timeline');
      await hands.sees('bug', '.side-bar .chips');
      await hands.press(hands.page.locator('summary[aria-label="Choose: Labels"]'));
      await hands.tick(hands.page.getByRole('checkbox', { name: 'urgent' }));
      await hands.follow(hands.button('Save', hands.page.locator('.side-part', { hasText: 'Labels' })));
      await hands.sees('urgent', '.side-bar .chips');
      await hands.press(hands.page.locator('summary[aria-label="Choose: Assignees"]'));
      await hands.tick(hands.page.getByRole('checkbox', { name: 'bob' }));
      await hands.follow(hands.button('Save', hands.page.locator('.side-part', { hasText: 'Assignees' })));
      await hands.sees('bob', '.side-part');
      await write(bob, path, { 'faster.txt': 'now\n' }, { message: 'Make it faster\n\nFixes #1' });
      await t.settled();
      await hands.visit(`alice/${name}/issues/1`);
      await hands.sees('Closed', '#issue-state');
    },
  },
  {
    name: 'ticks a task',
    as: alice,
    play: async (hands, key) => {
      const path = await repository(`tasks-${key}`);
      await alice.must('POST', `${path}/issues`, { title: 'Pack', body: '- [ ] boots\n- [ ] tent\n' });
      await hands.visit(`alice/tasks-${key}/issues/1`);
      const box = hands.page.locator('button.task').nth(1);
      if (hands.manner === 'plain') await hands.follow(box);
      else await Promise.all([hands.page.waitForResponse((response) => response.request().method() === 'POST'), hands.press(box)]);
      assert.equal(await box.getAttribute('aria-checked'), 'true');
      const { body } = await alice.must('GET', `${path}/issues/1`);
      assert.equal(body, '- [ ] boots\n- [x] tent\n');
    },
  },
  {
    name: 'makes a board, and moves a card by dragging and by keys',
    as: alice,
    play: async (hands, key) => {
      const path = await repository(`board-${key}`);
      await hands.visit(`alice/board-${key}/projects/new`);
      await hands.write(hands.field('Title'), 'Spring');
      await hands.choose(hands.field('Template'), 'Kanban: Backlog, To Do, In Progress, Done');
      await hands.follow(hands.button('Create project'));
      const board = hands.path.slice(1);
      await alice.must('POST', `${path}/issues`, { title: 'Sow' });
      await hands.visit(`alice/board-${key}/issues/1`);
      await hands.press(hands.page.locator('summary[aria-label="Choose: Project"]'));
      await hands.choose(hands.field('Project'), 'Spring');
      await hands.follow(hands.button('Save', hands.page.locator('.side-part', { hasText: 'Project' })));
      await hands.visit(board);
      const column = (title: string) => hands.page.locator(`.board-column[aria-label="${title}"]`);
      const card = hands.page.locator('.card', { hasText: 'Sow' });
      if (hands.manner === 'plain') {
        await hands.press(card.locator('summary'));
        await hands.choose(card.getByLabel('Column'), 'To Do');
        await hands.follow(hands.button('Move', card));
      } else {
        const moved = hands.page.locator('#board-status', { hasText: 'To Do' });
        if (hands.manner === 'scripts') await card.dragTo(column('To Do').locator('.board-cards'));
        else {
          await hands.focus(hands.link('Sow'));
          await hands.keys('Shift+ArrowRight');
        }
        await moved.waitFor({ state: 'attached' });
        await hands.focus(hands.link('Sow'));
        await hands.keys('Shift+ArrowRight');
        await hands.page.locator('#board-status', { hasText: 'In Progress' }).waitFor({ state: 'attached' });
        await hands.sees('1', '.board-column[aria-label="In Progress"] .count');
        await hands.sees('No cards', '.board-column[aria-label="To Do"] .board-empty');
      }
      await hands.visit(board);
      await column(hands.manner === 'plain' ? 'To Do' : 'In Progress')
        .locator('.card')
        .waitFor();
    },
  },
  {
    name: 'makes a milestone, and fills and closes it',
    as: alice,
    play: async (hands, key) => {
      const path = await repository(`miles-${key}`);
      await alice.must('POST', `${path}/issues`, { title: 'Walk' });
      await hands.visit(`alice/miles-${key}/milestones`);
      await hands.follow(hands.link('New milestone'));
      await hands.write(hands.field('Title'), '1.0');
      await hands.write(hands.field('Due date'), '2030-05-01');
      await hands.write(hands.field('Description'), 'The **first** one');
      await hands.follow(hands.button('Create milestone'));
      await hands.sees('May 1, 2030');
      await hands.visit(`alice/miles-${key}/issues/1`);
      await hands.press(hands.page.locator('summary[aria-label="Choose: Milestone"]'));
      await hands.choose(hands.page.locator('select[name=milestone]'), '1.0');
      await hands.follow(hands.button('Save', hands.page.locator('.side-part', { hasText: 'Milestone' })));
      await hands.write(hands.page.getByRole('textbox', { name: 'Leave a comment' }), 'There.');
      await hands.follow(hands.button(hands.manner === 'plain' ? 'Close' : 'Comment and close'));
      await hands.follow(hands.link('1.0', hands.page.locator('.side-bar')));
      await hands.sees('100 % done');
      await hands.follow(hands.button('Close'));
      assert.equal((await alice.must('GET', `${path}/milestones?state=closed`)).length, 1);
    },
  },
  {
    name: 'reads notifications',
    as: alice,
    play: async (hands, key) => {
      const path = await repository(`news-${key}`);
      await alice.must('PUT', '/notifications');
      const { number } = await bob.must('POST', `${path}/issues`, { title: `Hello from ${key}`, body: '@alice look' });
      await t.settled();
      await hands.visit('notifications');
      await hands.follow(hands.link(`Hello from ${key}`));
      assert.equal(hands.path, `/alice/news-${key}/issues/${number}`);
      await bob.must('POST', `${path}/issues/${number}/comments`, { body: '@alice again' });
      await t.settled();
      await hands.visit('notifications');
      await hands.follow(hands.button('Mark as read'));
      await hands.follow(hands.link('Read', hands.page.locator('main')));
      await hands.sees(`Hello from ${key}`, '.rows');
    },
  },
  {
    name: 'goes through a list with keys, and to another page with the palette',
    as: alice,
    needsScripts: true,
    play: async (hands, key) => {
      const path = await repository(`keys-${key}`);
      for (const title of ['One', 'Two']) await alice.must('POST', `${path}/issues`, { title });
      await hands.visit(`alice/keys-${key}`);
      await Promise.all([hands.page.waitForURL('**/issues'), hands.keys('g', 'i')]);
      await hands.keys('j', 'j');
      await Promise.all([hands.page.waitForURL('**/issues/1'), hands.keys('o')]);
      await hands.keys('Control+k');
      await hands.page.locator('.palette input').waitFor();
      await hands.page.keyboard.type(`keys-${key}`);
      await hands.page.locator('.palette li[aria-selected=true]', { hasText: `alice/keys-${key}` }).waitFor();
      await Promise.all([hands.page.waitForURL(`**/keys-${key}`), hands.keys('Enter')]);
      await hands.keys('?');
      await hands.sees('Go to file', '.shortcut-list');
      await hands.keys('Escape', '/');
      await hands.page.keyboard.type('keys');
      await Promise.all([hands.page.waitForURL('**/explore/repos?q=keys'), hands.keys('Enter')]);
    },
  },
]);
