// On SQLite alone: what the pages ask of the database, their own tests ask of both.
import assert from 'node:assert/strict';
import { SimulatedRunner, startRun, workflow } from '../../actions/simulated-runner.ts';
import { giteaStub, respond, stubIssue } from '../../migrations/gitea-stub.ts';
import { held } from '../../migrations/stub.ts';
import { registry } from '../../packages/support/registry.ts';
import { testServer } from '../../support/server.ts';
import { playJourneys } from './journey.ts';

const t = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const alice = await t.user('alice');

async function repository(name: string): Promise<{ id: number; path: string }> {
  const { id } = await alice.must('POST', '/user/repos', { name, auto_init: true, default_branch: 'main' });
  return { id, path: `/repos/alice/${name}` };
}

playJourneys('what is published', t, [
  {
    name: 'publishes a release with a file',
    as: alice,
    isMain: true,
    play: async (hands, key) => {
      const { path } = await repository(`release-${key}`);
      await hands.visit(`alice/release-${key}/releases`);
      await hands.follow(hands.link('New release').first());
      await hands.write(hands.field('Tag'), 'v1.0');
      await hands.write(hands.field('Title'), 'The first');
      await hands.write(hands.field('Notes'), 'It **works**.');
      await hands.attach(hands.field('Add files'), [{ name: 'program.txt', content: 'run\n' }]);
      await hands.follow(hands.button('Publish release'));
      await hands.sees('It works.');
      await hands.follow(hands.link('The first'));
      await hands.sees('program.txt');
      const { assets } = await alice.must('GET', `${path}/releases/tags/v1.0`);
      assert.equal(assets[0].size, 4);
    },
  },
  {
    name: 'has the notes of a release generated under what is written',
    as: alice,
    play: async (hands, key) => {
      const { path } = await repository(`notes-${key}`);
      await alice.must('POST', `${path}/tags`, { tag_name: 'v0.9', target: 'main' });
      await alice.must('POST', `${path}/contents/a.txt`, { content: 'YQ==', new_branch: 'topic', message: 'Add' });
      await alice.must('POST', `${path}/pulls`, { head: 'topic', base: 'main', title: 'Count faster' });
      await t.settled();
      await alice.must('POST', `${path}/pulls/1/merge`, { Do: 'merge' });
      await t.settled();
      await hands.visit(`alice/notes-${key}/releases/new`);
      await hands.write(hands.field('Tag'), 'v1.0');
      await hands.write(hands.field('Title'), 'The next');
      await hands.write(hands.field('Notes'), 'Hello.');
      await hands.choose(hands.field('Notes since'), 'v0.9');
      const button = hands.button('Generate notes');
      if (hands.manner === 'plain') await hands.follow(button);
      else await Promise.all([hands.page.waitForResponse('**/releases/generate-notes'), hands.press(button)]);
      await hands.follow(hands.button('Publish release'));
      await hands.sees('Hello.');
      await hands.sees('Count faster');
    },
  },
  {
    name: 'waits for a migration, whose place becomes the repository',
    as: alice,
    play: async (hands, key) => {
      const stub = await giteaStub();
      respond(stub, 'issues/1/reactions', []);
      const waiting = held([stubIssue(1)]);
      respond(stub, 'issues', waiting.response);
      await hands.visit('repo/migrate?service_type=3');
      await hands.write(hands.field('Address'), `${stub.url}/o/r.git`);
      await hands.write(hands.field('Name'), `moved-${key}`);
      await hands.follow(hands.button('Migrate'));
      await waiting.arrived;
      await hands.sees('Issues', 'li.current');
      waiting.release();
      await hands.page.locator('#migration').waitFor({ state: 'detached' });
      assert.equal(hands.path, `/alice/moved-${key}`);
      await hands.sees('a.txt', '.files-box');
    },
  },
  {
    name: 'writes a page of the wiki, and changes it',
    as: alice,
    isMain: true,
    play: async (hands, key) => {
      await repository(`wiki-${key}`);
      await hands.visit(`alice/wiki-${key}/wiki`);
      await hands.follow(hands.link('Write the first page'));
      await hands.write(hands.field('Title'), 'Home');
      await hands.write(hands.field('Text'), 'See [[Guide]].');
      await hands.follow(hands.button('Save page'));
      await hands.follow(hands.link('Edit'));
      await hands.write(hands.field('Text'), 'Read this first.');
      await hands.write(hands.field('Summary of the change (optional)'), 'Shorter');
      await hands.follow(hands.button('Save page'));
      await hands.sees('Read this first.');
      await hands.follow(hands.link('History'));
      await hands.sees('Shorter');
    },
  },
  {
    name: 'reads the log of a run that failed',
    as: alice,
    play: async (hands, key) => {
      const { id, path } = await repository(`run-${key}`);
      const runner = await SimulatedRunner.at(t, alice, path);
      await startRun(t, id, workflow(['one']));
      const { id: taskId } = await runner.fetch();
      await runner.log(taskId, 0, ['begin', '##[error]It broke', 'end'], true);
      const times = { startedAt: '2024-01-02T03:04:05Z', stoppedAt: '2024-01-02T03:05:05Z' };
      const step = (number: number, result: string, logIndex: string, logLength: string) => ({
        id: `${number}`,
        result,
        logIndex,
        logLength,
        ...times,
      });
      const steps = [step(0, 'RESULT_SUCCESS', '0', '1'), step(1, 'RESULT_FAILURE', '1', '2')];
      await runner.report(taskId, { result: 'RESULT_FAILURE', ...times, steps });
      await hands.visit(`alice/run-${key}/actions`);
      await hands.follow(hands.link('A run'));
      await hands.sees('What failed');
      await hands.follow(hands.link('one', hands.page.locator('.stages')));
      await hands.sees('It broke', '.log-line.error');
      await hands.follow(hands.page.locator('a.step-link').first());
      await hands.sees('begin', '.steps');
      await hands.follow(hands.button('Re-run this job'));
      await hands.sees('Waiting for a runner');
    },
  },
  {
    name: 'finds a package, and links it to a repository',
    as: alice,
    play: async (hands, key) => {
      await repository(`home-${key}`);
      await registry('alice').put(alice, `generic/tool-${key}/1.0/a.txt`, 'a');
      await hands.visit('alice/-/packages');
      await hands.write(hands.field('Name'), key);
      await hands.follow(hands.button('Search', hands.page.locator('main')));
      await hands.follow(hands.link(`tool-${key}`));
      await hands.sees('a.txt');
      await hands.follow(hands.link('Package settings'));
      await hands.write(hands.field('Name of the repository'), `home-${key}`);
      await hands.follow(hands.button('Link'));
      await hands.visit(`alice/home-${key}/packages`);
      await hands.sees(`tool-${key}`);
    },
  },
]);
