import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoredEvent } from '../../src/events/events.ts';
import { mailOfRun } from '../../src/notifications/run-mail.ts';
import { SimulatedRunner, startRun } from '../actions/simulated-runner.ts';
import { mailbox } from '../support/mailbox.ts';
import { testServer } from '../support/server.ts';

const box = await mailbox();
const t = await testServer({
  mail: { enabled: true, host: '127.0.0.1', port: box.port, security: 'none', from: 'Copse <copse@example.com>' },
});
const alice = await t.user('alice', { email_notifications: 'enabled' });
const { id: repositoryId } = await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true });
const content = 'on: push\njobs:\n  build:\n    runs-on: linux\n    steps:\n      - run: make\n';

async function subjects(): Promise<string[]> {
  await t.settled();
  return box.mails.splice(0).map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? '');
}

describe('a run whose end is told several times', () => {
  it('is mailed once for each attempt', async () => {
    const runner = await SimulatedRunner.at(t, alice, '/repos/alice/demo');
    const run = await startRun(t, repositoryId, content);
    const { id: actorId } = await alice.must('GET', '/user');
    const changed = { payload: { repositoryId, runId: run.id, actorId, status: 'failure' } } as StoredEvent<'workflow-run.changed'>;
    const tellAgain = () => Promise.all([1, 2, 3].map(() => mailOfRun(changed, t.context)));

    await runner.finish((await runner.fetch()).id, 'RESULT_FAILURE');
    await tellAgain();
    await t.settled();
    const [text = ''] = box.mails.map((mail) => mail.text);
    for (const header of [
      /^From: alice <copse@example\.com>$/m,
      /^List-ID: alice\/demo <demo\.alice\.[^>]+>$/im,
      /^X-Gitea-Repository: demo$/m,
      /^X-Gitea-Recipient-Address: alice@/m,
    ]) {
      assert.match(text.replace(/\r/g, ''), header);
    }
    assert.equal((await subjects()).length, 1);

    await alice.must('POST', `/repos/alice/demo/actions/runs/${run.id}/rerun`);
    await runner.finish((await runner.fetch()).id, 'RESULT_FAILURE');
    await tellAgain();
    assert.match((await subjects()).join('\n'), /^Run failed: [^\n]*$/);
  });
});
