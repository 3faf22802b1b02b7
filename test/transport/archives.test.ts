// On SQLite alone: what this asks of the database is asked of both by fetches.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { packet } from '../../src/git/protocol/pkt-line.ts';
import type { Client } from '../support/client.ts';
import { pushingServer } from './pushing.ts';

const TYPE = 'application/x-git-upload-archive-request';
const { t, alice, bob, laid } = await pushingServer();
await laid('packed', { private: true });

/** What git 2.44 and newer send for `git archive --remote` over HTTP. */
function ask(client: Client, ...args: string[]) {
  const raw = Buffer.concat([...args.map((argument) => packet(`argument ${argument}\n`)), Buffer.from('0000')]);
  return client.post('//alice/packed.git/git-upload-archive', undefined, { raw, type: TYPE });
}

it('archives are made for git', async () => {
  const made = await ask(alice, '--format=tar', '--prefix=x/', 'main');
  assert.equal(made.status, 200);
  assert.equal(made.headers.get('content-type'), 'application/x-git-upload-archive-result');
  assert.match(made.text, /^0008ACK\n0000/);
  assert.ok(made.text.includes('x/README.md'));
  const missing = await ask(alice, '--format=tar', 'none');
  assert.match(missing.text, /^0008ACK\n0000[\s\S]*none/);
});

it('archives have no files of the server, and say nothing of its folders', async () => {
  const { text } = await ask(alice, '--format=tar', '--add-file=/etc/hostname', 'main');
  assert.doesNotMatch(text, /ustar/);
  const outside = await ask(alice, '--format=tar', 'main', '../../../etc');
  assert.ok(!outside.text.includes(t.folder));
});

it('archives are for those who may fetch, and take few arguments', async () => {
  assert.equal((await ask(bob, 'main')).status, 404);
  assert.equal((await ask(t.anonymous, 'main')).status, 401);
  assert.equal((await ask(alice, 'x'.repeat(40_000), 'y'.repeat(40_000))).status, 400);
  assert.equal((await alice.post('//alice/packed.git/git-upload-archive')).status, 400);
});

it('clients that leave give their permits back', async () => {
  const { port } = new URL(t.url);
  const { sha1 } = await alice.must('POST', '/users/alice/tokens', { name: 'leaving', scopes: ['read:repository'] });
  const headers = { 'content-type': TYPE, authorization: `token ${sha1}` };
  for (let n = 0; n <= t.context.settings.limits.concurrentArchives; n++) {
    const asked = request({ port, method: 'POST', path: '/alice/packed.git/git-upload-archive', headers });
    asked.on('error', () => {});
    asked.end(Buffer.concat([packet('argument main\n'), Buffer.from('0000')]));
    await setTimeout(n * 5);
    asked.destroy();
  }
  assert.equal((await ask(alice, '--format=tar', 'main')).status, 200);
});
