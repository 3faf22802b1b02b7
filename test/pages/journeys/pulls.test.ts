// On SQLite alone: what the pages ask of the database, their own tests ask of both.
import assert from 'node:assert/strict';
import { pushed } from '../../search/support.ts';
import { testServer } from '../../support/server.ts';
import type { Hands } from './hands.ts';
import { playJourneys } from './journey.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const LINES = 'one\ntwo\nthree\nfour\nfive\n';

/** Makes a repository of alice with a file, and a pull request of bob that changes a line of it; returns its path in the API. */
async function proposed(name: string): Promise<string> {
  await pushed(alice, name, { 'count.txt': LINES });
  const path = `/repos/alice/${name}`;
  await alice.must('PUT', `${path}/collaborators/bob`, { permission: 'write' });
  await change(path, LINES.replace('three', 'drei'), { new_branch: 'change' });
  await bob.must('POST', `${path}/pulls`, { title: 'Count in German', head: 'change', base: 'main' });
  await t.settled();
  return path;
}

/** Writes the file as bob. */
async function change(path: string, text: string, where: { branch?: string; new_branch?: string }): Promise<void> {
  const { sha } = await bob.must('GET', `${path}/contents/count.txt?ref=${where.branch ?? 'main'}`);
  await bob.must('PUT', `${path}/contents/count.txt`, { content: Buffer.from(text).toString('base64'), message: 'Count', sha, ...where });
}

playJourneys('pull requests', t, [
  {
    name: 'reviews with a comment on a line and a suggestion, which is committed',
    as: alice,
    isMain: true,
    play: async (hands, key) => {
      const path = await proposed(`review-${key}`);
      await hands.visit(`alice/review-${key}/pulls/1/files`);
      const plus = hands.page.locator('tr.added .line-add').first();
      if (hands.manner === 'plain') await hands.follow(plus);
      else await hands.press(plus);
      const text = hands.page.locator('#line-text');
      await hands.write(text, 'Say it in French?');
      if (hands.manner === 'plain') await hands.follow(hands.button('Suggest a change'));
      else await hands.press(hands.button('Suggest a change'));
      const suggestion = (await text.inputValue()).replace('drei', 'trois');
      assert.match(suggestion, /French\?\n```suggestion\ntrois\n```/);
      await hands.write(text, suggestion);
      await hands.follow(hands.button('Add to review'));
      await hands.sees('1 comment waits for your review');
      await hands.write(hands.field('Review'), 'Nearly there');
      await hands.follow(hands.button('Request changes'));
      await hands.visit(`alice/review-${key}/pulls/1`);
      await hands.sees('requested changes', '.timeline');
      await hands.follow(hands.button('Commit suggestion'));
      const { content } = await alice.must('GET', `${path}/contents/count.txt?ref=change`);
      assert.equal(Buffer.from(content, 'base64').toString(), LINES.replace('three', 'trois'));
      await hands.follow(hands.button('Resolve conversation'));
      await hands.sees('Resolved', '.thread');
    },
  },
  {
    name: 'resolves a conflict in the browser',
    as: alice,
    isMain: true,
    play: async (hands, key) => {
      const path = await proposed(`conflict-${key}`);
      await change(path, LINES.replace('three', 'trois'), { branch: 'main' });
      await t.settled();
      await hands.visit(`alice/conflict-${key}/pulls/1`);
      await hands.follow(hands.link('Resolve conflicts'));
      // No button that needs a script is there without.
      assert.equal(await hands.button('Use both').isVisible(), hands.manner !== 'plain');
      if (hands.manner === 'plain') await hands.write(hands.field('count.txt').last(), LINES.replace('three', 'drei\ntrois'));
      else await hands.press(hands.button('Use both'));
      await hands.follow(hands.button('Commit merge'));
      await t.settled();
      await hands.visit(`alice/conflict-${key}/pulls/1`);
      await hands.sees('It can be merged without conflicts.', '.merge-box');
      const { content } = await alice.must('GET', `${path}/contents/count.txt?ref=change`);
      assert.equal(Buffer.from(content, 'base64').toString(), LINES.replace('three', 'drei\ntrois'));
    },
  },
  {
    name: 'is approved, and merged when the failing check passes; then it is taken back',
    as: alice,
    isMain: true,
    play: async (hands, key) => {
      const path = await proposed(`merge-${key}`);
      const rule = { rule_name: 'main', enable_status_check: true, status_check_contexts: ['build'], required_approvals: 1 };
      await alice.must('POST', `${path}/branch_protections`, { ...rule, block_admin_merge_override: true });
      const { head } = await alice.must('GET', `${path}/pulls/1`);
      const report = (state: string) =>
        bob.must('POST', `${path}/statuses/${head.sha}`, { context: 'build', state, description: 'of all' });
      await report('failure');
      await t.settled();
      await hands.visit(`alice/merge-${key}/pulls/1`);
      await hands.sees('Required checks have not succeeded: build', '.merge-box');
      await hands.sees('0 of 1 required approval', '.merge-box');
      assert.equal(await hands.button('Merge').count(), 0);
      await hands.visit(`alice/merge-${key}/pulls/1/files`);
      await hands.press(hands.fold('Review changes'));
      await hands.write(hands.field('Review'), 'Good');
      await hands.follow(hands.button('Approve'));
      await report('success');
      await t.settled();
      await hands.visit(`alice/merge-${key}/pulls/1`);
      await chooseStyle(hands, 'Squash');
      await hands.follow(hands.button('Merge'));
      await hands.sees('This pull request is merged.', '.merge-box');
      await hands.follow(hands.button('Delete branch'));
      await hands.follow(hands.button('Revert', hands.page.locator('.merge-box')));
      await t.settled();
      assert.equal((await alice.must('GET', `${path}/pulls?state=open`)).length, 1);
      await hands.visit(`alice/merge-${key}/pulls/2/files`);
      await hands.sees('three', 'tr.added');
    },
  },
]);

async function chooseStyle(hands: Hands, style: string): Promise<void> {
  await hands.choose(hands.field('How'), style);
}
